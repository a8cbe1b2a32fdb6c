"""Groups count what they have, and every group has an admin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts.relations import IN_A_GROUP
from commonroom.hangouts.rules.groups import successor
from commonroom.hangouts.tables import (
    FriendGroup,
    GroupMembership,
    Idea,
    IdeaList,
    ideas,
    members,
    places_of_group,
)
from commonroom.store import Store, as_read, delete, equal, update
from commonroom.store.checking import Problem
from commonroom.store.checking.relations import Recount, find_miscounted
from commonroom.store.checking.snapshots import SnapshotCheck


class CountedGroup(Struct, frozen=True):
    """What a look found of a group."""

    numbers: dict[str, int]
    members: Sequence[GroupMembership]


async def _count(store: Store, one: FriendGroup) -> CountedGroup:
    at = {"group_id": one.group_id}
    inside = await _with_account(store, [it async for it in store.all(members(**at))])
    known = [it async for it in store.all(ideas(**at))]
    places = [it async for it in store.all(places_of_group(**at))]
    recount = Recount(IN_A_GROUP)
    for it in (*inside, *places, *known):
        recount.add(it)
    lists = {it.list_id for it in known if isinstance(it, IdeaList)}
    of_lists = sum(isinstance(it, Idea) and it.list_id in lists for it in known)
    return CountedGroup({**recount.of(one), "idea_count": of_lists}, inside)


async def _with_account(store: Store, inside: list[GroupMembership]) -> list[GroupMembership]:
    """Returns those who are still there: the memberships of others go."""
    users = await store.batch_get([User.at(user_id=it.user_id) for it in inside])
    return [it for it, user in zip(inside, users, strict=True) if user is not None]


def _find_problems(one: FriendGroup, counted: CountedGroup) -> Iterator[Problem]:
    if not counted.members:
        held = as_read(one, "member_count", "admin_count")
        yield Problem.of("groups", one, "Nobody is in it.", delete(one, if_=held))
    elif counted.numbers["admin_count"] == 0:
        yield _without_admin(one, counted)
    else:
        yield from find_miscounted(one, counted.numbers)


def _without_admin(one: FriendGroup, counted: CountedGroup) -> Problem:
    """Makes the member who joined first an admin, as when the last admin leaves."""
    heir = successor(counted.members, "")
    promoted = [] if heir is None else [update(heir, role="ADMIN", if_=equal(role=heir.role))]
    changes: dict[str, Any] = {**counted.numbers, "admin_count": 1}
    repair = update(one.ref, if_=as_read(one, *counted.numbers), **changes)
    return Problem.of("groups", one, "It has no admin.", *promoted, repair)


GROUPS = SnapshotCheck(FriendGroup, _count, _find_problems)

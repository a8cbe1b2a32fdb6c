"""Groups and people count what they have, and every group has an admin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts.rules.groups import successor
from commonroom.hangouts.tables import (
    FriendGroup,
    GroupMembership,
    HangoutPerson,
    Idea,
    IdeaList,
    ideas,
    members,
    places_of_group,
    places_of_user,
)
from commonroom.store import Store, as_read, delete, equal, update
from commonroom.store.checking import Problem
from commonroom.store.checking.snapshots import SnapshotCheck


class Counted(Struct, frozen=True):
    """What a look found of a group or a person."""

    numbers: dict[str, int]
    members: Sequence[GroupMembership] = ()
    ideas: Sequence[IdeaList | Idea] = ()


async def _count(store: Store, one: FriendGroup | HangoutPerson) -> Counted:
    if isinstance(one, HangoutPerson):
        places = [it async for it in store.all(places_of_user(user_id=one.user_id))]
        return Counted({"place_count": len(places)})
    at = {"group_id": one.group_id}
    inside = await _with_account(store, [it async for it in store.all(members(**at))])
    known = [it async for it in store.all(ideas(**at))]
    lists = {it.list_id for it in known if isinstance(it, IdeaList)}
    numbers = {
        "member_count": len(inside),
        "admin_count": sum(it.role == "ADMIN" for it in inside),
        "place_count": len([it async for it in store.all(places_of_group(**at))]),
        "idea_list_count": len(lists),
        "idea_count": sum(isinstance(it, Idea) and it.list_id in lists for it in known),
    }
    return Counted(numbers, inside, known)


async def _with_account(store: Store, inside: list[GroupMembership]) -> list[GroupMembership]:
    """Returns those who are still there: the memberships of others go."""
    users = await store.batch_get([User.at(user_id=it.user_id) for it in inside])
    return [it for it, user in zip(inside, users, strict=True) if user is not None]


def _find_problems(one: FriendGroup | HangoutPerson, counted: Counted) -> list[Problem]:
    if isinstance(one, FriendGroup) and not counted.members:
        held = as_read(one, "member_count", "admin_count")
        return [Problem.of("groups", one, "Nobody is in it.", delete(one, if_=held))]
    problems = [] if isinstance(one, HangoutPerson) else _check_lists(counted.ideas)
    wrong = {name: it for name, it in counted.numbers.items() if getattr(one, name) != it}
    if isinstance(one, FriendGroup) and counted.numbers["admin_count"] == 0:
        return [*problems, _without_admin(one, counted, wrong)]
    if wrong:
        held = as_read(one, *counted.numbers)
        detail = ", ".join(
            f"{name} is {getattr(one, name)}, not {it}" for name, it in wrong.items()
        )
        changes: dict[str, Any] = dict(wrong)
        repair = update(one.ref, if_=held, **changes)
        problems.append(Problem.of("counts", one, f"Its {detail}.", repair))
    return problems


def _without_admin(one: FriendGroup, counted: Counted, wrong: dict[str, int]) -> Problem:
    """Makes the member who joined first an admin, as when the last admin leaves."""
    heir = successor(counted.members, "")
    promoted = [] if heir is None else [update(heir, role="ADMIN", if_=equal(role=heir.role))]
    changes: dict[str, Any] = {**wrong, "admin_count": 1}
    repair = update(one.ref, if_=as_read(one, *counted.numbers), **changes)
    return Problem.of("groups", one, "It has no admin.", *promoted, repair)


def _check_lists(known: Sequence[IdeaList | Idea]) -> list[Problem]:
    problems: list[Problem] = []
    for one in known:
        if isinstance(one, IdeaList):
            on_it = [it for it in known if isinstance(it, Idea) and it.list_id == one.list_id]
            if one.idea_count != len(on_it):
                held = as_read(one, "idea_count")
                repair = update(one.ref, idea_count=len(on_it), if_=held)
                detail = f"Its idea_count is {one.idea_count}, not {len(on_it)}."
                problems.append(Problem.of("counts", one, detail, repair))
    return problems


MEMBERS = SnapshotCheck((FriendGroup, HangoutPerson), _count, _find_problems)

"""Leaving: what people have on hangouts goes when they may no longer have these.

Who may is worked out from what is stored now, and each step can be done again: whoever is
interrupted goes on with what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.hangouts.rules.access import standing_of
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.departures import PersonalThing, remove_thing
from commonroom.hangouts.service.pointers import edit_writes
from commonroom.hangouts.tables import (
    Group,
    Hangout,
    Idea,
    Membership,
    Message,
    detail,
    feed,
    ideas,
)
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Ref, Store, Write, discard, stored, update


async def leave_hangouts(store: Store, now: float, group_id: str, user_id: str) -> None:
    """Takes somebody who has left a group out of its hangouts, and out of its ideas.

    Hangouts that they have by another group, or to which they were invited directly, stay theirs.
    """
    async for pointer in store.all(feed(group_id=group_id)):
        if pointer.created_by == user_id:
            await _leave_own(store, now, pointer.hangout_id, user_id)
        await remove_lost_things(store, now, pointer.hangout_id, left=user_id)
    async for one in store.all(ideas(group_id=group_id)):
        if isinstance(one, Idea) and user_id in one.interested:
            await _lose_interest(store, one, user_id)


async def remove_lost_things(
    store: Store, now: float, hangout_id: str, *, left: str | None = None
) -> None:
    """Removes what people have on a hangout who may no longer have it, children included.

    Whoever `left` one of its groups keeps nothing because it is public.
    """
    hangout = await store.get(Hangout.at(hangout_id=hangout_id))
    if hangout is None:
        return  # all that was on it goes
    things: list[PersonalThing] = []
    async for one in store.all(detail(hangout_id=hangout_id)):
        if isinstance(one, Message):
            break  # these come last, and stay
        if isinstance(one, PersonalThing):
            things.append(one)
    people = sorted({one.user_id for one in things})
    users = await store.batch_get([User.at(user_id=one) for one in people])
    lost = await without_access(store, hangout, dict(zip(people, users, strict=True)), left=left)
    for thing in things:
        if thing.user_id in lost:
            await remove_thing(store, now, thing)


async def without_access(
    store: Store,
    hangout: Hangout,
    users: Mapping[str, User | None],
    *,
    left: str | None = None,
) -> set[str]:
    """Who of some people may not have a hangout: a request for every hundred memberships."""
    accounts = {one: account_of(user) for one, user in users.items()}
    known = sorted({one for one in accounts.values() if one is not None})
    refs: list[Ref[Any]] = [Group.at(group_id=one) for one in hangout.group_ids]
    refs += [
        Membership.at(group_id=group, user_id=one) for one in known for group in hangout.group_ids
    ]
    read: Sequence[Any] = await store.batch_get(refs)
    groups = [one for one in read if isinstance(one, Group)]
    memberships: dict[str, list[Membership]] = {one: [] for one in known}
    for it in read:
        if isinstance(it, Membership):
            memberships[it.user_id].append(it)
    allowed = set()
    for one in known:
        standing = standing_of(hangout, one, memberships[one], groups)
        if standing is not None and (one != left or standing.may_edit or standing.is_invited):
            allowed.add(one)
    return {one for one, account in accounts.items() if account not in allowed}


def account_of(user: User | None) -> str | None:
    """Whose access counts for somebody: their own, or their parent's; None for who is gone."""
    if user is None:
        return None
    return user.parent_user_id if user.is_managed else user.user_id


async def _leave_own(store: Store, now: float, hangout_id: str, user_id: str) -> None:
    """Takes a hangout off the list of its maker, where none of its groups has them any more."""

    async def attempt() -> None:
        before = await store.get(Hangout.at(hangout_id=hangout_id))
        if before is None or user_id not in before.invited_user_ids:
            return
        refs: list[Ref[Any]] = [
            Membership.at(group_id=one, user_id=user_id) for one in before.group_ids
        ]
        if not any(await store.batch_get(refs)):
            await store.write(*uninvite_writes(now, before, user_id))

    await retry(attempt)


def uninvite_writes(now: float, before: Hangout, user_id: str) -> list[Write]:
    """What takes a hangout off the list of one person."""
    left = [one for one in before.invited_user_ids if one != user_id]
    after = replace(before, invited_user_ids=left, updated_at=iso(now))
    return edit_writes(before, after)[1]


async def _lose_interest(store: Store, idea: Idea, user_id: str) -> None:
    try:
        await store.write(update(idea.ref, interested=discard(user_id), if_=stored))
    except ConditionFailed:
        return  # the idea was deleted meanwhile

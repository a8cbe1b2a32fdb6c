"""Leaving: what people have on hangouts goes when they may no longer have these.

Who may is worked out from what is stored now, and each step can be done again: the person who is
interrupted goes on with what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.hangouts.rules.access import standing_of
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.departures import PersonalThing, remove_thing
from commonroom.hangouts.service.guards import Guard
from commonroom.hangouts.service.pointers import edit_writes
from commonroom.hangouts.tables import (
    Attachment,
    Ballot,
    BringClaim,
    FriendGroup,
    GroupMembership,
    Hangout,
    Idea,
    Offer,
    Ride,
    Rsvp,
    Spot,
    TalkMessage,
    Ticket,
    detail,
    feed,
    ideas,
)
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Entity,
    Ref,
    Store,
    Write,
    check,
    discard,
    equal,
    new,
    stored,
    update,
)


async def leave_hangouts(store: Store, now: float, group_id: str, user_id: str) -> None:
    """Takes a person who has left a group out of its hangouts, and out of its ideas.

    Hangouts that they have by another group, or to which they were invited directly, stay theirs.
    """
    async for pointer in store.all(feed(group_id=group_id)):
        if pointer.created_by == user_id:
            await _leave_own(store, now, pointer.hangout_id, user_id)
        await remove_lost_things(store, now, pointer.hangout_id, left=user_id)
    async for one in store.all(ideas(group_id=group_id)):
        if isinstance(one, Idea) and user_id in one.interested:
            await _lose_interest(store, one, user_id)


def _is_lost(store: Store, hangout_id: str, left: str | None, at: float) -> Guard:
    """Lets go of what belongs to who may not have a hangout, as long as that is so.

    A person who `left` and may have it as a passer-by keeps what they did after that moment.
    """

    async def guard(thing: PersonalThing) -> Sequence[Write] | None:
        hangout = await store.get(Hangout.at(hangout_id=hangout_id))
        if hangout is None:
            return None  # all that was on it goes
        user = await store.get(User.at(user_id=thing.user_id))
        users, hosts = {thing.user_id: user}, await _host_of(store, hangout_id, user)
        if not await without_access(store, hangout, users, hosts, left=left):
            return None
        is_public = not await without_access(store, hangout, users, hosts)
        if is_public and _moment_of(thing) >= iso(at):
            return None
        return [
            check(hangout, if_=equal(version=hangout.version)),
            *still_lost(hangout, thing.user_id, user, hosts),
        ]

    return guard


async def _host_of(store: Store, hangout_id: str, user: User | None) -> dict[str, str]:
    """With whom a managed member comes along, as their answer says now."""
    if user is None or not user.is_managed:
        return {}
    answer = await store.get(Rsvp.at(hangout_id=hangout_id, user_id=user.user_id))
    return hosts_of([] if answer is None else [answer])


def still_lost(
    hangout: Hangout, user_id: str, user: User | None, hosts: Mapping[str, str]
) -> list[Write]:
    """That a person still may not have a hangout, as far as the hangout itself does not say so."""
    if user is None:
        return [check(User.at(user_id=user_id), if_=new)]
    account = account_of(user, hosts) or user.user_id
    refs = [GroupMembership.at(group_id=one, user_id=account) for one in hangout.group_ids]
    return [check(one, if_=new) for one in refs]


def _moment_of(thing: PersonalThing) -> str:
    """Returns when its person last chose to have it."""
    match thing:
        case Rsvp() | Ticket():
            return thing.updated_at
        case Ballot():
            return thing.voted_at
        case BringClaim() | Spot():
            return thing.claimed_at
        case Ride():
            return max(thing.asked_at, thing.seated_at or "")
        case Attachment():
            return thing.attached_at
        case Offer():
            return thing.created_at


async def remove_lost_things(
    store: Store, now: float, hangout_id: str, *, left: str | None = None
) -> None:
    """Removes what people have on a hangout who may no longer have it, children included.

    A person who `left` one of its groups keeps nothing because it is public.
    """
    hangout = await store.get(Hangout.at(hangout_id=hangout_id))
    if hangout is None:
        return  # all that was on it goes
    things: list[PersonalThing] = []
    async for one in store.all(detail(hangout_id=hangout_id)):
        if isinstance(one, TalkMessage):
            break  # these come last, and stay
        if isinstance(one, PersonalThing):
            things.append(one)
    people = sorted({one.user_id for one in things})
    users = await store.batch_get([User.at(user_id=one) for one in people])
    known = dict(zip(people, users, strict=True))
    lost = await without_access(store, hangout, known, hosts_of(things), left=left)
    guard = _is_lost(store, hangout_id, left, now)
    for thing in things:
        if thing.user_id in lost:
            await remove_thing(store, now, thing, guard)


async def without_access(
    store: Store,
    hangout: Hangout,
    users: Mapping[str, User | None],
    hosts: Mapping[str, str],
    *,
    left: str | None = None,
) -> set[str]:
    """Returns who of some people may not have a hangout: a request for every hundred memberships.

    `hosts` says with whom a person comes along.
    """
    accounts = {one: account_of(user, hosts) for one, user in users.items()}
    known = sorted({one for one in accounts.values() if one is not None})
    refs: list[Ref[Any]] = [FriendGroup.at(group_id=one) for one in hangout.group_ids]
    refs += [
        GroupMembership.at(group_id=group, user_id=one)
        for one in known
        for group in hangout.group_ids
    ]
    read: Sequence[Any] = await store.batch_get(refs)
    groups = [one for one in read if isinstance(one, FriendGroup)]
    memberships: dict[str, list[GroupMembership]] = {one: [] for one in known}
    for it in read:
        if isinstance(it, GroupMembership):
            memberships[it.user_id].append(it)
    allowed = set()
    for one in known:
        standing = standing_of(hangout, one, memberships[one], groups)
        if standing is not None and (one != left or standing.may_edit or standing.is_invited):
            allowed.add(one)
    return {one for one, account in accounts.items() if account not in allowed}


def hosts_of(things: Iterable[Entity]) -> dict[str, str]:
    """With whom each of those comes who come along, as their answers say."""
    answers = [one for one in things if isinstance(one, Rsvp)]
    return {one.user_id: one.with_user_id for one in answers if one.with_user_id is not None}


def account_of(user: User | None, hosts: Mapping[str, str]) -> str | None:
    """Returns whose access counts for a person: their own, or that of whom they come with, or their
    parent's; None for who is gone."""
    if user is None or not user.is_managed:
        return None if user is None else user.user_id
    return hosts.get(user.user_id) or user.parent_user_id


@retry
async def _leave_own(store: Store, now: float, hangout_id: str, user_id: str) -> None:
    """Takes a hangout off the list of its maker, where none of its groups has them any more."""
    before = await store.get(Hangout.at(hangout_id=hangout_id))
    if before is None or user_id not in before.invited_user_ids:
        return
    refs: list[Ref[Any]] = [
        GroupMembership.at(group_id=one, user_id=user_id) for one in before.group_ids
    ]
    if not any(await store.batch_get(refs)):
        gone = [check(one, if_=new) for one in refs]
        await store.write(*uninvite_writes(now, before, user_id), *gone)


def uninvite_writes(now: float, before: Hangout, user_id: str) -> list[Write]:
    """Returns what takes a hangout off the list of one person."""
    left = [one for one in before.invited_user_ids if one != user_id]
    after = replace(before, invited_user_ids=left, updated_at=iso(now))
    return edit_writes(before, after)[1]


async def _lose_interest(store: Store, idea: Idea, user_id: str) -> None:
    gone = check(GroupMembership.at(group_id=idea.group_id, user_id=user_id), if_=new)
    with suppress(ConditionFailed):  # the idea was deleted meanwhile, or they are back
        await store.write(update(idea.ref, interested=discard(user_id), if_=stored), gone)

"""Hangouts: floated or locked in, cancelled and brought back, confirmed, deleted."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, Unauthorized
from commonroom.hangouts.rules import hangouts as rules
from commonroom.hangouts.rules.ids import time_ordered_id
from commonroom.hangouts.rules.momentum import momentum
from commonroom.hangouts.rules.parties import clean_parts
from commonroom.hangouts.service.access import HangoutAccess, open_hangout, retry
from commonroom.hangouts.service.fields import EDITABLE, HangoutDraft, hangout_fields
from commonroom.hangouts.service.occurrences import begin_series, count_series, first_writes
from commonroom.hangouts.service.places import take_place
from commonroom.hangouts.service.pointers import deletion_writes, save_edit
from commonroom.hangouts.tables import FriendGroup, GroupMembership, Hangout
from commonroom.ids import is_id
from commonroom.moments import iso
from commonroom.store import (
    Ref,
    Write,
    check,
    stored,
)

MAX_INVITED_AT_ONCE = 10
"""Their pointers, and that they are there, fit one transaction with everything else."""
INVITING_BY_PERSON = Limit("hangout-inviting", 30, 30 * 1800)
"""Thirty hangouts with direct invitations, then one in half an hour."""
NOT_ACQUAINTED = (
    "You can invite people with whom you share a group, a household or a list. "
    "Invite others by their e-mail address, or send them a link."
)


async def create_hangout(
    ctx: Context,
    draft: HangoutDraft,
    *,
    acquainted: Container[str] = (),
    beside: Callable[[str], Sequence[Write]] = lambda _: (),
) -> Hangout:
    """Creates a hangout with its pointers and its maker's RSVP: one read and one write.

    A kept place takes one read more, and direct invitations one write that counts them. One that
    repeats comes with its series, of which it is the first. `acquainted` are those whom the maker
    shares something with: nobody else is invited by their id. `beside` gives what else is
    written, for the hangout's id.
    """
    zone = ctx.person.time_zone
    fields = hangout_fields({name: getattr(draft, name) for name in EDITABLE}, zone, ctx.now)
    me = ctx.person.user_id
    invited = rules.invited_user_ids(draft.invited_user_ids, me)
    if len(invited) > MAX_INVITED_AT_ONCE + 1:
        raise InvalidField(
            "invited_user_ids", f"Invite at most {MAX_INVITED_AT_ONCE} people at once."
        )
    if any(one not in acquainted for one in invited if one != me):
        raise InvalidField("invited_user_ids", NOT_ACQUAINTED)
    if len(invited) > 1:
        await count_try(ctx.store, ctx.now, INVITING_BY_PERSON, me)
    fields["place"], used = await take_place(ctx, fields["place"], fields["group_ids"])
    first = Hangout(
        **fields,
        hangout_id=time_ordered_id(ctx.now),
        created_by=me,
        changed_by=me,
        created_at=iso(ctx.now),
        updated_at=iso(ctx.now),
        invited_user_ids=invited,
    )
    also: list[Write] = []
    parts = clean_parts(draft.parts)
    if parts and draft.repetition is None:
        raise InvalidField("repetition.frequency", "Choose how often you meet.")
    if draft.repetition is not None:
        first, also = begin_series(first, draft.repetition, ctx.now, is_on=draft.is_on, parts=parts)
        await count_series(ctx)

    @retry
    async def attempt() -> Hangout:
        people, memberships, groups = await _read_people(ctx, invited, fields["group_ids"])
        hangout, writes = first_writes(first, people[0], groups, ctx.now, is_on=draft.is_on)
        await ctx.store.write(
            *writes,
            *also,
            *(check(one, if_=stored) for one in memberships),
            *(check(one, if_=stored) for one in people[1:]),
            *used,
            *beside(hangout.hangout_id),
        )
        return hangout

    return await attempt()


async def _read_people(
    ctx: Context, invited: Sequence[str], group_ids: Sequence[str]
) -> tuple[list[User], list[GroupMembership], list[FriendGroup]]:
    """Returns the maker and those invited, and the maker's memberships in groups: one request."""
    me = ctx.person.user_id
    if not all(map(is_id, [*invited, *group_ids])):
        raise InvalidField("group_ids", "You are not a member of this group.")
    refs: list[Ref[Any]] = [
        *(User.at(user_id=one) for one in invited),
        *(GroupMembership.at(group_id=one, user_id=me) for one in group_ids),
        *(FriendGroup.at(group_id=one) for one in group_ids),
    ]
    read = await ctx.store.batch_get(refs)
    people = [one for one in read if isinstance(one, User)]
    memberships = [one for one in read if isinstance(one, GroupMembership)]
    groups = [one for one in read if isinstance(one, FriendGroup)]
    if not people or people[0].user_id != me:
        raise Unauthorized("Please sign in, or send an API token.")
    if len(people) < len(invited) or any(one.is_managed for one in people):
        raise InvalidField("invited_user_ids", "Invite people who have an account here.")
    if len(memberships) < len(group_ids) or len(groups) < len(group_ids):
        raise InvalidField("group_ids", "You are not a member of this group.")
    return people, memberships, groups


async def cancel(ctx: Context, hangout_id: str) -> Hangout:
    """Cancels a hangout, which stays visible: two reads and one write."""

    def change(hangout: Hangout) -> dict[str, Any]:
        if hangout.cancelled_at is not None:
            raise Conflict("This hangout is already cancelled.")
        return {"cancelled_at": iso(ctx.now)}

    return await _set_state(ctx, hangout_id, change)


async def bring_back(ctx: Context, hangout_id: str) -> Hangout:
    """Brings a cancelled hangout back: two reads and one write."""

    def change(hangout: Hangout) -> dict[str, Any]:
        if hangout.cancelled_at is None:
            raise Conflict("This hangout is not cancelled.")
        return {"cancelled_at": None}

    return await _set_state(ctx, hangout_id, change)


async def confirm(ctx: Context, hangout_id: str) -> Hangout:
    """Says that it is on, whatever there is so far: two reads and one write."""

    confirmed = {"momentum": "CONFIRMED", "held_back_at": None}
    return await _set_state(ctx, hangout_id, lambda _: confirmed, HangoutAccess.editable)


async def unconfirm(ctx: Context, hangout_id: str) -> Hangout:
    """Takes back that it is on; then only a person can confirm it: two reads and one write."""

    def change(hangout: Hangout) -> dict[str, Any]:
        since = hangout.held_back_at or iso(ctx.now)
        held = replace(hangout, momentum="BUILDING", held_back_at=since)
        return {"momentum": momentum(held, ctx.now), "held_back_at": held.held_back_at}

    return await _set_state(ctx, hangout_id, change)


@retry
async def _set_state(
    ctx: Context,
    hangout_id: str,
    change: Callable[[Hangout], dict[str, Any]],
    for_whom: Callable[[HangoutAccess], HangoutAccess] = HangoutAccess.manageable,
) -> Hangout:
    access = for_whom(await open_hangout(ctx, hangout_id))
    after = replace(access.hangout, **change(access.hangout))
    if after == access.hangout:
        return after  # said twice, it is no edit that others would have to know of
    after = replace(after, updated_at=iso(ctx.now))
    return await save_edit(ctx, access, after)


@retry
async def delete_hangout(ctx: Context, hangout_id: str) -> None:
    """Deletes a hangout with its pointers; what people added is cleared up after that."""
    access = (await open_hangout(ctx, hangout_id)).manageable()
    await ctx.store.write(*deletion_writes(access.hangout), *access.still_allowed)

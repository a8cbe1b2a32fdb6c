"""Edits of a hangout: what it says, its groups, and who is invited; pointers follow at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.find_account import find_account
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound, RateLimited
from commonroom.hangouts.rules import hangouts as rules
from commonroom.hangouts.rules.attendance import attendance_of, change_limit
from commonroom.hangouts.service.access import HangoutAccess, audience_of, open_hangout, retry
from commonroom.hangouts.service.attendance import with_attendance
from commonroom.hangouts.service.fields import hangout_fields
from commonroom.hangouts.service.places import keep_place
from commonroom.hangouts.service.pointers import save_edit
from commonroom.hangouts.tables import FriendGroup, GroupMembership, Hangout
from commonroom.ids import is_id
from commonroom.moments import iso
from commonroom.store import Ref, Write, check, stored

INVITING_ONE_PERSON = Limit("hangout-inviting-one", 5, 24 * 3600)
"""Whom one shares nothing with is found by their address: five invitations a day, from each."""
INVITED_OFTEN = (
    "You have invited this person several times today. "
    "Invite them again tomorrow, or send them a link."
)


class StaleVersion(Conflict):
    """The hangout was changed since the editor read it."""

    title = "This has changed in the meantime"


@retry
async def change_hangout(
    ctx: Context, hangout_id: str, given: Mapping[str, Any], *, version: int
) -> Hangout:
    """Changes what is given and leaves the rest; None clears a field.

    An edit of another version is refused, and nothing is changed. Two reads and one write,
    and one read more for other groups, for another place that is kept, and for hidden notes.
    """
    cleaned = hangout_fields(given, ctx.person.time_zone, ctx.now)

    access = (await open_hangout(ctx, hangout_id)).editable()
    before = access.hangout
    check_version(before, version)
    fields, used = await keep_place(ctx, cleaned, access)
    wanted = replace(before, **fields)
    if wanted == before:
        return before
    groups, held = await _groups_of(ctx, access, wanted)
    audience = audience_of(wanted, groups)
    after = edited(before, {**fields, "audience": audience}, ctx.now)
    return await save_edit(ctx, access, after, *held, *used)


def check_version(hangout: Hangout, version: int) -> None:
    """Refuses an edit of another version."""
    if hangout.version != version:
        raise StaleVersion(
            "Somebody changed this hangout since you opened it.", version=hangout.version
        )


def edited(before: Hangout, fields: Mapping[str, Any], now: float) -> Hangout:
    """A hangout with other fields and what follows from them; itself where nothing changes."""
    after = replace(before, **fields)
    if after.visibility == "PUBLIC" and after.guest_link is not None:
        # It is for what is not public anyway.
        after = replace(after, guest_link=replace(after.guest_link, is_open=False))
    if after == before:
        return before
    after = replace(after, updated_at=iso(now))
    return with_attendance(after, now, change_limit(attendance_of(after), after.place_limit))


async def _groups_of(
    ctx: Context, access: HangoutAccess, after: Hangout
) -> tuple[Sequence[FriendGroup], list[Write]]:
    """The groups of an edited hangout, and that its maker and its editor are in the new ones."""
    before = access.hangout
    if after.group_ids == before.group_ids:
        return access.groups, []
    access.manageable()
    added = [one for one in after.group_ids if one not in before.group_ids]
    people = list(dict.fromkeys([before.created_by, ctx.person.user_id]))
    members = [(group, user) for group in added if is_id(group) for user in people]
    refs: list[Ref[Any]] = [FriendGroup.at(group_id=one) for one in added if is_id(one)]
    refs += [GroupMembership.at(group_id=group, user_id=user) for group, user in members]
    read = await ctx.store.batch_get(refs)
    if None in read or len(refs) < len(added) * (1 + len(people)):
        raise InvalidField("group_ids", "You are not a member of this group.")
    groups = [one for one in read if isinstance(one, FriendGroup)]
    memberships = [one for one in read if isinstance(one, GroupMembership)]
    kept = [one for one in access.groups if one.group_id in after.group_ids]
    held = [check(one, if_=stored) for one in memberships]
    return [*kept, *groups], held


async def invite(ctx: Context, hangout_id: str, email: str, *, asked_from: str = "") -> Hangout:
    """Invites a person with an account directly, by their e-mail address.

    They are told of it, so it is counted for the two of them, once however often it is attempted.
    """
    found: User | None = None
    is_counted = False

    @retry
    async def attempt() -> Hangout:
        nonlocal found, is_counted
        access = (await open_hangout(ctx, hangout_id)).editable()
        before = access.hangout
        if len(before.invited_user_ids) > rules.MAX_INVITED:
            raise Conflict(f"At most {rules.MAX_INVITED} people can be invited directly.")
        # Last, so that nobody finds out who has an account where nobody can be invited.
        guest = found = found or await find_account(ctx, email, asked_from=asked_from)
        if guest.user_id in before.invited_user_ids:
            return before
        if not is_counted:
            await _count_invitation(ctx, guest)
            is_counted = True
        invited = [*before.invited_user_ids, guest.user_id]
        return await _write_invited(ctx, access, invited, check(guest, if_=stored))

    return await attempt()


async def _count_invitation(ctx: Context, guest: User) -> None:
    try:
        pair = f"{ctx.person.user_id} {guest.user_id}"
        await count_try(ctx.store, ctx.now, INVITING_ONE_PERSON, pair)
    except RateLimited as limited:
        raise RateLimited(limited.retry_after, INVITED_OFTEN) from None


@retry
async def uninvite(ctx: Context, hangout_id: str, user_id: str) -> Hangout:
    """Takes a direct invitation back; everybody can take their own back."""
    access = await open_hangout(ctx, hangout_id)
    before = access.hangout
    if user_id != ctx.person.user_id:
        access.manageable()
    if user_id not in before.invited_user_ids:
        raise NotFound("They are not invited directly.")
    if user_id == before.created_by:
        raise Forbidden("Whoever made a hangout stays on it.")
    left = [one for one in before.invited_user_ids if one != user_id]
    return await _write_invited(ctx, access, left)


async def _write_invited(
    ctx: Context, access: HangoutAccess, invited: list[str], *held: Write
) -> Hangout:
    after = replace(access.hangout, invited_user_ids=invited, updated_at=iso(ctx.now))
    after = replace(after, audience=audience_of(after, access.groups))
    return await save_edit(ctx, access, after, *held)

"""Invite codes: made by members, looked at by anybody who has one, and what they let people do."""

from __future__ import annotations

import secrets

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service.throttle import Counted, Limit, guessing
from commonroom.date_bounds import check_moment
from commonroom.errors import Conflict, Gone, InvalidField, NotFound
from commonroom.hangouts.rules import groups as rules
from commonroom.hangouts.service.access import GroupAccess, open_group, retry
from commonroom.hangouts.service.ended_links import notice_writes
from commonroom.hangouts.service.members import codes_of, join_writes, read_person
from commonroom.hangouts.tables import FriendGroup, GroupMembership, InviteCode
from commonroom.moments import in_utc, iso, seconds
from commonroom.store import (
    Store,
    Write,
    absent,
    as_read,
    below,
    check,
    create,
    delete,
    equal,
    update,
)

CODES_BY_PERSON = Limit("group-code-person", 20, 20 * 300, first_wait=15)
CODES_FROM_ADDRESS = Limit("group-code-address", 20, 20 * 300, first_wait=15)
"""Wrong ones: a good one may be looked at as often as one likes."""


class GroupPreview(Struct, frozen=True):
    """What the holder of a code sees of its group; of a private one, only that it is private."""

    code: str
    group_id: str
    is_public: bool
    group_name: str | None
    member_count: int | None
    is_full: bool


async def see_codes(ctx: Context, group_id: str) -> tuple[GroupAccess, list[InviteCode]]:
    """Returns a group with its valid codes, newest first: two requests."""
    access = await open_group(ctx, group_id)
    found = await codes_of(ctx.store, access.group)
    good = [one for one in found if rules.is_good(one, ctx.now)]
    return access, sorted(good, key=lambda one: one.created_at, reverse=True)


@retry
async def create_code(
    ctx: Context, group_id: str, *, expires_at: str | None = None, single_use: bool = False
) -> InviteCode:
    """Creates a code that lets people into a group; those that no longer do so make room for it."""
    code = InviteCode(
        code="".join(secrets.choice(rules.CODE_SIGNS) for _ in range(rules.CODE_LENGTH)),
        group_id=group_id,
        created_by=ctx.person.user_id,
        created_at=iso(ctx.now),
        expires_at=_expiry(expires_at, ctx.now),
        single_use=single_use,
    )

    access = await open_group(ctx, group_id)
    group = access.group
    spent = [one for one in await codes_of(ctx.store, group) if not rules.is_good(one, ctx.now)]
    gone = {one.code for one in spent}
    kept = [one for one in group.invite_codes if one not in gone]
    if len(kept) >= rules.MAX_CODES:
        raise Conflict(f"A group has at most {rules.MAX_CODES} invite links. Turn one off first.")
    same = as_read(group, "invite_codes")
    await ctx.store.write(
        create(code),
        *(delete(one) for one in spent),
        update(group.ref, invite_codes=[*kept, code.code], if_=same),
        access.still_member,
    )
    return code


@retry
async def revoke_code(ctx: Context, group_id: str, typed: str) -> None:
    """Ends a code; its maker and the group's admins may."""
    code = rules.read_code(typed)

    refs = [] if code is None else [InviteCode.at(code=code)]
    access = await open_group(ctx, group_id, also=refs)
    found = access.also[0] if refs else None
    if found is None or found.group_id != group_id:
        raise NotFound("This invite link is already off.")
    refusal = "Only admins, and whoever made this link, can turn it off."
    held = access.still_may(found.created_by, refusal)
    left = [one for one in access.group.invite_codes if one != code]
    same = as_read(access.group, "invite_codes")
    makers = [found.created_by] if rules.is_good(found, ctx.now) else []
    await ctx.store.write(
        delete(found),
        update(access.group.ref, invite_codes=left, if_=same),
        held,
        *notice_writes(ctx.now, makers, ctx.person.user_id, group_id=group_id),
    )


async def preview(store: Store, now: float, typed: str, *, asked_from: str) -> GroupPreview:
    """Returns what anybody may see who has a code; wrong ones can only be tried so often."""
    code, group = await _find(store, now, typed, (CODES_FROM_ADDRESS, asked_from))
    rules.check_code(code, now)
    shown = group if group.is_public else None
    return GroupPreview(
        code=code.code,
        group_id=group.group_id,
        is_public=group.is_public,
        group_name=None if shown is None else shown.group_name,
        member_count=None if shown is None else shown.member_count,
        is_full=group.member_count >= rules.MAX_MEMBERS,
    )


@retry
async def join(ctx: Context, typed: str) -> FriendGroup:
    """Joins the group of a code; a member stays one."""
    found, group = await _find(ctx.store, ctx.now, typed, (CODES_BY_PERSON, ctx.person.user_id))
    mine = GroupMembership.at(group_id=found.group_id, user_id=ctx.person.user_id)
    if await ctx.store.get(mine) is not None:
        return group
    rules.check_code(found, ctx.now)
    if group.member_count >= rules.MAX_MEMBERS:
        raise Conflict(f"A group has at most {rules.MAX_MEMBERS} members.")
    user, person = await read_person(ctx)
    await ctx.store.write(
        check(group, if_=equal(group_name=group.group_name)),
        *join_writes(ctx.now, group, user, person),
        _use(found, ctx.now),
    )
    return group


async def signup_checks(store: Store, now: float, typed: str) -> list[Write]:
    """Returns what a sign-up with a code requires: that it is good, and that there is room."""
    found, group = await _read(store, typed)
    rules.check_code(found, now)
    if group.member_count >= rules.MAX_MEMBERS:
        raise Gone("This group is full.")
    still_good = equal(group_id=found.group_id)
    if found.single_use:
        still_good = still_good & absent("used_at")
    room = check(group, if_=below(member_count=rules.MAX_MEMBERS))
    return [check(found, if_=still_good), room]


async def _find(
    store: Store, now: float, typed: str, counted: Counted
) -> tuple[InviteCode, FriendGroup]:
    async with guessing(store, now, counted, wrong=NotFound):
        return await _read(store, typed)


async def _read(store: Store, typed: str) -> tuple[InviteCode, FriendGroup]:
    """Returns a code and its group: two requests."""
    code = rules.read_code(typed)
    found = None if code is None else await store.get(InviteCode.at(code=code))
    group = None if found is None else await store.get(FriendGroup.at(group_id=found.group_id))
    if found is None or group is None:
        raise NotFound("No group has this code.")
    return found, group


def _use(code: InviteCode, now: float) -> Write:
    """Returns the check that a code still lets a person in, and was used where it does so once."""
    if code.single_use:
        return update(code.ref, used_at=iso(now), if_=absent("used_at"))
    return check(code, if_=equal(group_id=code.group_id))


def _expiry(given: str | None, now: float) -> str | None:
    if given is None:
        return None
    try:
        moment = in_utc(given)
    except ValueError:
        raise InvalidField("expires_at", "Enter a moment with its offset.") from None
    if moment <= iso(now):
        raise InvalidField("expires_at", "Choose a moment in the future.")
    check_moment("expires_at", seconds(moment), now)
    return moment

"""Invites: links with which others come into a household."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest, is_digest, new_secret
from commonroom.errors import CommonroomError, Conflict, Forbidden, Gone, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import (
    ENDED_INVITE_SECONDS,
    INVITE_DAYS,
    MAX_INVITES,
    MAX_MEMBERS,
    invite_ids,
    invite_status,
    is_invite_shown,
    is_valid,
    with_current_invite_status,
)
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import HouseholdContext, touch_household
from commonroom.movienight.service.members import (
    add_membership,
    household_full,
    join_refusal,
    set_household,
)
from commonroom.movienight.tables import (
    Household,
    Invite,
    invite_by_id,
    invite_by_token,
    invites_of_group,
)
from commonroom.store import (
    Condition,
    ConditionFailed,
    Ref,
    Store,
    Write,
    above,
    add,
    below,
    check,
    create,
    equal,
    put,
    update,
)

DAY_SECONDS = 24 * 3600
MAX_TOKEN = 100


class InviteExpired(Gone):
    """An invite that was used up or revoked, or has run out."""

    title = "This invitation no longer works"


class NewInvite(Struct, frozen=True):
    """An invite as it is when it is made: the only time that anybody has its secret."""

    invite: Invite
    token: str
    """What its link holds."""


class HouseholdPreview(Struct, frozen=True):
    """What anybody may see who has a link."""

    name: str
    size: int
    full: bool


@retry
async def create_invite(ctx: HouseholdContext) -> NewInvite:
    """Creates a link for several people, which the creator makes; valid for a week."""
    _check_creator(ctx)

    token = new_secret()
    invite_id, before = await _free_place(ctx.store, ctx.now, ctx.group_id)
    made = _new_invite(ctx, invite_id, token)
    try:
        await ctx.store.write(touch_household(ctx, by_creator=True), _put_in_place(made, before))
    except ConditionFailed as failed:
        if failed.index == 0:
            raise _not_creator() from None
        raise
    return NewInvite(made, token)


async def list_invites(ctx: HouseholdContext) -> list[Invite]:
    """Returns the household's invites as they are now, the newest first: one request.

    For its creator: those that work, and for 24 hours those that have ended.
    """
    _check_creator(ctx)
    found = await ctx.store.page(invites_of_group(group_id=ctx.group_id))
    now = [with_current_invite_status(one, ctx.now) for one in found.items]
    return [one for one in now if is_invite_shown(one, ctx.now)]


async def revoke_invite(ctx: HouseholdContext, invite_id: str) -> None:
    """Ends an invite; one that has ended stays so."""
    _check_creator(ctx)
    found = (
        await ctx.store.get(invite_by_id(invite_id=invite_id)) if _is_valid_id(invite_id) else None
    )
    if found is None or found.group_id != ctx.group_id:
        raise _no_such_invite()
    if not is_valid(found, ctx.now):
        return
    revoked = update(
        found.ref,
        status="revoked",
        ended_at=iso(ctx.now),
        if_=_is_still_good(ctx.now, found),
    )
    try:
        await ctx.store.write(touch_household(ctx, by_creator=True), revoked)
    except ConditionFailed as failed:
        if failed.index == 0:
            raise _not_creator() from None
        now: Invite | None = failed.entity
        if now is None or now.invite_token != found.invite_token:
            raise _no_such_invite() from None
        # Its last person came, or another person revoked it, in this moment.


async def preview(store: Store, now: float, token: str) -> HouseholdPreview:
    """Returns what anybody with the link may see of the household."""
    return preview_of(await get_invited_household(store, now, token))


async def get_invited_household(store: Store, now: float, token: str) -> Household:
    """Returns the household that a link is for; of this, strangers are shown only a preview."""
    _, group = await _invite_with(store, now, token)
    return group


def preview_of(group: Household) -> HouseholdPreview:
    """Returns a household as strangers see it."""
    return HouseholdPreview(group.name, group.member_count, full=group.member_count >= MAX_MEMBERS)


@retry
async def join(ctx: Context, token: str) -> Household:
    """Brings a person into the household that the link is for.

    Taking its last place uses the link up, in the same transaction.
    """
    if ctx.person.is_managed:
        raise Forbidden("A managed member is added by the person who manages them.")

    found, group = await _invite_with(ctx.store, ctx.now, token)
    if found.status == "accepted":
        raise household_full()
    try:
        await ctx.store.write(*_join_writes(ctx, found, group))
    except ConditionFailed as failed:
        if _may_have_changed(failed):
            raise
        raise _join_refusal(failed) from None
    joined = await ctx.store.get(group.ref)
    if joined is None:
        raise _invite_expired()  # deleted in the next moment, with everybody in it
    return joined


def _join_writes(ctx: Context, found: Invite, group: Household) -> list[Write]:
    """Returns the writes that let a person in: the invite ends where nobody fits in after them."""
    is_last = group.member_count == MAX_MEMBERS - 1
    changes = {"status": "accepted", "ended_at": iso(ctx.now)} if is_last else {}
    as_many = (equal if is_last else below)(member_count=MAX_MEMBERS - 1)
    return [
        update(found.ref, uses=add(1), **changes, if_=_is_still_good(ctx.now, found)),
        set_household(ctx.person, group.group_id),
        *add_membership(ctx.now, group.group_id, ctx.person, if_=as_many),
    ]


def _may_have_changed(failed: ConditionFailed) -> bool:
    """Returns whether the invite ended or the number of members changed since they were read."""
    if failed.operation.entity_type is Invite:
        return True
    group = failed.entity if failed.operation.entity_type is Household else None
    return group is not None and group.member_count < MAX_MEMBERS


async def signup_checks(store: Store, now: float, token: str) -> list[Write]:
    """Returns what a sign-up with the link requires: that it is good, and that there is room."""
    found, group = await _invite_with(store, now, token)
    room = check(group.ref, if_=below(member_count=MAX_MEMBERS))
    return [check(found.ref, if_=_is_still_good(now, found)), room]


async def _free_place(store: Store, now: float, group_id: str) -> tuple[str, Invite | None]:
    """An id for one more invite; that of the one that ended first where all were given before."""
    ids = invite_ids(group_id)
    taken = await store.batch_get([Invite.at(invite_id=one) for one in ids])
    for invite_id, found in zip(ids, taken, strict=True):
        if found is None:
            return invite_id, None
    ended = [one for one in taken if one is not None and not is_valid(one, now)]
    if ended:
        first = min(ended, key=lambda one: one.ended_at or one.expires_at)
        return first.invite_id, first
    raise Conflict(
        f"This household already has {MAX_INVITES} active invitations. Revoke one first, "
        "or wait until one expires."
    )


def _put_in_place(made: Invite, before: Invite | None) -> Write:
    if before is None:
        return create(made)
    # One that has ended stays so: that it is still the same one is all that must hold.
    return put(made, if_=equal(invite_token=before.invite_token))


def _new_invite(ctx: HouseholdContext, invite_id: str, token: str) -> Invite:
    expires = ctx.now + INVITE_DAYS * DAY_SECONDS
    return Invite(
        invite_id=invite_id,
        group_id=ctx.group_id,
        created_by=ctx.member_id,
        invite_token=digest(token),
        created_at=iso(ctx.now),
        expires_at=iso(expires),
        ttl=int(expires) + ENDED_INVITE_SECONDS,
    )


async def _invite_with(store: Store, now: float, token: str) -> tuple[Invite, Household]:
    """Returns the invite of a link, by its digest, and its household: two requests, or three.

    Tokens of earlier versions are stored as they are. One that is used up is shown to be so as
    long as the household is full, and has ended once it is not.
    """
    if not _is_valid_id(token):
        raise _no_such_invite()
    found = await _stored_as(store, digest(token))
    # A reader of a digest has no link: it is no secret of an earlier version.
    if found is None and not is_digest(token):
        found = await _stored_as(store, token)
    if found is None:
        raise _no_such_invite()
    invite, group = found
    if group is None:
        raise _invite_expired()
    status = invite_status(invite, now)
    is_full = group.member_count >= MAX_MEMBERS
    if status == "pending" or (status == "accepted" and is_full):
        return invite, group
    raise _invite_used_up() if status == "accepted" else _invite_expired()


async def _stored_as(store: Store, stored_token: str) -> tuple[Invite, Household | None] | None:
    """Returns an invite and its household as they are now; an index may show it as it was."""
    known = await store.first(invite_by_token(invite_token=stored_token))
    if known is None:
        return None
    refs: list[Ref[Any]] = [known.ref, Household.at(group_id=known.group_id)]
    invite, group = await store.batch_get(refs)
    return None if invite is None or invite.invite_token != stored_token else (invite, group)


def _is_still_good(now: float, found: Invite) -> Condition:
    same = equal(status="pending", invite_token=found.invite_token)
    return same & above(expires_at=iso(now))


def _join_refusal(failed: ConditionFailed) -> CommonroomError:
    is_gone = failed.operation.entity_type is Household and failed.item is None
    return _invite_expired() if is_gone else join_refusal(failed)


def _check_creator(ctx: HouseholdContext) -> None:
    if not ctx.is_creator:
        raise _not_creator()


def _is_valid_id(text: str) -> bool:
    # It comes from an address, and a key takes only so much.
    return 0 < len(text) <= MAX_TOKEN and text.isascii()


def _not_creator() -> Forbidden:
    return Forbidden("Only the household’s creator can invite others.")


def _no_such_invite() -> NotFound:
    return NotFound("This invitation does not exist. The link may be incomplete.")


def _invite_expired() -> InviteExpired:
    return InviteExpired("This invitation was revoked or has expired. Ask for a new one.")


def _invite_used_up() -> InviteExpired:
    return InviteExpired("This invitation was used up. Ask for a new one.")

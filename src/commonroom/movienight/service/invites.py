"""Invites: links with which others come into a household."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest, is_digest, new_secret
from commonroom.errors import CommonroomError, Conflict, Forbidden, Gone, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import (
    INVITE_DAYS,
    MOST_INVITES,
    MOST_MEMBERS,
    invite_ids,
    is_valid,
)
from commonroom.movienight.service import retry
from commonroom.movienight.service.members import add_membership, join_refusal, set_household
from commonroom.movienight.service.seats import Seat, touch_household
from commonroom.movienight.tables import (
    Group,
    Invite,
    group_by_id,
    invite_by_id,
    invite_by_token,
    invites_of_group,
)
from commonroom.store import (
    Condition,
    ConditionFailed,
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

DAY = 24 * 3600
LONGEST_TOKEN = 100


class InviteExpired(Gone):
    """An invite that was revoked or has run out."""

    title = "This invitation no longer works"


class NewInvite(Struct, frozen=True):
    """An invite as it is when it is made: the only time that anybody has its secret."""

    invite: Invite
    token: str
    """What its link holds."""


class Preview(Struct, frozen=True):
    """What anybody may see who has a link."""

    name: str
    size: int
    full: bool


async def create_invite(seat: Seat) -> NewInvite:
    """A link for several people, which the creator makes; valid for a week."""
    _check_creator(seat)

    async def attempt() -> NewInvite:
        token = new_secret()
        invite_id, before = await _free_place(seat.store, seat.now, seat.group_id)
        made = _new_invite(seat, invite_id, token)
        try:
            await seat.store.write(
                touch_household(seat, by_creator=True), _put_in_place(made, before)
            )
        except ConditionFailed as failed:
            if failed.index == 0:
                raise _not_creator() from None
            raise
        return NewInvite(made, token)

    return await retry(attempt)


async def list_invites(seat: Seat) -> list[Invite]:
    """The household's invites that are good, newest first, for its creator: one request."""
    _check_creator(seat)
    found = await seat.store.page(invites_of_group(group_id=seat.group_id))
    return [one for one in found.items if is_valid(one, iso(seat.now))]


async def revoke_invite(seat: Seat, invite_id: str) -> None:
    """Ends an invite; one that has ended stays so."""
    _check_creator(seat)
    found = (
        await seat.store.get(invite_by_id(invite_id=invite_id)) if _is_valid_id(invite_id) else None
    )
    if found is None or found.group_id != seat.group_id:
        raise _no_such_invite()
    try:
        await seat.store.write(
            touch_household(seat, by_creator=True),
            update(found.ref, status="revoked", if_=equal(invite_token=found.invite_token)),
        )
    except ConditionFailed as failed:
        raise (_not_creator() if failed.index == 0 else _no_such_invite()) from None


async def preview(store: Store, now: float, token: str) -> Preview:
    """What anybody with the link may see of the household."""
    return preview_of(await get_invited_household(store, now, token))


async def get_invited_household(store: Store, now: float, token: str) -> Group:
    """The household that a link is for; of this, strangers are shown only a preview."""
    found = await _invite_with(store, now, token)
    group = await store.get(group_by_id(group_id=found.group_id))
    if group is None:
        raise _invite_expired()
    return group


def preview_of(group: Group) -> Preview:
    """A household as strangers see it."""
    return Preview(group.name, group.member_count, full=group.member_count >= MOST_MEMBERS)


async def join(ctx: Context, token: str) -> Group:
    """Brings a person into the household that the link is for."""
    if ctx.person.is_managed:
        raise Forbidden("A managed member is added by the person who manages them.")
    found = await _invite_with(ctx.store, ctx.now, token)
    try:
        await ctx.store.write(
            update(found.ref, uses=add(1), if_=_is_still_good(ctx.now, found)),
            set_household(ctx.person, found.group_id),
            *add_membership(ctx.now, found.group_id, ctx.person),
        )
    except ConditionFailed as failed:
        raise _not_joined(failed) from None
    joined = await ctx.store.get(group_by_id(group_id=found.group_id))
    if joined is None:
        raise _invite_expired()  # deleted in the next moment, with everybody in it
    return joined


async def signup_checks(store: Store, now: float, token: str) -> list[Write]:
    """What lets somebody sign up with the link: that it is good, and that there is room."""
    found = await _invite_with(store, now, token)
    room = check(Group.at(group_id=found.group_id), if_=below(member_count=MOST_MEMBERS))
    return [check(found.ref, if_=_is_still_good(now, found)), room]


async def _free_place(store: Store, now: float, group_id: str) -> tuple[str, Invite | None]:
    """An id for one more invite, and the ended one that has it where all were given before."""
    ids = invite_ids(group_id)
    taken = await store.batch_get([Invite.at(invite_id=one) for one in ids])
    for invite_id, found in zip(ids, taken, strict=True):
        if found is None:
            return invite_id, None
    for found in taken:
        if found is not None and not is_valid(found, iso(now)):
            return found.invite_id, found
    raise Conflict(
        f"This household already has {MOST_INVITES} active invitations. Revoke one first, "
        "or wait until one expires."
    )


def _put_in_place(made: Invite, before: Invite | None) -> Write:
    if before is None:
        return create(made)
    # One that has ended stays so: that it is still the same one is all that must hold.
    return put(made, if_=equal(invite_token=before.invite_token))


def _new_invite(seat: Seat, invite_id: str, token: str) -> Invite:
    expires = seat.now + INVITE_DAYS * DAY
    return Invite(
        invite_id=invite_id,
        group_id=seat.group_id,
        created_by=seat.member_id,
        invite_token=digest(token),
        created_at=iso(seat.now),
        expires_at=iso(expires),
        ttl=int(expires) + DAY,
    )


async def _invite_with(store: Store, now: float, token: str) -> Invite:
    """The invite of a link, by its digest; those of earlier versions are stored as they are."""
    if not _is_valid_id(token):
        raise _no_such_invite()
    found = await _stored_as(store, digest(token))
    # Whoever has read a digest has no link: it is no secret of an earlier version.
    if found is None and not is_digest(token):
        found = await _stored_as(store, token)
    if found is None:
        raise _no_such_invite()
    if not is_valid(found, iso(now)):
        raise _invite_expired()
    return found


async def _stored_as(store: Store, stored_token: str) -> Invite | None:
    """An invite as it is now; an index may show it as it was."""
    known = await store.first(invite_by_token(invite_token=stored_token))
    found = None if known is None else await store.get(known.ref)
    return found if found is not None and found.invite_token == stored_token else None


def _is_still_good(now: float, found: Invite) -> Condition:
    same = equal(status="pending", invite_token=found.invite_token)
    return same & above(expires_at=iso(now))


def _not_joined(failed: ConditionFailed) -> CommonroomError:
    kind = failed.operation.entity_type
    lost = kind is Invite or (kind is Group and failed.item is None)
    return _invite_expired() if lost else join_refusal(failed)


def _check_creator(seat: Seat) -> None:
    if not seat.is_creator:
        raise _not_creator()


def _is_valid_id(text: str) -> bool:
    # It comes from an address, and a key takes only so much.
    return 0 < len(text) <= LONGEST_TOKEN and text.isascii()


def _not_creator() -> Forbidden:
    return Forbidden("Only the household’s creator can invite others.")


def _no_such_invite() -> NotFound:
    return NotFound("This invitation does not exist. The link may be incomplete.")


def _invite_expired() -> InviteExpired:
    return InviteExpired("This invitation was revoked or has expired. Ask for a new one.")

"""Guests: who has a hangout's link sees it without an account, answers, and changes that later."""

from __future__ import annotations

import secrets
from hmac import compare_digest
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.rules import MAX_NAME
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.hangouts.rules import rsvps as rules
from commonroom.hangouts.service.access import access_to, find_hangout, open_hangout, retry
from commonroom.hangouts.service.attendance import RsvpChange, rsvp_writes
from commonroom.hangouts.service.detail import HangoutThings, read_things
from commonroom.hangouts.service.ended_links import notice_writes
from commonroom.hangouts.service.pointers import save_edit
from commonroom.hangouts.service.rsvps import check_open
from commonroom.hangouts.tables import GuestLink, GuestRsvp, Hangout, Rsvp, RsvpStatus
from commonroom.ids import is_id
from commonroom.moments import iso
from commonroom.sealed_tokens import SignedTokens
from commonroom.store import Store, Write
from commonroom.texts import fit_line

PURPOSE = "guest links of hangouts"
"""What the installation's secret is derived for."""
ANSWERS_FROM_ADDRESS = Limit("hangout-guest-address", 60, 3600)
MAX_TOKEN = 200


class NoSuchRsvp(NotFound):
    """The refusal for an answer that is gone, or never was."""

    def __init__(self) -> None:
        super().__init__("This answer does not exist any more.")


class OwnHangout(Conflict):
    """The refusal for a guest answer of a person who has the hangout, and answers as themselves."""

    title = "Answer as yourself"


class GuestLinks:
    """Makes and reads guest links, with a key that all servers of an installation share.

    A link does not change between views, and nothing of it is stored but its number.
    """

    def __init__(self, key: bytes) -> None:
        self._tokens = SignedTokens(key)

    def token(self, hangout: Hangout) -> str | None:
        """Returns what a hangout's link is made of; None where it has none."""
        link = hangout.guest_link
        if link is None or not link.is_open:
            return None
        return self._tokens.sign(f"{hangout.hangout_id} {link.number}")

    def read(self, token: str) -> tuple[str, int] | None:
        """Returns which hangout a link is of, and its number; None where it is none of ours."""
        text = self._tokens.open(token) if len(token) <= MAX_TOKEN else None
        if text is None:
            return None
        hangout_id, _, number = text.rpartition(" ")
        return hangout_id, int(number)


class GuestLinkVisitor(Struct, frozen=True):
    """A visitor who comes with a guest link."""

    store: Store
    links: GuestLinks
    now: float
    token: str
    address: str = ""
    """Where they ask from."""
    account: User | None = None
    """Whose account it is, where they are signed in."""


class TypedGuestRsvp(Struct, kw_only=True):
    """An RSVP as entered by a guest, or for them."""

    name: Annotated[str, Meta(max_length=1000, description="At most 30 characters.")]
    status: RsvpStatus
    note: rules.Note | None = None
    plus_guests: rules.PlusGuests = 0


class GuestRsvpOutcome(Struct, frozen=True):
    """A guest's answer as it was written, and the hangout with it."""

    hangout: Hangout
    rsvp: GuestRsvp
    change_code: str | None = None
    """What changes it later, shown once; None where it was known before, or nobody has one."""
    link_ended: bool = False
    """Whether the guest link ended with the answer."""

    @property
    def is_waiting(self) -> bool:
        """Whether they wait for a place."""
        return any(one.answer_id == self.rsvp.guest_id for one in self.hangout.waiting)


@retry
async def set_guest_link(
    ctx: Context, hangout_id: str, *, is_open: bool, shows_people: bool = True
) -> Hangout:
    """Opens a hangout to visitors with its link, or closes it; one opened anew has another link."""
    access = (await open_hangout(ctx, hangout_id)).manageable()
    before = access.hangout
    if is_open and before.visibility == "PUBLIC":
        raise Conflict("Only a hangout by invitation has a guest link.")
    link = before.guest_link or GuestLink(number=0, is_open=False)
    me, is_new = ctx.person.user_id, is_open and not link.is_open
    wanted = GuestLink(
        number=link.number + 1 if is_new else link.number,
        is_open=is_open,
        shows_people=shows_people,
        made_by=me if is_new else link.made_by,
    )
    if wanted == before.guest_link or (before.guest_link is None and not is_open):
        return before
    after = replace(before, guest_link=wanted, updated_at=iso(ctx.now))
    notices = _notices(ctx, before) if not is_open else []
    return await save_edit(ctx, access, after, *notices)


async def see_as_guest(visitor: GuestLinkVisitor) -> HangoutThings:
    """Returns a hangout for a visitor with its link: one request."""
    hangout_id, number = _read_token(visitor)
    try:
        things = await read_things(visitor.store, hangout_id)
    except NotFound:
        raise link_closed() from None
    _check_link(things.hangout, number)
    return things


async def maker_name(store: Store, things: HangoutThings) -> str | None:
    """Returns who invites, as their RSVP says or else their account; None where they have left."""
    hangout = things.hangout
    maker_id = hangout.created_by
    if maker_id not in hangout.invited_user_ids:
        return None
    known = (one.user_name for one in things.of(Rsvp) if one.user_id == maker_id)
    if name := next(known, None):
        return name
    maker = await store.get(User.at(user_id=maker_id))
    return None if maker is None else maker.display_name


async def answer_as_guest(visitor: GuestLinkVisitor, given: TypedGuestRsvp) -> GuestRsvpOutcome:
    """Answers with a name; the code that comes back changes it later."""
    await count_try(visitor.store, visitor.now, ANSWERS_FROM_ADDRESS, visitor.address or "unknown")
    secret = new_secret()

    @retry
    async def attempt() -> GuestRsvpOutcome:
        hangout = await _open(visitor)
        if await _has(visitor, hangout):  # as a guest, they would count twice
            detail = "You are invited yourself: answer in your hangouts."
            raise OwnHangout(detail, hangout_id=hangout.hangout_id)
        answered = await _add(
            visitor.store, visitor.now, hangout, given, change_hash=digest(secret)
        )
        return replace(answered, change_code=f"{answered.rsvp.guest_id}.{secret}")

    return await attempt()


async def own_hangout(visitor: GuestLinkVisitor) -> str | None:
    """Returns the hangout's id if the signed-in person has it without the link: two requests."""
    if visitor.account is None:
        return None
    hangout = await _open(visitor)
    return hangout.hangout_id if await _has(visitor, hangout) else None


async def own_rsvp(visitor: GuestLinkVisitor, change_code: str) -> GuestRsvpOutcome:
    """Returns the answer that a code changes: two requests."""
    hangout = await _open(visitor)
    return GuestRsvpOutcome(hangout, await _with_code(visitor.store, hangout, change_code))


@retry
async def change_as_guest(
    visitor: GuestLinkVisitor, change_code: str, given: TypedGuestRsvp | None
) -> GuestRsvpOutcome:
    """Changes the answer of a code, or takes it back: two reads and one write."""
    hangout = await _open(visitor)
    before = await _with_code(visitor.store, hangout, change_code)
    return await _change(visitor.store, visitor.now, hangout, before, given)


@retry
async def rsvp_for(ctx: Context, hangout_id: str, given: TypedGuestRsvp) -> GuestRsvpOutcome:
    """Answers for a person without an account, by name: for managers of the hangout."""
    access = (await open_hangout(ctx, hangout_id)).manageable()
    me, held = ctx.person.user_id, access.still_allowed
    return await _add(ctx.store, ctx.now, access.hangout, given, *held, entered_by=me)


@retry
async def change_for(
    ctx: Context, hangout_id: str, guest_id: str, given: TypedGuestRsvp | None
) -> GuestRsvpOutcome:
    """Changes or removes any answer without an account: for managers of the hangout.

    Who came by the guest link could come back by it: removing them ends it in the same write.
    """
    access = (await open_hangout(ctx, hangout_id)).manageable()
    before = await _find_rsvp(ctx.store, hangout_id, guest_id)
    hangout, me, held = access.hangout, ctx.person.user_id, access.still_allowed
    link = hangout.guest_link
    ends_link = given is None and before.entered_by is None and link is not None and link.is_open
    held += _notices(ctx, hangout) if ends_link else []
    return await _change(
        ctx.store, ctx.now, hangout, before, given, *held, by=me, ends_link=ends_link
    )


async def _add(
    store: Store, now: float, hangout: Hangout, given: TypedGuestRsvp, *held: Write, **known: Any
) -> GuestRsvpOutcome:
    check_open(hangout, now)
    if hangout.guest_count >= rules.MAX_GUEST_ANSWERS:
        raise Conflict(f"This hangout takes at most {rules.MAX_GUEST_ANSWERS} guest answers.")
    rsvp = GuestRsvp(
        **_fields(given),
        **known,
        hangout_id=hangout.hangout_id,
        guest_id=f"guest-{secrets.token_urlsafe(9)}",
        created_at=iso(now),
        updated_at=iso(now),
    )
    change = RsvpChange(rsvp.guest_id, None, rsvp)
    touched = replace(hangout, answered_at=iso(now), guest_count=hangout.guest_count + 1)
    after, writes = rsvp_writes(hangout, touched, now, [change], by=rsvp.entered_by)
    await store.write(*writes, *held)
    return GuestRsvpOutcome(after, rsvp)


async def _change(
    store: Store,
    now: float,
    hangout: Hangout,
    before: GuestRsvp,
    given: TypedGuestRsvp | None,
    *held: Write,
    by: str | None = None,
    ends_link: bool = False,
) -> GuestRsvpOutcome:
    link = hangout.guest_link
    if given is None:
        after = None
        if ends_link and link is not None:
            link = replace(link, is_open=False)
        touched = replace(hangout, guest_count=hangout.guest_count - 1, guest_link=link)
    else:
        check_open(hangout, now)
        after = replace(before, **_fields(given), updated_at=iso(now))
        touched = replace(hangout, answered_at=iso(now))
    change = RsvpChange(before.guest_id, before, after)
    changed, writes = rsvp_writes(hangout, touched, now, [change], by=by)
    await store.write(*writes, *held)
    return GuestRsvpOutcome(changed, after or before, link_ended=ends_link)


def _notices(ctx: Context, hangout: Hangout) -> list[Write]:
    """That the link's maker hears of its end; links of earlier versions do not name theirs."""
    link, me = hangout.guest_link, ctx.person.user_id
    if link is None or not link.is_open:
        return []
    maker = link.made_by or hangout.created_by
    return notice_writes(ctx.now, [maker], me, hangout_id=hangout.hangout_id)


def _fields(given: TypedGuestRsvp) -> dict[str, Any]:
    fields = rules.rsvp_fields(given.status, given.note, given.plus_guests)
    return {**fields, "name": fit_line("name", given.name, MAX_NAME)}


async def _open(visitor: GuestLinkVisitor) -> Hangout:
    """Returns the hangout of a link that still works: one request."""
    hangout_id, number = _read_token(visitor)
    try:
        hangout = await find_hangout(visitor.store, hangout_id)
    except NotFound:
        raise link_closed() from None
    _check_link(hangout, number)
    return hangout


async def _has(visitor: GuestLinkVisitor, hangout: Hangout) -> bool:
    if visitor.account is None:
        return False
    try:
        await access_to(Context(visitor.store, visitor.account, visitor.now), hangout)
    except NotFound:
        return False
    return True


def _read_token(visitor: GuestLinkVisitor) -> tuple[str, int]:
    found = visitor.links.read(visitor.token)
    if found is None:
        raise link_closed()
    return found


def _check_link(hangout: Hangout, number: int) -> None:
    link = hangout.guest_link
    if link is None or not link.is_open or link.number != number:
        raise link_closed()


async def _with_code(store: Store, hangout: Hangout, change_code: str) -> GuestRsvp:
    guest_id, _, secret = change_code.partition(".")
    found = await _find_rsvp(store, hangout.hangout_id, guest_id)
    if found.change_hash is None or not compare_digest(found.change_hash, digest(secret)):
        raise NoSuchRsvp
    return found


async def _find_rsvp(store: Store, hangout_id: str, guest_id: str) -> GuestRsvp:
    ref = GuestRsvp.at(hangout_id=hangout_id, guest_id=guest_id) if is_id(guest_id) else None
    found = None if ref is None else await store.get(ref)
    if found is None:
        raise NoSuchRsvp
    return found


def link_closed() -> NotFound:
    """Returns the refusal for a link that opens nothing, or nothing any more."""
    return NotFound("This link does not work any more. Ask whoever sent it for a new one.")

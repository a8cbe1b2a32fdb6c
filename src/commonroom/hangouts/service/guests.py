"""Guests: who has a hangout's link sees it without an account, answers, and changes that later."""

from __future__ import annotations

import secrets
from hmac import compare_digest
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.errors import Conflict, NotFound
from commonroom.hangouts.rules import rsvps as rules
from commonroom.hangouts.rules.ids import is_id
from commonroom.hangouts.service.access import find_hangout, open_hangout, retry
from commonroom.hangouts.service.attendance import AnswerChange, answer_writes
from commonroom.hangouts.service.detail import HangoutThings, read_things
from commonroom.hangouts.service.pointers import edit_writes
from commonroom.hangouts.service.rsvps import check_open
from commonroom.hangouts.tables import GuestLink, GuestRsvp, Hangout, RsvpStatus
from commonroom.moments import iso
from commonroom.sealed_tokens import SignedTokens
from commonroom.store import Store, Write

PURPOSE = "guest links of hangouts"
"""What the installation's secret is derived for."""
ANSWERS_FROM_ADDRESS = Limit("hangout-guest-address", 60, 3600)
LONGEST_TOKEN = 200


class GuestLinks:
    """Makes and reads guest links, with a key that all servers of an installation share.

    A link is the same whenever it is shown, and nothing of it is stored but its number.
    """

    def __init__(self, key: bytes) -> None:
        self._tokens = SignedTokens(key)

    def token(self, hangout: Hangout) -> str | None:
        """What a hangout's link is made of; None where it has none."""
        link = hangout.guest_link
        if link is None or not link.is_open:
            return None
        return self._tokens.sign(f"{hangout.hangout_id} {link.number}")

    def read(self, token: str) -> tuple[str, int] | None:
        """Which hangout a link is of, and its number; None where it is none of ours."""
        text = self._tokens.open(token) if len(token) <= LONGEST_TOKEN else None
        if text is None:
            return None
        hangout_id, _, number = text.rpartition(" ")
        return hangout_id, int(number)


class Visitor(Struct, frozen=True):
    """Whoever comes with a guest link."""

    store: Store
    links: GuestLinks
    now: float
    token: str
    address: str = ""
    """Where they ask from."""


class GuestAnswer(Struct, frozen=True, kw_only=True):
    """An answer as a guest gives it, or somebody for them."""

    name: str
    status: RsvpStatus
    note: str | None = None
    plus_guests: int = 0


class GuestAnswered(Struct, frozen=True):
    """A guest's answer as it was written, and the hangout with it."""

    hangout: Hangout
    rsvp: GuestRsvp
    change_code: str | None = None
    """What changes it later, shown once; None where it was known before, or nobody has one."""

    @property
    def is_waiting(self) -> bool:
        """Whether they wait for a place."""
        return any(one.answer_id == self.rsvp.guest_id for one in self.hangout.waiting)


async def set_guest_link(
    ctx: Context, hangout_id: str, *, is_open: bool, shows_people: bool = True
) -> Hangout:
    """Opens a hangout to whoever has its link, or closes it; one opened anew has another link."""

    async def attempt() -> Hangout:
        access = (await open_hangout(ctx, hangout_id)).manageable()
        before = access.hangout
        if is_open and before.visibility == "PUBLIC":
            raise Conflict("Only a hangout by invitation has a guest link.")
        link = before.guest_link or GuestLink(number=0, is_open=False)
        number = link.number + 1 if is_open and not link.is_open else link.number
        wanted = GuestLink(number=number, is_open=is_open, shows_people=shows_people)
        if wanted == before.guest_link or (before.guest_link is None and not is_open):
            return before
        after = replace(before, guest_link=wanted, updated_at=iso(ctx.now))
        changed, writes = edit_writes(before, after, by=ctx.person.user_id)
        await ctx.store.write(*writes, *access.still_allowed)
        return changed

    return await retry(attempt)


async def see_as_guest(visitor: Visitor) -> HangoutThings:
    """A hangout for whoever has its link: one request."""
    hangout_id, number = _read_token(visitor)
    try:
        things = await read_things(visitor.store, hangout_id)
    except NotFound:
        raise link_closed() from None
    _check_link(things.hangout, number)
    return things


async def answer_as_guest(visitor: Visitor, given: GuestAnswer) -> GuestAnswered:
    """Answers with a name; the code that comes back changes it later."""
    await count_try(visitor.store, visitor.now, ANSWERS_FROM_ADDRESS, visitor.address or "unknown")
    secret = new_secret()

    async def attempt() -> GuestAnswered:
        hangout = await _open(visitor)
        answered = await _add(
            visitor.store, visitor.now, hangout, given, change_hash=digest(secret)
        )
        return replace(answered, change_code=f"{answered.rsvp.guest_id}.{secret}")

    return await retry(attempt)


async def own_answer(visitor: Visitor, change_code: str) -> GuestAnswered:
    """The answer that a code changes: two requests."""
    hangout = await _open(visitor)
    return GuestAnswered(hangout, await _with_code(visitor.store, hangout, change_code))


async def change_as_guest(
    visitor: Visitor, change_code: str, given: GuestAnswer | None
) -> GuestAnswered:
    """Changes the answer of a code, or takes it back: two reads and one write."""

    async def attempt() -> GuestAnswered:
        hangout = await _open(visitor)
        before = await _with_code(visitor.store, hangout, change_code)
        return await _change(visitor.store, visitor.now, hangout, before, given)

    return await retry(attempt)


async def answer_for(ctx: Context, hangout_id: str, given: GuestAnswer) -> GuestAnswered:
    """Answers for somebody without an account, by name: for whoever manages the hangout."""

    async def attempt() -> GuestAnswered:
        access = (await open_hangout(ctx, hangout_id)).manageable()
        me, held = ctx.person.user_id, access.still_allowed
        return await _add(ctx.store, ctx.now, access.hangout, given, *held, entered_by=me)

    return await retry(attempt)


async def change_for(
    ctx: Context, hangout_id: str, guest_id: str, given: GuestAnswer | None
) -> GuestAnswered:
    """Changes or removes any answer without an account: for whoever manages the hangout."""

    async def attempt() -> GuestAnswered:
        access = (await open_hangout(ctx, hangout_id)).manageable()
        before = await _find_answer(ctx.store, hangout_id, guest_id)
        me, held = ctx.person.user_id, access.still_allowed
        return await _change(ctx.store, ctx.now, access.hangout, before, given, *held, by=me)

    return await retry(attempt)


async def _add(
    store: Store, now: float, hangout: Hangout, given: GuestAnswer, *held: Write, **known: Any
) -> GuestAnswered:
    check_open(hangout, now)
    if hangout.guest_count >= rules.MOST_GUEST_ANSWERS:
        raise Conflict(f"This hangout takes at most {rules.MOST_GUEST_ANSWERS} guest answers.")
    rsvp = GuestRsvp(
        **_fields(given),
        **known,
        hangout_id=hangout.hangout_id,
        guest_id=f"guest-{secrets.token_urlsafe(9)}",
        created_at=iso(now),
        updated_at=iso(now),
    )
    change = AnswerChange(rsvp.guest_id, None, rsvp)
    heard = replace(hangout, answered_at=iso(now), guest_count=hangout.guest_count + 1)
    after, writes = answer_writes(hangout, heard, now, [change], by=rsvp.entered_by)
    await store.write(*writes, *held)
    return GuestAnswered(after, rsvp)


async def _change(
    store: Store,
    now: float,
    hangout: Hangout,
    before: GuestRsvp,
    given: GuestAnswer | None,
    *held: Write,
    by: str | None = None,
) -> GuestAnswered:
    if given is None:
        after = None
        heard = replace(hangout, guest_count=hangout.guest_count - 1)
    else:
        check_open(hangout, now)
        after = replace(before, **_fields(given), updated_at=iso(now))
        heard = replace(hangout, answered_at=iso(now))
    change = AnswerChange(before.guest_id, before, after)
    changed, writes = answer_writes(hangout, heard, now, [change], by=by)
    await store.write(*writes, *held)
    return GuestAnswered(changed, after or before)


def _fields(given: GuestAnswer) -> dict[str, Any]:
    fields = rules.answer_fields(given.status, given.note, given.plus_guests)
    return {**fields, "name": rules.guest_name(given.name)}


async def _open(visitor: Visitor) -> Hangout:
    """The hangout of a link that still works: one request."""
    hangout_id, number = _read_token(visitor)
    try:
        hangout = await find_hangout(visitor.store, hangout_id)
    except NotFound:
        raise link_closed() from None
    _check_link(hangout, number)
    return hangout


def _read_token(visitor: Visitor) -> tuple[str, int]:
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
    found = await _find_answer(store, hangout.hangout_id, guest_id)
    if found.change_hash is None or not compare_digest(found.change_hash, digest(secret)):
        raise _no_such_answer()
    return found


async def _find_answer(store: Store, hangout_id: str, guest_id: str) -> GuestRsvp:
    place = GuestRsvp.at(hangout_id=hangout_id, guest_id=guest_id) if is_id(guest_id) else None
    found = None if place is None else await store.get(place)
    if found is None:
        raise _no_such_answer()
    return found


def link_closed() -> NotFound:
    """The refusal for a link that opens nothing, or nothing any more."""
    return NotFound("This link does not work any more. Ask whoever sent it for a new one.")


def _no_such_answer() -> NotFound:
    return NotFound("This answer does not exist any more.")

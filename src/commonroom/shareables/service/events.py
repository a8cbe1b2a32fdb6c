"""Answers to an event: giving, changing and withdrawing one, and who comes."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from commonroom.moments import iso
from commonroom.shareables.errors import NotYours
from commonroom.shareables.rules.events import (
    Response,
    TypedRsvp,
    check_answering,
    difference,
    rsvp_fields,
    sees_counts,
    sees_names,
)
from commonroom.shareables.service.answers import Code, answer_with, left_anew, replaced
from commonroom.shareables.service.gate import Opened
from commonroom.shareables.tables import Event, EventRsvp, rsvps
from commonroom.store import (
    Condition,
    Store,
    Write,
    add,
    below,
    create,
    delete,
    equal,
    put,
    update,
)

GUESTS_SHOWN = 100
ORDER: tuple[Response, ...] = ("going", "maybe", "notGoing")


class Guest(Struct, frozen=True):
    """An answer as others see it: never with its code."""

    name: str
    response: Response
    guest_count: int


class Guests(Struct, frozen=True):
    """A part of the answers, and where to go on."""

    guests: list[Guest]
    cursor: str | None


class Counts(Struct, frozen=True):
    """How many come."""

    going: int
    maybe: int
    not_going: int
    guests: int


async def answer(store: Store, now: float, gate: Opened[Event], typed: TypedRsvp) -> EventRsvp:
    """Answers an event; the answer's code is shown to whoever gave it, once."""
    fields = rsvp_fields(typed)

    def made(gate: Opened[Event], code: str) -> EventRsvp:
        return EventRsvp(
            short_id=gate.page.short_id,
            code=code,
            created_at=iso(now),
            updated_at=iso(now),
            ttl=gate.page.ttl,
            **fields,
        )

    def step(gate: Opened[Event], after: EventRsvp) -> list[Write]:
        most = gate.caller.limits.answers
        check_answering(now, gate.page, most)
        return [_counted(gate.page, None, after, most), create(after)]

    return await left_anew(store, now, gate, made, step)


async def my_answer(store: Store, now: float, gate: Opened[Event], code: Code) -> EventRsvp:
    """The answer that belongs to a code."""
    short_id = gate.page.short_id
    return await answer_with(
        store, now, gate, code, lambda one: EventRsvp.at(short_id=short_id, code=one)
    )


async def change_answer(
    store: Store, now: float, gate: Opened[Event], code: Code, typed: TypedRsvp
) -> EventRsvp:
    """Changes an answer, until the deadline."""
    fields = rsvp_fields(typed)

    def after(gate: Opened[Event], before: EventRsvp) -> EventRsvp:
        return replace(before, updated_at=iso(now), ttl=gate.page.ttl, **fields)

    def step(gate: Opened[Event], before: EventRsvp) -> list[Write]:
        check_answering(now, gate.page)
        changed = after(gate, before)
        return [_counted(gate.page, before, changed), put(changed, if_=_as_read(before))]

    found = await my_answer(store, now, gate, code)
    return after(*await replaced(store, now, gate, found, step))


async def withdraw_answer(store: Store, now: float, gate: Opened[Event], code: Code) -> None:
    """Takes an answer back, until the deadline."""

    def step(gate: Opened[Event], before: EventRsvp) -> list[Write]:
        check_answering(now, gate.page)
        return [_counted(gate.page, before, None), delete(before, if_=_as_read(before))]

    await replaced(store, now, gate, await my_answer(store, now, gate, code), step)


def counts(gate: Opened[Event]) -> Counts | None:
    """How many come, for those who may know."""
    event = gate.page
    if not sees_counts(event, is_admin=gate.is_admin):
        return None
    return Counts(event.going_count, event.maybe_count, event.not_going_count, event.guest_count)


async def guests(
    store: Store, gate: Opened[Event], *, limit: int = GUESTS_SHOWN, cursor: str | None = None
) -> Guests:
    """Who answered what, for those who may know: one request."""
    if not sees_names(gate.page, is_admin=gate.is_admin):
        raise NotYours("Only whoever administers this page sees who comes.")
    asked = rsvps(short_id=gate.page.short_id)
    part = await store.page(asked, limit=limit, cursor=cursor)
    shown = [Guest(one.name, one.response, one.guest_count) for one in part.items]
    # They are stored by their codes, which say nothing.
    shown.sort(key=lambda one: (ORDER.index(one.response), one.name.casefold()))
    return Guests(shown, part.cursor)


def _as_read(rsvp: EventRsvp) -> Condition:
    """That an answer still counts for what was read."""
    return equal(response=rsvp.response, guest_count=rsvp.guest_count)


def _counted(
    event: Event, before: EventRsvp | None, after: EventRsvp | None, most: int | None = None
) -> Write:
    """The event's counters, always written together with the answer.

    They hold the version that was read, so what was checked of the event is still so.
    """
    changes = {name: add(amount) for name, amount in difference(before, after).items()}
    same = equal(version=event.version)
    if most is not None:
        same &= below(rsvp_count=most)
    return update(event, if_=same, **changes, rsvp_changes=add(1))

"""Answers to an event: giving, changing and withdrawing one, and who comes."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import Forbidden
from commonroom.moments import iso
from commonroom.shareables.errors import TryAgain
from commonroom.shareables.rules.events import (
    Response,
    TypedEventRsvp,
    check_answering,
    difference,
    rsvp_fields,
    sees_counts,
    sees_names,
)
from commonroom.shareables.rules.limits import USUAL, answer_bytes
from commonroom.shareables.service import answers
from commonroom.shareables.service.answers import (
    AnswerOrigin,
    Code,
    author_fields,
    create_answer,
    delete_answer,
    find_answer,
    origins_of,
    replace_answer,
)
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.service.guest_storage import begin, count_change, shard_of
from commonroom.shareables.tables import Event, EventRsvp, GuestStorage, rsvps
from commonroom.store import (
    Condition,
    ConditionFailed,
    Ref,
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
LEAVER_TRIES = 12
"""How often a leaver's answer is tried to be taken back, while others use the event."""
ORDER: tuple[Response, ...] = ("going", "maybe", "notGoing")


class EventGuest(Struct, frozen=True):
    """An answer as others see it: never with its code."""

    name: str
    response: Response
    guest_count: int
    origin: AnswerOrigin | None = None
    """For admins of the event."""


class Guests(Struct, frozen=True):
    """A part of the answers, and where to go on."""

    guests: list[EventGuest]
    cursor: str | None


class Counts(Struct, frozen=True):
    """How many come."""

    going: int
    maybe: int
    not_going: int
    guests: int


async def answer(gate: PageAccess[Event], typed: TypedEventRsvp) -> EventRsvp:
    """Answers an event; a guest is shown the answer's code, once."""
    fields = rsvp_fields(typed)

    def made(gate: PageAccess[Event], code: str) -> EventRsvp:
        return EventRsvp(
            short_id=gate.page.short_id,
            code=code,
            created_at=iso(gate.now),
            updated_at=iso(gate.now),
            ttl=gate.page.ttl,
            **author_fields(gate),
            **fields,
        )

    def step(gate: PageAccess[Event], after: EventRsvp, networks: int) -> list[Write]:
        most = gate.caller.limits.answers
        check_answering(gate.now, gate.page, most)
        return [_counted(gate.page, None, after, networks, most), create(after)]

    return await create_answer(gate, made, step)


async def my_answer(gate: PageAccess[Event], code: Code) -> EventRsvp:
    """Returns the answer that belongs to a code."""
    return await find_answer(gate, code, lambda one: _at(gate, one))


async def change_answer(
    gate: PageAccess[Event],
    code: Code,
    typed: TypedEventRsvp,
    *,
    check_seen: Callable[[EventRsvp], None] = lambda _: None,
) -> EventRsvp:
    """Changes an answer, until the deadline; `check_seen` refuses what was seen otherwise."""
    fields = rsvp_fields(typed)

    def step(gate: PageAccess[Event], before: EventRsvp) -> tuple[EventRsvp, list[Write]]:
        check_answering(gate.now, gate.page)
        check_seen(before)
        after = replace(before, updated_at=iso(gate.now), ttl=gate.page.ttl, **fields)
        return after, [_counted(gate.page, before, after), put(after, if_=_as_read(before))]

    return await replace_answer(gate, await my_answer(gate, code), step)


async def withdraw_answer(gate: PageAccess[Event], code: Code) -> None:
    """Takes an answer back, until the deadline."""

    def step(gate: PageAccess[Event], before: EventRsvp, networks: int) -> list[Write]:
        check_answering(gate.now, gate.page)
        return _deletion(gate.page, before, networks)

    await delete_answer(gate, await my_answer(gate, code), step)


async def remove_answer(gate: PageAccess[Event], answer_id: str) -> None:
    """Removes an answer, for admins of the event; also after the deadline."""
    await answers.remove_answer(gate, answer_id, lambda code: _at(gate, code), _deletion)


async def withdraw_for_leaver(store: Store, ref: Ref[EventRsvp]) -> None:
    """Takes back the answer of an account that is gone, whatever has become of the event."""
    for _ in range(LEAVER_TRIES):
        found = await store.get(ref)
        event = None if found is None else await store.get(Event.at(short_id=found.short_id))
        if found is None or event is None:
            return  # where the event was deleted, its answers are cleared up
        less = count_change(event, -answer_bytes(found), USUAL)
        try:
            await store.write(*_deletion(event, found, networks=0), *less)
        except ConditionFailed as failed:
            if failed.operation.entity_type is GuestStorage:
                await begin(store, shard_of(event.short_id))
        else:
            return
    raise TryAgain


def _deletion(event: Event, before: EventRsvp, networks: int) -> list[Write]:
    """Returns what takes an answer away, with what it counted for."""
    return [_counted(event, before, None, networks), delete(before, if_=_as_read(before))]


def counts(gate: PageAccess[Event]) -> Counts | None:
    """Returns how many come, for those who may know."""
    event = gate.page
    if not sees_counts(event, is_admin=gate.is_admin):
        return None
    return Counts(event.going_count, event.maybe_count, event.not_going_count, event.guest_count)


async def guests(
    gate: PageAccess[Event],
    *,
    with_origins: bool = False,
    limit: int = GUESTS_SHOWN,
    cursor: str | None = None,
) -> Guests:
    """Returns who answered what, for those who may know: one request.

    With origins, an admin is told where each answer came from: one request more.
    """
    if not sees_names(gate.page, is_admin=gate.is_admin):
        raise Forbidden("Only people who can edit this page see who is coming.")
    asked = rsvps(short_id=gate.page.short_id)
    part = await gate.store.page(asked, limit=limit, cursor=cursor)
    origins = await origins_of(gate, part.items) if with_origins else [None] * len(part.items)
    shown = [
        EventGuest(one.name, one.response, one.guest_count, origin)
        for one, origin in zip(part.items, origins, strict=True)
    ]
    # They are stored by their codes, which say nothing.
    shown.sort(key=lambda one: (ORDER.index(one.response), one.name.casefold()))
    return Guests(shown, part.cursor)


def _at(gate: PageAccess[Event], code: str) -> Ref[EventRsvp]:
    return EventRsvp.at(short_id=gate.page.short_id, code=code)


def _as_read(rsvp: EventRsvp) -> Condition:
    """Returns the condition that an answer still says what was read."""
    return equal(name=rsvp.name, response=rsvp.response, guest_count=rsvp.guest_count)


def _counted(
    event: Event,
    before: EventRsvp | None,
    after: EventRsvp | None,
    networks: int = 0,
    most: int | None = None,
) -> Write:
    """Returns the event's counters, always written together with the answer.

    They hold the version that was read, so what was checked of the event is still so.
    """
    amounts = difference(before, after) | ({"network_count": networks} if networks else {})
    changes = {name: add(amount) for name, amount in amounts.items()}
    same = equal(version=event.version)
    if most is not None:
        same &= below(rsvp_count=most)
    return update(event, if_=same, **changes, rsvp_changes=add(1))

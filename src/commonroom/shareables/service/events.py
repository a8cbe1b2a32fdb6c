"""Answers to an event: giving, changing and withdrawing one, and who comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from commonroom.errors import Forbidden
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
from commonroom.shareables.service.answers import Answers, Code, OriginSeen, origins_of
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.service.guest_storage import begin, count_change, shard_of
from commonroom.shareables.tables import Event, EventRsvp, GuestStorage, rsvps
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    Write,
    add,
    below,
    equal,
    update,
)
from commonroom.store import Page as Part

GUESTS_SHOWN = 100
LEAVER_TRIES = 12
"""How often a leaver's answer is tried to be taken back, while others use the event."""
ORDER: tuple[Response, ...] = ("going", "maybe", "notGoing")


class EventGuest(Struct, frozen=True):
    """Who answered what, as others see it: never with the code."""

    name: str
    response: Response
    guest_count: int
    origin: OriginSeen


class RsvpCounts(Struct, frozen=True):
    """How many come."""

    going: int
    maybe: int
    not_going: int
    guests: Annotated[int, Meta(description="Guests brought along by those who are coming.")]


async def answer(gate: PageAccess[Event], typed: TypedEventRsvp) -> EventRsvp:
    """Answers an event; a guest is shown the answer's code, once."""
    return await RSVPS.create(gate, rsvp_fields(typed))


async def change_answer(
    gate: PageAccess[Event],
    code: Code,
    typed: TypedEventRsvp,
    *,
    check_seen: Callable[[EventRsvp], None] = lambda _: None,
) -> EventRsvp:
    """Changes an answer, until the deadline; `check_seen` refuses what was seen otherwise."""
    return await RSVPS.change(gate, code, rsvp_fields(typed), check_seen=check_seen)


async def withdraw_for_leaver(store: Store, ref: Ref[EventRsvp]) -> None:
    """Takes back the answer of an account that is gone, whatever has become of the event."""
    for _ in range(LEAVER_TRIES):
        found = await store.get(ref)
        event = None if found is None else await store.get(Event.at(short_id=found.short_id))
        if found is None or event is None:
            return  # where the event was deleted, its answers are cleared up
        less = count_change(event, -answer_bytes(found), USUAL)
        try:
            await store.write(*RSVPS.deletion(event, found, networks=0), *less)
        except ConditionFailed as failed:
            if failed.operation.entity_type is GuestStorage:
                await begin(store, shard_of(event.short_id))
        else:
            return
    raise TryAgain


def counts(gate: PageAccess[Event]) -> RsvpCounts | None:
    """Returns how many come, for those who may know."""
    event = gate.page
    if not sees_counts(event, is_admin=gate.is_admin):
        return None
    return RsvpCounts(
        event.going_count, event.maybe_count, event.not_going_count, event.guest_count
    )


async def guests(
    gate: PageAccess[Event],
    *,
    with_origins: bool = False,
    limit: int = GUESTS_SHOWN,
    cursor: str | None = None,
) -> Part[EventGuest]:
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
    return Part(shown, part.seal)


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


RSVPS = Answers(
    entity=EventRsvp,
    fields=lambda _event, fields: fields,
    check_open=check_answering,
    counted=_counted,
    as_read=lambda one: equal(name=one.name, response=one.response, guest_count=one.guest_count),
)
my_answer, withdraw_answer, remove_answer = RSVPS.find, RSVPS.withdraw, RSVPS.remove

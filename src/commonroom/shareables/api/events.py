"""Answers to an event."""

from __future__ import annotations

from msgspec import Struct

from commonroom.http.access import Need
from commonroom.http.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import projection
from commonroom.http.responses import JsonResponse
from commonroom.moments import Moment, known
from commonroom.shareables.api.bodies import ONE
from commonroom.shareables.api.views import CodeSeen, ReceiptSeen, code_and_receipt
from commonroom.shareables.request import EventAdmin, EventGate, HeldCode, code_of
from commonroom.shareables.rules.events import Response, TypedEventRsvp
from commonroom.shareables.service import events
from commonroom.shareables.tables import EventRsvp

ALL = f"{ONE}/rsvps"
MINE = f"{ALL}/mine"


api = Operations("Shareables: events")


class MyRsvp(Struct, frozen=True):
    """One's own answer to an event."""

    name: str
    response: Response
    guest_count: int
    created_at: Moment | None
    updated_at: Moment | None


class EventRsvpReceipt(Struct, frozen=True):
    """An answer to an event, as it was given."""

    code: CodeSeen
    receipt: ReceiptSeen
    rsvp: MyRsvp


@api.post(ALL, Need.ANYONE, errors=(409, 410, 429, 507), repeatable=True)
async def create_rsvp(gate: EventGate, answer: TypedEventRsvp) -> EventRsvpReceipt:
    """Answer an event; a guest is shown the answer's code, once.

    With an account there is one answer and no code: another is 409, and `mine` is changed instead.
    A few guests can answer from one network, unless the event has a `shared_network`.
    """
    given = await events.answer(gate, answer)
    return EventRsvpReceipt(*code_and_receipt(gate, given), _mine(given))


@api.get(ALL, Need.ANYONE, errors=(410,))
async def list_rsvps(gate: EventGate, paging: Paging) -> PagedList[events.EventGuest]:
    """List who answered what, where one may know; nobody's code is among it."""
    found = await events.guests(gate, with_origins=True, limit=paging.limit, cursor=paging.cursor)
    return PagedList(found.items, found.cursor)


@api.get(MINE, Need.ANYONE, errors=(304, 410, 429))
async def get_my_rsvp(
    gate: EventGate, code: HeldCode, if_none_match: IfNoneMatch
) -> JsonResponse[MyRsvp]:
    """Get the answer that belongs to a code, or to one's account."""
    return tagged(_mine(await events.my_answer(gate, code_of(gate, code))), unless=if_none_match)


@api.put(MINE, Need.ANYONE, errors=(409, 410, 412, 429))
async def change_my_rsvp(
    gate: EventGate, code: HeldCode, if_match: IfMatch, answer: TypedEventRsvp
) -> JsonResponse[MyRsvp]:
    """Change the answer that belongs to a code, or to one's account, until the deadline."""
    changed = await events.change_answer(
        gate,
        code_of(gate, code),
        answer,
        check_seen=lambda before: check_match(if_match, _mine(before)),
    )
    return tagged(_mine(changed))


@api.delete(MINE, Need.ANYONE, errors=(409, 410, 429))
async def withdraw_my_rsvp(gate: EventGate, code: HeldCode) -> None:
    """Take the answer that belongs to a code, or to one's account, back until the deadline."""
    await events.withdraw_answer(gate, code_of(gate, code))


@api.delete(f"{ALL}/{{answer_id:str}}", Need.ANYONE, errors=(410, 429))
async def remove_rsvp(gate: EventAdmin, answer_id: str) -> None:
    """Remove an answer, with what it counts for; an admin may, also after the deadline."""
    await events.remove_answer(gate, answer_id)


_mine = projection(
    EventRsvp,
    MyRsvp,
    created_at=lambda one: known(one.created_at),
    updated_at=lambda one: known(one.updated_at),
)

"""Answers to an event."""

from __future__ import annotations

import time

from commonroom.shareables.api import views
from commonroom.shareables.api.asking import (
    ONE,
    HeldCode,
    HeldPass,
    code_of,
    entered,
)
from commonroom.shareables.api.bodies import RsvpGiven, typed
from commonroom.shareables.entering import passes_of
from commonroom.shareables.rules.events import TypedRsvp
from commonroom.shareables.service import events
from commonroom.shareables.service.gate import Opened, of_kind
from commonroom.shareables.tables import Event
from commonroom.web.access import Need
from commonroom.web.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post, put
from commonroom.web.paging import Listed, Paging
from commonroom.web.request import Request

ALL = f"{ONE}/rsvps"
MINE = f"{ALL}/mine"


@post(ALL, Need.ANYONE, errors=(409, 410, 429, 507), repeatable=True)
async def create_rsvp(
    request: Request, short_id: str, held: HeldPass, answer: RsvpGiven
) -> JsonResponse[views.GivenRsvp]:
    """Answer an event; a guest is shown the answer's code, once.

    With an account there is one answer and no code: another is 409, and `mine` is changed instead.
    A few guests can answer from one network, unless the event has a `shared_network`.
    """
    gate = await _event(request, short_id, held)
    given = await events.answer(request.store, time.time(), gate, typed(answer, TypedRsvp))
    return JsonResponse(views.given_rsvp(given, passes_of(request)), status=201)


@get(ALL, Need.ANYONE, errors=(410,))
async def list_rsvps(
    request: Request, short_id: str, held: HeldPass, paging: Paging
) -> JsonResponse[Listed[views.Guest]]:
    """List who answered what, where one may know; nobody's code is among it."""
    gate = await _event(request, short_id, held)
    found = await events.guests(
        request.store,
        gate,
        keys=passes_of(request).answer_keys,
        limit=paging.limit,
        cursor=paging.cursor,
    )
    return JsonResponse(Listed([views.guest(one) for one in found.guests], found.cursor))


@get(MINE, Need.ANYONE, errors=(304, 410, 429))
async def get_my_rsvp(
    request: Request,
    short_id: str,
    held: HeldPass,
    code: HeldCode,
    if_none_match: IfNoneMatch,
) -> JsonResponse[views.MyRsvp]:
    """Get the answer that belongs to a code, or to one's account."""
    gate = await _event(request, short_id, held)
    found = await events.my_answer(request.store, time.time(), gate, code_of(request, gate, code))
    return tagged(views.my_rsvp(found), unless=if_none_match)


@put(MINE, Need.ANYONE, errors=(409, 410, 412, 429))
async def change_my_rsvp(
    request: Request,
    short_id: str,
    *,
    held: HeldPass,
    code: HeldCode,
    if_match: IfMatch,
    answer: RsvpGiven,
) -> JsonResponse[views.MyRsvp]:
    """Change the answer that belongs to a code, or to one's account, until the deadline."""
    gate = await _event(request, short_id, held)
    changed = await events.change_answer(
        request.store,
        time.time(),
        gate,
        code_of(request, gate, code),
        typed(answer, TypedRsvp),
        check_seen=lambda before: check_match(if_match, views.my_rsvp(before)),
    )
    return tagged(views.my_rsvp(changed))


@delete(MINE, Need.ANYONE, errors=(409, 410, 429))
async def withdraw_my_rsvp(
    request: Request, short_id: str, held: HeldPass, code: HeldCode
) -> JsonResponse[None]:
    """Take the answer that belongs to a code, or to one's account, back until the deadline."""
    gate = await _event(request, short_id, held)
    await events.withdraw_answer(request.store, time.time(), gate, code_of(request, gate, code))
    return JsonResponse(None)


@delete(f"{ALL}/{{answer_id:str}}", Need.ANYONE, errors=(410, 429))
async def remove_rsvp(
    request: Request, short_id: str, answer_id: str, held: HeldPass
) -> JsonResponse[None]:
    """Remove somebody's answer, with what it counts for; an admin may, also after the deadline."""
    gate = of_kind(await entered(request, short_id, held, want="admin"), Event)
    keys = passes_of(request).answer_keys
    await events.remove_answer(request.store, keys, time.time(), gate, answer_id)
    return JsonResponse(None)


async def _event(request: Request, short_id: str, held: str | None) -> Opened[Event]:
    return of_kind(await entered(request, short_id, held), Event)


OPERATIONS = part(
    "Shareables: events",
    create_rsvp,
    list_rsvps,
    get_my_rsvp,
    change_my_rsvp,
    withdraw_my_rsvp,
    remove_rsvp,
)

"""Editing a page, with the version that was seen."""

from __future__ import annotations

import time

from commonroom.shareables.api import views
from commonroom.shareables.api.asking import ONE, HeldPass, entered
from commonroom.shareables.api.bodies import ChecklistEdit, EventEdit, PollEdit, typed
from commonroom.shareables.api.view import seen, seen_again
from commonroom.shareables.rules.checklists import TypedChecklist
from commonroom.shareables.rules.events import TypedEvent
from commonroom.shareables.rules.polls import TypedPoll
from commonroom.shareables.service.edit import Typed, save
from commonroom.web.access import Need
from commonroom.web.etags import IfMatch, check_match
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import part, put
from commonroom.web.request import Request

REFUSED = (409, 410, 412, 429, 507)


@put(f"{ONE}/checklist", Need.ANYONE, errors=REFUSED)
async def edit_checklist(
    request: Request, short_id: str, held: HeldPass, if_match: IfMatch, edited: ChecklistEdit
) -> JsonResponse[views.SharedPage]:
    """Save a checklist that an admin has edited.

    Items keep their ids. Where somebody else has saved meanwhile, 409 names what they changed in
    `changed`.
    """
    return await _saved(request, short_id, held, edited, typed(edited, TypedChecklist), if_match)


@put(f"{ONE}/event", Need.ANYONE, errors=REFUSED)
async def edit_event(
    request: Request, short_id: str, held: HeldPass, if_match: IfMatch, edited: EventEdit
) -> JsonResponse[views.SharedPage]:
    """Save an event that an admin has edited.

    Where somebody else has saved meanwhile, 409 names what they changed in `changed`.
    """
    return await _saved(request, short_id, held, edited, typed(edited, TypedEvent), if_match)


@put(f"{ONE}/poll", Need.ANYONE, errors=REFUSED)
async def edit_poll(
    request: Request, short_id: str, held: HeldPass, if_match: IfMatch, edited: PollEdit
) -> JsonResponse[views.SharedPage]:
    """Save a poll that an admin has edited.

    Questions and options keep their ids; removing what people chose is 409 unless it is confirmed.
    Where somebody else has saved meanwhile, 409 names what they changed in `changed`.
    """
    return await _saved(request, short_id, held, edited, typed(edited, TypedPoll), if_match)


async def _saved(  # noqa: PLR0917 - all that an operation is asked with
    request: Request,
    short_id: str,
    held: str | None,
    edited: ChecklistEdit | EventEdit | PollEdit,
    content: Typed,
    if_match: str | None,
) -> JsonResponse[views.SharedPage]:
    gate = await entered(request, short_id, held, want="admin")
    if if_match is not None:
        check_match(if_match, await seen(request, gate))
    await save(
        request.store,
        time.time(),
        gate,
        edited.version,
        content,
        confirm=getattr(edited, "confirm", False),
        confirm_past=getattr(edited, "confirm_past", False),
    )
    return await seen_again(request, short_id, held)


OPERATIONS = part("Shareables: editing", edit_checklist, edit_event, edit_poll)

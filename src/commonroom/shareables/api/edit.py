"""Editing a page, with the version that was seen."""

from __future__ import annotations

from commonroom.shareables.api.bodies import ONE, ChecklistEdit, EventEdit, PollEdit, typed
from commonroom.shareables.api.view import page_view, view_after_change
from commonroom.shareables.api.views import SharedPage
from commonroom.shareables.request import PageAdmin
from commonroom.shareables.rules.checklists import TypedChecklist
from commonroom.shareables.rules.events import TypedEvent
from commonroom.shareables.rules.polls import TypedPoll
from commonroom.shareables.service.edit import Typed, save
from commonroom.shareables.service.gate import Opened, Page
from commonroom.web.access import Need
from commonroom.web.etags import IfMatch, check_match
from commonroom.web.operations import part, put
from commonroom.web.request import Request
from commonroom.web.responses import JsonResponse

REFUSED = (409, 410, 412, 429, 507)


@put(f"{ONE}/checklist", Need.ANYONE, errors=REFUSED)
async def edit_checklist(
    request: Request, gate: PageAdmin, if_match: IfMatch, edited: ChecklistEdit
) -> JsonResponse[SharedPage]:
    """Save a checklist that an admin has edited.

    Items keep their ids. Where somebody else has saved meanwhile, 409 names what they changed in
    `changed`.
    """
    return await _save(request, gate, edited, typed(edited, TypedChecklist), if_match)


@put(f"{ONE}/event", Need.ANYONE, errors=REFUSED)
async def edit_event(
    request: Request, gate: PageAdmin, if_match: IfMatch, edited: EventEdit
) -> JsonResponse[SharedPage]:
    """Save an event that an admin has edited.

    Where somebody else has saved meanwhile, 409 names what they changed in `changed`.
    """
    return await _save(request, gate, edited, typed(edited, TypedEvent), if_match)


@put(f"{ONE}/poll", Need.ANYONE, errors=REFUSED)
async def edit_poll(
    request: Request, gate: PageAdmin, if_match: IfMatch, edited: PollEdit
) -> JsonResponse[SharedPage]:
    """Save a poll that an admin has edited.

    Questions and options keep their ids; removing what people chose is 409 unless it is confirmed.
    Where somebody else has saved meanwhile, 409 names what they changed in `changed`.
    """
    return await _save(request, gate, edited, typed(edited, TypedPoll), if_match)


async def _save(
    request: Request,
    gate: Opened[Page],
    edited: ChecklistEdit | EventEdit | PollEdit,
    content: Typed,
    if_match: str | None,
) -> JsonResponse[SharedPage]:
    if if_match is not None:
        check_match(if_match, await page_view(gate))
    await save(
        gate,
        edited.version,
        content,
        confirm=getattr(edited, "confirm", False),
        confirm_past=getattr(edited, "confirm_past", False),
    )
    return await view_after_change(request)


OPERATIONS = part("Shareables: editing", edit_checklist, edit_event, edit_poll)

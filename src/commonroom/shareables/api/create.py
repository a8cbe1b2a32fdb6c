"""Making a page."""

from __future__ import annotations

import time

import msgspec

from commonroom.shareables.api import views
from commonroom.shareables.api.asking import ONE, HeldPass, entered
from commonroom.shareables.api.bodies import Clone, NewChecklist, NewEvent, NewPoll, typed
from commonroom.shareables.api.view import seen
from commonroom.shareables.entering import account_of, limits_of, passes_of
from commonroom.shareables.rules.checklists import TypedChecklist
from commonroom.shareables.rules.events import TypedEvent
from commonroom.shareables.rules.polls import TypedPoll
from commonroom.shareables.service.create import Made, Passcodes, clone, like_before, make
from commonroom.shareables.service.edit import Typed
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import part, post
from commonroom.web.request import Request


@post("/shareables/checklists", Need.ANYONE, errors=(429, 507), repeatable=True)
async def create_checklist(request: Request, new: NewChecklist) -> JsonResponse[views.MadePage]:
    """Create a checklist; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _made(request, new, typed(new, TypedChecklist))


@post("/shareables/events", Need.ANYONE, errors=(429, 507), repeatable=True)
async def create_event(request: Request, new: NewEvent) -> JsonResponse[views.MadePage]:
    """Create an event; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _made(request, new, typed(new, TypedEvent))


@post("/shareables/polls", Need.ANYONE, errors=(429, 507), repeatable=True)
async def create_poll(request: Request, new: NewPoll) -> JsonResponse[views.MadePage]:
    """Create a poll; no account is needed, unless the installation says so.

    Its pass and its recovery path are shown once.
    """
    return await _made(request, new, typed(new, TypedPoll))


AS_BEFORE = Clone()


@post(f"{ONE}/clone", Need.ANYONE, errors=(410, 429, 507), repeatable=True)
async def clone_shareable(
    request: Request, short_id: str, held: HeldPass, new: Clone = AS_BEFORE
) -> JsonResponse[views.MadePage]:
    """Create a page like this one, without what people left on it.

    An admin may, also of a page whose time is over. Its passcodes come along. What is over needs
    new dates: a start for an event, a close (or null) for a poll.
    """
    gate = await entered(request, short_id, held, want="admin")
    now = time.time()
    made = await clone(
        request.store,
        passes_of(request),
        now,
        gate,
        like_before(now, gate.page, msgspec.structs.asdict(new)),
        confirm_past=new.confirm_past,
        account_id=account_of(request),
    )
    return await _shown(request, made)


async def _made(
    request: Request, new: NewChecklist | NewEvent | NewPoll, content: Typed
) -> JsonResponse[views.MadePage]:
    made = await make(
        request.store,
        passes_of(request),
        time.time(),
        content,
        expires_after=new.expires_after,
        passcodes=Passcodes(new.view_passcode, new.admin_passcode),
        account_id=account_of(request),
        address=request.client_address,
        limits=limits_of(request),
        confirm_past=getattr(new, "confirm_past", False),
    )
    return await _shown(request, made)


async def _shown(request: Request, made: Made) -> JsonResponse[views.MadePage]:
    gate = await entered(request, made.page.short_id, made.token, want="admin")
    return JsonResponse(views.made_page(await seen(request, gate), made.token), status=201)


OPERATIONS = part(
    "Shareables: creating pages", create_checklist, create_event, create_poll, clone_shareable
)

"""Opening a page."""

from __future__ import annotations

import time

from commonroom.shareables.api import views
from commonroom.shareables.api.asking import ONE, HeldCode, HeldPass, entered, maybe_code
from commonroom.shareables.rules.access import Role
from commonroom.shareables.service import polls
from commonroom.shareables.service.answers import Code
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.gate import Opened, Page, of_kind
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.web.access import Need
from commonroom.web.etags import IfNoneMatch, tagged
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import get, part
from commonroom.web.request import Request


@get(ONE, Need.ANYONE, errors=(304, 410, 429))
async def get_shareable(
    request: Request,
    short_id: str,
    held: HeldPass,
    code: HeldCode,
    if_none_match: IfNoneMatch,
) -> JsonResponse[views.SharedPage]:
    """Get a page, however its id is typed.

    403 says that it needs a passcode, and nothing else of it. A poll comes with its results where
    one may know them; where that takes a vote, show its code, or have voted with the account.
    """
    gate = await entered(request, short_id, held)
    return tagged(await seen(request, gate, maybe_code(request, code)), unless=if_none_match)


async def seen(request: Request, gate: Opened[Page], code: Code | None = None) -> views.SharedPage:
    """The page as whoever it was opened to sees it."""
    match gate.page:
        case Checklist() as checklist:
            return views.shared_page(gate, ticks=await ticks_of(request.store, checklist))
        case Event():
            return views.shared_page(gate)
        case Poll():
            poll = of_kind(gate, Poll)
            results = await polls.results_for(request.store, time.time(), poll, code)
            return views.shared_page(gate, results)


async def seen_again(
    request: Request, short_id: str, held: str | None, want: Role = "admin"
) -> JsonResponse[views.SharedPage]:
    """The page as it is after a change."""
    return tagged(await seen(request, await entered(request, short_id, held, want=want)))


OPERATIONS = part("Shareables: pages", get_shareable)

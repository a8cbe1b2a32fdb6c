"""Opening a page."""

from __future__ import annotations

from commonroom.shareables.api.bodies import ONE
from commonroom.shareables.api.views import SharedPage, shared_page
from commonroom.shareables.request import HeldCode, PageGate, maybe_code, open_to, visitor_of
from commonroom.shareables.service import polls
from commonroom.shareables.service.answers import Code
from commonroom.shareables.service.checklists import ticks_of
from commonroom.shareables.service.gate import Opened, Page, of_kind
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.web.access import Need
from commonroom.web.etags import IfNoneMatch, tagged
from commonroom.web.operations import get, part
from commonroom.web.request import Request
from commonroom.web.responses import JsonResponse


@get(ONE, Need.ANYONE, errors=(304, 410, 429))
async def get_shareable(
    gate: PageGate, code: HeldCode, if_none_match: IfNoneMatch
) -> JsonResponse[SharedPage]:
    """Get a page, however its id is typed.

    403 says that it needs a passcode, and nothing else of it. A poll comes with its results where
    one may know them; where that takes a vote, show its code, or have voted with the account.
    """
    return tagged(await page_view(gate, maybe_code(gate, code)), unless=if_none_match)


async def page_view(gate: Opened[Page], code: Code | None = None) -> SharedPage:
    """The page as whoever it was opened to sees it."""
    match gate.page:
        case Checklist() as checklist:
            return shared_page(gate, ticks=await ticks_of(gate.store, checklist))
        case Event():
            return shared_page(gate)
        case Poll():
            return shared_page(gate, await polls.results_for(of_kind(gate, Poll), code))


async def view_after_change(request: Request) -> JsonResponse[SharedPage]:
    """The page as an admin has just changed it."""
    return tagged(await page_view(await open_to(request, visitor_of(request), want="admin")))


OPERATIONS = part("Shareables: pages", get_shareable)

"""The history of an item: who had it, and for how long."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.errors import CommonroomError, Conflict
from commonroom.library.pages import addresses
from commonroom.library.pages.cards import card_of
from commonroom.library.pages.showing import again, page
from commonroom.library.pages.timelines import timeline
from commonroom.library.service.history import clear_history, see_history
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.redirects import redirect
from commonroom.web.request import Cursor, Request

TEMPLATE = "library/history.html"
HERE = f"{addresses.ITEM}/history"


@get(HERE, opt=needs(Need.SIGNED_IN))
async def history(
    request: Request, library_id: FromPath[str], item_id: FromPath[str], cursor: Cursor = None
) -> Response[Any]:
    """The loans of an item, the newest first: three requests."""
    context = await _context(request, library_id, item_id, cursor)
    return page(request, TEMPLATE, **context, form=EMPTY)


@post(f"{HERE}/clear", opt=needs(Need.THEMSELVES), status_code=200)
async def clear(
    request: Request, library_id: FromPath[str], item_id: FromPath[str]
) -> Response[Any]:
    """Forgets who had an item, unless somebody has it now."""
    try:
        await clear_history(request.store, request.person, library_id, item_id)
    except Conflict as error:
        return await _refused(request, library_id, item_id, error)
    return redirect(f"{addresses.item(library_id, item_id)}/history", "history-cleared")


async def _refused(
    request: Request, library_id: str, item_id: str, error: CommonroomError
) -> Response[Any]:
    context = await _context(request, library_id, item_id, None)
    return again(request, TEMPLATE, error, **context, form=Filled(wrong_altogether=error.detail))


async def _context(
    request: Request, library_id: str, item_id: str, cursor: str | None
) -> dict[str, Any]:
    person = request.person
    seen = await see_history(request.store, person, library_id, item_id, cursor=cursor)
    return {
        "card": card_of(seen.item, request),
        "timeline": timeline(seen.loans, time.time(), person),
        "cursor": seen.cursor,
        "may": request.caller.acting_as is None,
    }


HANDLERS = [history, clear]

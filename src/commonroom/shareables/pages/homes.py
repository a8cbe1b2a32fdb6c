"""The room's front: pages to make, a page to open, and the list of somebody with an account."""

from __future__ import annotations

import time
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter

from commonroom.errors import InvalidField
from commonroom.shareables.addresses import address_of
from commonroom.shareables.entering import account_of, limits_of
from commonroom.shareables.rules.short_ids import read_short_id, shown
from commonroom.shareables.service.listing import pages_of
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Cursor, Request

HERE = "/s"
TEMPLATE = "shareables/home.html"

Typed = Annotated[str, QueryParameter(name="id", max_length=1000)]


@get(HERE, opt=needs(Need.ANYONE))
async def home(request: Request, typed: Typed = "", cursor: Cursor = None) -> Response[Any]:
    """The doors and the list; where an id was typed, on to its page."""
    if typed:
        short_id = read_short_id(typed)
        if short_id is not None:
            return redirect(address_of(short_id))
        error = InvalidField(
            "id", "Enter the code: six letters and five numbers, for example ABC-DEF-12345."
        )
        form = Filled({"id": typed}, {"id": error.detail})
        return render_refused(
            request, TEMPLATE, error, form=form, **await _context(request, cursor)
        )
    return render(request, TEMPLATE, form=EMPTY, **await _context(request, cursor))


async def _context(request: Request, cursor: str | None) -> dict[str, Any]:
    account, listing = account_of(request), None
    if account is not None:
        listing = await pages_of(request.store, time.time(), account, cursor=cursor)
    return {
        "listing": listing,
        "address_of": address_of,
        "shown": shown,
        "limits": limits_of(request),
    }


HANDLERS = [home]

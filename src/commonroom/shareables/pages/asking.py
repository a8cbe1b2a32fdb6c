"""Who asks for a page, and with what in hand: every page of the room comes in through here."""

from __future__ import annotations

import time
from http import HTTPStatus
from urllib.parse import quote

from litestar import Response

from commonroom.shareables.addresses import address_of
from commonroom.shareables.entering import account_of, limits_of, passes_of
from commonroom.shareables.pages.cookies import passes_in
from commonroom.shareables.rules.access import Role
from commonroom.shareables.rules.short_ids import read_short_id
from commonroom.shareables.service.gate import Opened, Page, Shown, opened
from commonroom.shareables.write_limits import count_size
from commonroom.web.csrf import SAFE
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

ONE = "/s/{short_id:str}"
FILE = "/event.ics"
"""Below an event: what calendars take."""


async def entered(request: Request, short_id: str, want: Role = "view") -> Opened[Page]:
    """The page, opened to whoever asks: one request."""
    shown = Shown(
        tokens=passes_in(request),
        account_id=account_of(request),
        address=request.client_address,
        limits=limits_of(request),
    )
    passes = passes_of(request)
    gate = await opened(request.store, passes, time.time(), short_id, shown, want=want)
    count_size(request, gate)
    return gate


async def to_its_address(request: Request) -> Response[bytes] | None:
    """Sends whoever only looks on to the page's one address: cookies are kept for that alone."""
    typed: str | None = request.path_params.get("short_id")
    if typed is None or request.method not in SAFE:
        return None
    short_id = read_short_id(typed)
    if short_id is None or typed == address_of(short_id).rpartition("/")[2]:
        return None
    # What stands before the id is one part of the address, and the id is the second.
    below = request.scope["path"].split("/", 3)[3:]
    query = request.scope["query_string"].decode("latin-1")
    address = quote("/".join([address_of(short_id), *below])) + (f"?{query}" if query else "")
    return redirect(address, status=HTTPStatus.PERMANENT_REDIRECT)

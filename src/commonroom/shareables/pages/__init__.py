"""Shareables in a browser: HTML in, HTML out; the gate says who may see a page."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from commonroom.http.bodies import LARGEST
from commonroom.http.csrf import SAFE
from commonroom.http.forms import page_routes
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router
from commonroom.shareables.errors import NeedsPasscode
from commonroom.shareables.pages import (
    admin,
    answers,
    create,
    edit,
    events,
    guest_storage,
    listing,
    passcodes,
    view,
)
from commonroom.shareables.rules.short_ids import address_of, read_short_id
from commonroom.shareables.write_limits import limit_writes

PARTS: tuple[Any, ...] = (
    listing,
    create,
    view,
    answers,
    passcodes,
    events,
    edit,
    admin,
    guest_storage,
)
NOT_INDEXED = (b"x-robots-tag", b"noindex, nofollow")
"""Pages are for those who were sent their link: no search engine is to list them."""


def shareables_pages() -> Router:
    """Returns all of them."""
    return Router(
        "/",
        page_routes(*(part.pages for part in PARTS)),
        max_body=LARGEST,
        guards=[limit_writes],
        before=before_each,
        headers=[NOT_INDEXED],
        on_errors={NeedsPasscode: passcodes.ask_passcode},
    )


async def before_each(request: Request) -> Response[bytes] | None:
    """What is done before any page of the room answers."""
    await passcodes.remember_form(request)
    return redirect_to_canonical(request)


def redirect_to_canonical(request: Request) -> Response[bytes] | None:
    """Redirects readers to the page's one address: cookies are kept for that alone."""
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

"""Watchlists in a browser: HTML in, HTML out; every page says who may see it."""

from __future__ import annotations

from litestar import Router

from commonroom.watchlists.pages import opinions
from commonroom.web.forms import handlers

LARGEST_FORM = 64 * 1024

PARTS = (opinions,)


def watchlists_pages() -> Router:
    """All of them."""
    declared = (one for part in PARTS for one in part.HANDLERS)
    return Router(
        "/",
        route_handlers=handlers(*declared),
        include_in_schema=False,
        request_max_body_size=LARGEST_FORM,
    )

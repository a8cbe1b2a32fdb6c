"""The library in a browser: HTML in, HTML out; `service.access` says who may look."""

from __future__ import annotations

from typing import Any

from commonroom.http.forms import page_routes
from commonroom.http.routes import Router
from commonroom.library.pages import (
    cards,
    collections,
    history,
    imports,
    items,
    libraries,
    loans,
    search,
    shelves,
    title_shelf,
)

MAX_FORM = 256 * 1024
"""A long review in a script whose letters take nine bytes each in a form fits."""

PARTS: tuple[Any, ...] = (
    cards,
    libraries,
    shelves,
    items,
    collections,
    loans,
    history,
    search,
    imports,
    title_shelf,
)


def library_pages() -> Router:
    """Returns all of them."""
    return Router(
        "/",
        page_routes(*(part.pages for part in PARTS)),
        max_body=MAX_FORM,
    )

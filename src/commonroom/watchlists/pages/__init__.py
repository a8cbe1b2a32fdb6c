"""Watchlists in a browser: HTML in, HTML out; `service.access` says who may look."""

from __future__ import annotations

from typing import Any

from commonroom.http.forms import page_routes
from commonroom.http.routes import Router
from commonroom.watchlists.pages import (
    collaborators,
    comments,
    curators,
    discovery,
    duplicates,
    exports,
    feeds,
    imports,
    items,
    lists,
    opinions,
    saves,
    wishes,
)

MAX_FORM = 64 * 1024
"""A long note in a script whose letters take nine bytes each in a form fits."""

PARTS: tuple[Any, ...] = (
    *(discovery, lists, items, saves, comments, collaborators, curators),
    *(opinions, imports, exports, feeds, wishes, duplicates),
)


def watchlists_pages() -> Router:
    """Returns all of them."""
    return Router(
        "/",
        page_routes(*(part.pages for part in PARTS)),
        max_body=MAX_FORM,
    )

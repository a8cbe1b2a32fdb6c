"""Watchlists for programs."""

from commonroom.http.operations import operation_routes
from commonroom.http.routes import Router
from commonroom.watchlists.api import (
    collaborators,
    comments,
    curators,
    discovery,
    duplicates,
    imports,
    items,
    lists,
    opinions,
    saves,
)

PARTS = (
    *(discovery, duplicates, lists, items, opinions),
    *(collaborators, saves, comments, curators, imports),
)


def watchlists_api() -> Router:
    """Returns all of it."""
    return Router("/api/v1", operation_routes(*(part.api for part in PARTS)))

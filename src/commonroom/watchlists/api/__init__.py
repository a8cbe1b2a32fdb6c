"""Watchlists for programs."""

from litestar import Router

from commonroom.watchlists.api import (
    collaborators,
    comments,
    curators,
    discovery,
    follows,
    imports,
    items,
    lists,
    profiles,
    saves,
)

PARTS = (
    discovery,
    lists,
    items,
    collaborators,
    saves,
    comments,
    profiles,
    follows,
    curators,
    imports,
)


def watchlists_api() -> Router:
    """All of it."""
    return Router("/api/v1", route_handlers=[one for part in PARTS for one in part.OPERATIONS])

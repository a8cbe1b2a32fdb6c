"""The library for programs."""

from litestar import Router

from commonroom.library.api import (
    collections,
    exporting,
    importing,
    items,
    lending,
    libraries,
    lookups,
    searching,
    sharing,
)

PARTS = (libraries, collections, items, lending, sharing, lookups, searching, importing, exporting)


def library_api() -> Router:
    """All of it."""
    return Router("/api/v1", route_handlers=[one for part in PARTS for one in part.OPERATIONS])

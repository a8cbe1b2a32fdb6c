"""The library for programs."""

from litestar import Router

from commonroom.library.api import (
    collections,
    exports,
    imports,
    items,
    libraries,
    loans,
    lookup,
    search,
    sharing,
)

PARTS = (libraries, collections, items, loans, sharing, lookup, search, imports, exports)


def library_api() -> Router:
    """All of it."""
    return Router("/api/v1", route_handlers=[one for part in PARTS for one in part.OPERATIONS])

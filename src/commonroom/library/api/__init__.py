"""The library for programs."""

from litestar import Router

from commonroom.library.api import collections, imports, items, libraries, loans, search

PARTS = (libraries, collections, items, loans, search, imports)


def library_api() -> Router:
    """All of it."""
    return Router("/api/v1", route_handlers=[one for part in PARTS for one in part.OPERATIONS])

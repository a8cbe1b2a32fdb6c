"""The library for programs."""

from commonroom.http.operations import operation_routes
from commonroom.http.routes import Router
from commonroom.library.api import collections, imports, items, libraries, loans, search

PARTS = (libraries, collections, items, loans, search, imports)


def library_api() -> Router:
    """Returns all of it."""
    return Router("/api/v1", operation_routes(*(part.api for part in PARTS)))

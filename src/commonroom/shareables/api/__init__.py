"""Shareables for programs."""

from commonroom.http.operations import operation_routes
from commonroom.http.routes import Router
from commonroom.shareables.api import checklists, events, listing, pages, passcodes, polls
from commonroom.shareables.write_limits import limit_writes

PARTS = (pages, checklists, events, polls, passcodes, listing)


def shareables_api() -> Router:
    """Returns all of it."""
    return Router(
        "/api/v1",
        operation_routes(*(part.api for part in PARTS)),
        guards=[limit_writes],
    )

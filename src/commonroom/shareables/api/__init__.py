"""Shareables for programs."""

from litestar import Router

from commonroom.shareables.api import checklists, events, listing, pages, passcodes, polls
from commonroom.shareables.write_limits import limit_writes

PARTS = (pages, checklists, events, polls, passcodes, listing)


def shareables_api() -> Router:
    """All of it."""
    return Router(
        "/api/v1",
        route_handlers=[one for part in PARTS for one in part.OPERATIONS],
        guards=[limit_writes],
    )

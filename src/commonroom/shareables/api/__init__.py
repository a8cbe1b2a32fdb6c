"""Shareables for programs."""

from litestar import Router

from commonroom.shareables.api import (
    checklists,
    editing,
    events,
    listing,
    living,
    making,
    passcodes,
    polls,
    reading,
)
from commonroom.shareables.write_limits import limit_writes

PARTS = (making, reading, editing, checklists, events, polls, passcodes, living, listing)


def shareables_api() -> Router:
    """All of it."""
    return Router(
        "/api/v1",
        route_handlers=[one for part in PARTS for one in part.OPERATIONS],
        guards=[limit_writes],
    )

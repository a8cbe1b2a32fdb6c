"""Where one goes on after lending something or taking it back: where one came from."""

from __future__ import annotations

from commonroom.library.pages import addresses
from commonroom.web.people.asking import AnyRequest
from commonroom.web.people.going_on import safe

LONGEST_QUERY = 1500
"""What fits into an address beside everything else."""


def here(request: AnyRequest) -> str:
    """The page that is being asked for, to come back to; without a place in it that is too long."""
    path, query = request.url.path, request.url.query
    return f"{path}?{query}" if 0 < len(query) <= LONGEST_QUERY else path


def back(asked: str, otherwise: str) -> str:
    """The page of the room that one came from; `otherwise` where that is anything else."""
    address = safe(asked)
    return address if address.startswith(f"{addresses.ROOM}/") else otherwise

"""Where one goes on after lending something or taking it back: where one came from."""

from __future__ import annotations

from commonroom.library.pages import addresses
from commonroom.web.redirects import safe_path
from commonroom.web.request import Request

LONGEST_QUERY = 1500
"""What fits into an address beside everything else."""


def here(request: Request) -> str:
    """The page that is being asked for, to come back to; without a place in it that is too long."""
    path, query = request.url.path, request.url.query
    return f"{path}?{query}" if 0 < len(query) <= LONGEST_QUERY else path


def back(asked: str, otherwise: str) -> str:
    """The page of the room that one came from; `otherwise` where that is anything else."""
    address = safe_path(asked)
    return address if address.startswith(f"{addresses.ROOM}/") else otherwise

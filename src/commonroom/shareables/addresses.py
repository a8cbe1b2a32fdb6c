"""Where pages are, on this installation."""

from __future__ import annotations

from urllib.parse import quote

from commonroom.shareables.rules.short_ids import format_short_id

ONE = "/s/{short_id:str}"
"""A page, as a route."""
ADMIN = f"{ONE}/admin"
LEADS_TO = "/s/{short_id}"
"""Where most forms lead: back to the page."""


def address_of(short_id: str) -> str:
    """A page's one address, however its id was typed."""
    return f"/s/{quote(format_short_id(short_id), safe='')}"


def recovery_address(short_id: str, token: str) -> str:
    """The creator's way back in: whoever has this administers the page."""
    return f"{address_of(short_id)}/recover/{token}"

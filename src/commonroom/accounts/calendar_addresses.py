"""Where a person's calendar feed is."""

from __future__ import annotations

from urllib.parse import quote

FEED = "/calendar/{user_id:str}/{file:str}"
ENDING = ".ics"


def feed_address(user_id: str, token: str) -> str:
    """Returns the path of a feed: its own secret."""
    return f"/calendar/{quote(user_id, safe='')}/{token}{ENDING}"

"""The room's addresses in one place."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote, urlencode

ROOM = "/watchlists"
NEW = f"{ROOM}/new"
MINE = f"{ROOM}/mine"
FOLLOWING = f"{ROOM}/following"
PROFILE = f"{ROOM}/profile"
IMPORT = f"{ROOM}/import"
LISTS = "/lists"
CURATORS = "/curators"

# Patterns of handlers.
LIST = f"{LISTS}/{{watchlist_id:str}}"
EXPORT_ALL = f"{ROOM}/export.json"
ARRANGE = f"{LIST}/arrange"
EDIT = f"{LIST}/edit"
ITEMS = f"{LIST}/items"
CURATOR = f"{CURATORS}/{{username:str}}"
IMPORTED_ROW = f"{IMPORT}/rows/{{row_id:str}}"


def watchlist(watchlist_id: str, key: str = "") -> str:
    """Returns a list's page; `key` is that of the link which opens a private one."""
    path = f"{LISTS}/{quote(watchlist_id, safe='')}"
    return f"{path}?{urlencode({'key': key})}" if key else path


def export(watchlist_id: str, kind: str, key: str = "") -> str:
    """Returns a list as a file: `csv` or `json`."""
    path = f"{watchlist(watchlist_id)}/export.{kind}"
    return f"{path}?{urlencode({'key': key})}" if key else path


def _below(page: Callable[[str], str], end: str) -> Callable[[str], str]:
    return lambda named: f"{page(named)}/{end}"


list_feed = _below(watchlist, "feed.atom")
"""What is new on a public list."""
list_preview = _below(watchlist, "preview.png")
"""The picture that a link to a public list shows elsewhere."""
arrange = _below(watchlist, "arrange")
"""Where titles are added, noted and put in order."""
edit = _below(watchlist, "edit")
"""A list's title, who may see it, who helps with it, and its end."""


def invitation(watchlist_id: str, key: str) -> str:
    """Returns the link that makes its users collaborators."""
    return f"{watchlist(watchlist_id)}/join/{quote(key, safe='')}"


def imported_row(row_id: str) -> str:
    """Returns the page that asks which title a row of an import means."""
    return f"{IMPORT}/rows/{quote(row_id, safe='')}"


def curator(username: str) -> str:
    """Returns a curator's page."""
    return f"{CURATORS}/{quote(username, safe='')}"


curator_feed = _below(curator, "feed.atom")
"""What a curator has published."""
curator_preview = _below(curator, "preview.png")
"""The picture that a link to a curator shows elsewhere."""


def browse(facet: str, value: str) -> str:
    """Public lists under a tag, a genre or a decade."""
    return f"{ROOM}?{urlencode({facet: value})}"

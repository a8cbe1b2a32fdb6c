"""The room's addresses in one place."""

from __future__ import annotations

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


def list_feed(watchlist_id: str) -> str:
    """Returns what is new on a public list."""
    return f"{watchlist(watchlist_id)}/feed.atom"


def list_preview(watchlist_id: str) -> str:
    """Returns the picture that a link to a public list shows elsewhere."""
    return f"{watchlist(watchlist_id)}/preview.png"


def arrange(watchlist_id: str) -> str:
    """Returns where titles are added, noted and put in order."""
    return f"{watchlist(watchlist_id)}/arrange"


def edit(watchlist_id: str) -> str:
    """Returns a list's title, who may see it, who helps with it, and its end."""
    return f"{watchlist(watchlist_id)}/edit"


def invitation(watchlist_id: str, key: str) -> str:
    """Returns the link that makes its users collaborators."""
    return f"{watchlist(watchlist_id)}/join/{quote(key, safe='')}"


def imported_row(row_id: str) -> str:
    """Returns the page that asks which title a row of an import means."""
    return f"{IMPORT}/rows/{quote(row_id, safe='')}"


def curator(username: str) -> str:
    """Returns a curator's page."""
    return f"{CURATORS}/{quote(username, safe='')}"


def curator_feed(username: str) -> str:
    """Returns what a curator has published."""
    return f"{curator(username)}/feed.atom"


def curator_preview(username: str) -> str:
    """Returns the picture that a link to a curator shows elsewhere."""
    return f"{curator(username)}/preview.png"


def browse(facet: str, value: str) -> str:
    """Public lists under a tag, a genre or a decade."""
    return f"{ROOM}?{urlencode({facet: value})}"

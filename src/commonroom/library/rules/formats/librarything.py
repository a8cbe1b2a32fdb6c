"""LibraryThing: its CSV and its tab-separated export, which have the same columns."""

from __future__ import annotations

import re
from collections.abc import Collection

from commonroom.library.rules.formats.codes import take_isbn
from commonroom.library.rules.formats.drafting import Draft
from commonroom.library.rules.formats.people import listed, turned
from commonroom.library.rules.formats.sheets import Cells

UNOWNED = frozenset({"wishlist", "wish list", "read but unowned", "to read", "want to read"})

MOST_CREDITS = 100

_VIDEO = re.compile(r"\b(dvd|blu-?ray|vhs|video|videodisc|laserdisc|movie|film)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(1[89][0-9]{2}|20[0-9]{2})\b")


def is_header(columns: Collection[str]) -> bool:
    """Whether a file with these columns comes from there."""
    return {"title", "primary author", "secondary author"} <= set(columns)


def read(cells: Cells, _now: float) -> Draft:
    """A row as a book, or as a video where its media says so."""
    if _VIDEO.search(cells.get("media")):
        draft = Draft(cells.number, "video", cells.get("title"))
        _take_film(draft, cells)
    else:
        draft = Draft(cells.number, "book", cells.get("title"))
        draft.take_people("authors", [name for name, _ in _credits(cells)])
        take_isbn(draft, *listed(cells.get("isbns"), ","), cells.get("isbn").strip("[]"))
    _take_summary(draft, cells)
    draft.take_shelves(listed(cells.get("collections"), ","))
    if patron := cells.get("lending patron"):
        # What its dates mean depends on a status in words; a wrong loan is worse than none.
        why = f"LibraryThing knows of a loan to {patron[:50]}. Lend it here if it still lasts."
        draft.note("lent_to", why)
    return draft


def _take_film(draft: Draft, cells: Cells) -> None:
    people = _credits(cells)
    draft.take_people("cast", [name for name, role in people if "act" in role])
    draft.take_people("directors", [name for name, role in people if role in ("", "director")])
    if year := _YEAR.search(cells.get("date")):
        draft.take_number("release_year", year[1])


def _credits(cells: Cells) -> list[tuple[str, str]]:
    """Everybody with their role; the second ones stand in two columns, parted by `|`."""
    roles = cells.get("secondary author roles") or cells.get("secondary author role")
    others = cells.get("secondary author").split("|", MOST_CREDITS)[:MOST_CREDITS]
    parts = [*roles.split("|"), *([""] * len(others))]
    first = (cells.get("primary author"), cells.get("primary author role"))
    pairs = [first, *zip(others, parts, strict=False)]
    return [(turned(name), role.strip().casefold()) for name, role in pairs if name.strip()]


def _take_summary(draft: Draft, cells: Cells) -> None:
    """Takes a summary that somebody wrote: by itself, it is “<title> by <author> (<year>)”."""
    summary = cells.get("summary")
    if not summary.casefold().startswith(f"{cells.get('title').casefold()} by "):
        draft.take_summary(summary)

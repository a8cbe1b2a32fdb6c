"""Goodreads: “Export library”, one row for each book on any shelf."""

from __future__ import annotations

import re
from collections.abc import Collection

from commonroom.library.rules.formats.codes import take_isbn
from commonroom.library.rules.formats.drafting import Draft
from commonroom.library.rules.formats.people import listed
from commonroom.library.rules.formats.sheets import Cells

UNOWNED = frozenset({"to-read", "want-to-read", "wish-list", "wishlist"})

# “The Two Towers (The Lord of the Rings, #2)”; of several series, the first.
_SERIES = re.compile(
    r"(?P<title>.*\S)\s*"
    r"\((?P<series>[^()#;]*[^()#;,\s]),?\s*#(?P<place>[0-9.]+)(?:\s*[-–][0-9.]+)?(?:;[^()]*)?\)"
)


def is_header(columns: Collection[str]) -> bool:
    """Whether a file with these columns comes from there."""
    return {"title", "author", "author l-f", "exclusive shelf"} <= set(columns)


def read(cells: Cells, _now: float) -> Draft:
    """A row as a book."""
    title, series, place = cells.get("title"), "", ""
    if match := _SERIES.fullmatch(title):
        title, series, place = match["title"], match["series"], match["place"]
    draft = Draft(cells.number, "book", title)
    draft.take_place(series, place)
    draft.take_people(
        "authors", [cells.get("author"), *listed(cells.get("additional authors"), ",")]
    )
    # Written as ="9780…", so that a spreadsheet does not take it for a number.
    take_isbn(draft, *(cells.get(one).strip('="') for one in ("isbn13", "isbn")))
    draft.take_shelves([cells.get("exclusive shelf")])
    return draft

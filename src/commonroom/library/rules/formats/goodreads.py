"""Goodreads: “Export library”, one row for each book on any shelf."""

from __future__ import annotations

import re
from collections.abc import Collection

from commonroom.library.rules.formats.draft import Draft, Progress
from commonroom.library.rules.formats.sheets import Cells
from commonroom.library.rules.formats.values import split_list, split_people, take_isbn

UNOWNED = frozenset({"to-read", "want-to-read", "wish-list", "wishlist"})
PROGRESS: dict[str, Progress] = {"to-read": 0, "currently-reading": 1, "read": 2}

# “The Two Towers (The Lord of the Rings, #2)”; of several series, the first.
_SERIES = re.compile(
    r"(?P<title>.*\S)\s*"
    r"\((?P<series>[^()#;]*[^()#;,\s]),?\s*#(?P<place>[0-9.]+)(?P<more>(?:\s*[-–][0-9.]+)?)"
    r"(?:;(?P<other>[^()]*))?\)"
)


def is_header(columns: Collection[str]) -> bool:
    """Whether a file with these columns comes from there."""
    return {"title", "author", "author l-f", "exclusive shelf"} <= set(columns)


def read(cells: Cells, _now: float) -> Draft:
    """A row as a book."""
    match = _SERIES.fullmatch(cells.get("title"))
    draft = Draft(cells.number, "book", match["title"] if match else cells.get("title"))
    if match:
        _take_series(draft, match)
    more = split_list(cells.get("additional authors"), ",")
    draft.take_people("authors", [*split_people(cells.get("author")), *more])
    take_isbn(draft, cells.get("isbn13"), cells.get("isbn"))
    draft.take_line("publisher", cells.get("publisher"))
    draft.take_line("format", cells.get("binding"))
    draft.take_number("pages", cells.get("number of pages"))
    # Of the edition; only where that is not known, of the work.
    draft.take_number("year", cells.get("year published") or cells.get("original publication year"))
    draft.take_rating(cells.get("my rating"))
    draft.take_review(cells.get("my review"))
    draft.take_day("finished_on", cells.get("date read"))
    draft.take_copies(cells.get("owned copies"))
    shelf = cells.get("exclusive shelf")
    draft.take_progress(PROGRESS.get(shelf.casefold()))
    draft.take_tags([one for one in split_list(cells.get("bookshelves"), ",") if one != shelf])
    draft.take_shelves([shelf])
    cells.pass_over("book id", "author l-f", "bookshelves with positions")
    return draft


def _take_series(draft: Draft, match: re.Match[str]) -> None:
    draft.take_place(match["series"], match["place"])
    if match["more"]:
        whole = match["place"] + match["more"].strip()
        draft.note("order", f"It has the numbers {whole}; the first one is used.")
    if match["other"]:
        draft.note("collection", f"Only the first series is kept, not {match['other'].strip()}.")

"""Libib: one file for all that somebody keeps there, of which books and films are taken."""

from __future__ import annotations

import re
from collections.abc import Collection

from commonroom.library.rules.formats.draft import Draft, Progress
from commonroom.library.rules.formats.rows import InvalidRow, ItemKind
from commonroom.library.rules.formats.sheets import Cells
from commonroom.library.rules.formats.values import split_list, split_people, take_isbn

UNOWNED = frozenset({"wishlist", "wish list"})
PROGRESS: dict[str, Progress] = {"not begun": 0, "in progress": 1, "completed": 2}

_TYPES: dict[str, ItemKind] = {"book": "book", "": "book", "movie": "video"}
_YEAR = re.compile(r"\b(1[4-9][0-9]{2}|20[0-9]{2})\b")
_COUNT = re.compile(r"([0-9]{1,5})\b")


def is_header(columns: Collection[str]) -> bool:
    """Whether a file with these columns comes from there."""
    found = set(columns)
    return {"title", "creators"} <= found and bool({"item_type", "ean_isbn13"} & found)


def read(cells: Cells, _now: float) -> Draft:
    """A row as a book or a video."""
    kind = _TYPES.get(cells.get("item_type").casefold())
    if kind is None:
        raise InvalidRow(
            "item_type", f"This is not a book or video: “{cells.get('item_type')[:30]}”."
        )
    draft = Draft(cells.number, kind, cells.get("title"))
    creators = [
        name for one in split_list(cells.get("creators"), ",") for name in split_people(one)
    ]
    creators = creators or [f"{cells.get('first_name')} {cells.get('last_name')}"]
    year, count = _YEAR.search(cells.get("publish_date")), _COUNT.match(cells.get("length"))
    if kind == "book":
        draft.take_people("authors", creators)
        take_isbn(draft, cells.get("ean_isbn13"), cells.get("upc_isbn10"))
        draft.take_number("year", year[1] if year else "")
        draft.take_number("pages", count[1] if count else "")
    else:
        draft.take_people("directors", creators)
        draft.take_people("cast", split_list(cells.get("ensemble"), ","))
        draft.take_number("release_year", year[1] if year else "")
        draft.take_number("duration", count[1] if count else "")
    draft.take_summary(cells.get("description"))
    draft.take_place(cells.get("group"))
    draft.take_line("publisher", cells.get("publisher"))
    _take_opinion(draft, cells)
    draft.take_copies(cells.get("copies"))
    draft.take_shelves([cells.get("collection")])
    cells.pass_over("first_name", "last_name")
    return draft


def _take_opinion(draft: Draft, cells: Cells) -> None:
    """Takes what its owner thinks of it, and how far they are."""
    draft.take_rating(cells.get("rating"))
    draft.take_review(cells.get("review"))
    draft.take_day("started_on", cells.get("began"))
    draft.take_day("finished_on", cells.get("completed"))
    status = cells.get("status").casefold()
    draft.take_progress(PROGRESS.get(status))
    # What was given up is no status of ours: as a tag it is not lost.
    other = [status] if status not in PROGRESS else []
    draft.take_tags([*split_list(cells.get("tags"), ","), *other])

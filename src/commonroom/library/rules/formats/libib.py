"""Libib: one file for all that somebody keeps there, of which books and films are taken."""

from __future__ import annotations

import re
from collections.abc import Collection

from commonroom.library.rules.formats.codes import take_isbn
from commonroom.library.rules.formats.drafting import Draft
from commonroom.library.rules.formats.errors import BadRow
from commonroom.library.rules.formats.people import listed
from commonroom.library.rules.formats.rows import ItemKind
from commonroom.library.rules.formats.sheets import Cells

UNOWNED = frozenset({"wishlist", "wish list"})

_TYPES: dict[str, ItemKind] = {"book": "book", "": "book", "movie": "video"}
_YEAR = re.compile(r"\b(1[89][0-9]{2}|20[0-9]{2})\b")
_MINUTES = re.compile(r"([0-9]{1,4})\b")


def is_header(columns: Collection[str]) -> bool:
    """Whether a file with these columns comes from there."""
    found = set(columns)
    return {"title", "creators"} <= found and bool({"item_type", "ean_isbn13"} & found)


def read(cells: Cells, _now: float) -> Draft:
    """A row as a book or a video."""
    kind = _TYPES.get(cells.get("item_type").casefold())
    if kind is None:
        raise BadRow("item_type", f"This is no book or video: “{cells.get('item_type')[:30]}”.")
    draft = Draft(cells.number, kind, cells.get("title"))
    creators = listed(cells.get("creators"), ",") or [
        f"{cells.get('first_name')} {cells.get('last_name')}"
    ]
    if kind == "book":
        draft.take_people("authors", creators)
        take_isbn(draft, cells.get("ean_isbn13"), cells.get("upc_isbn10"))
    else:
        _take_film(draft, cells, creators)
    draft.take_summary(cells.get("description"))
    draft.take_place(cells.get("group"))
    draft.take_shelves([cells.get("collection")])
    return draft


def _take_film(draft: Draft, cells: Cells, creators: list[str]) -> None:
    draft.take_people("directors", creators)
    draft.take_people("cast", listed(cells.get("ensemble"), ","))
    if year := _YEAR.search(cells.get("publish_date")):
        draft.take_number("release_year", year[1])
    if minutes := _MINUTES.match(cells.get("length")):
        draft.take_number("duration", minutes[1])

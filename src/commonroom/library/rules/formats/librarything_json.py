"""LibraryThing's JSON: one object for each book, read as a row of its other exports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonroom.library.rules.formats.sheets import Cells

_COLUMNS = {
    "title": "title",
    "publication": "publication",
    "date": "date",
    "summary": "summary",
    "pages": "page count",
    "rating": "rating",
    "review": "review",
    "datestarted": "date started",
    "dateread": "date read",
    "copies": "copies",
    "originalisbn": "isbn",
    "isbn": "isbns",
    "tags": "tags",
    "collections": "collections",
    "language": "languages",
    "series": "series",
    "books_id": "book id",
    "workcode": "work id",
    "sortcharacter": "sort character",
    "dimensions": "dimensions",
}
"""Where a member of a book stands in the other exports."""
DEEPEST = 4
"""How far lists within lists are read: what anybody sends has an end."""
_SEPARATORS = {"series": "|"}
_SAID_ELSEWHERE = (
    "primaryauthor", "authors", "format", "public", "tagidA", "collections_idA",
    "language_codeA", "originallanguage_codeA", "genre_id", "asin", "ean", "upc",
)  # fmt: skip


def is_book(one: Any) -> bool:
    """Whether this is a book as LibraryThing writes it."""
    return isinstance(one, dict) and "books_id" in one and "title" in one


def cells_of(number: int, book: Mapping[str, Any]) -> Cells:
    """A book as a row; what has no column there keeps its own name."""
    cells = {
        _COLUMNS.get(name, name): _text(value, _SEPARATORS.get(name, ", "))
        for name, value in book.items()
    }
    people = [one for one in _all(book.get("authors")) if isinstance(one, dict)]
    first, *others = people or [{"lf": book.get("primaryauthor") or ""}]
    media = [one for one in _all(book.get("format")) if isinstance(one, dict)]
    cells |= {
        "primary author": _member(first, "lf") or _member(first, "fl"),
        "primary author role": _member(first, "role"),
        "secondary author": "|".join(_member(one, "lf") or _member(one, "fl") for one in others),
        "secondary author roles": "|".join(_member(one, "role") for one in others),
        "media": _member(media[0], "text") if media else "",
    }
    row = Cells(number, cells)
    row.pass_over(*_SAID_ELSEWHERE)
    return row


def _member(of: Mapping[str, Any], name: str) -> str:
    return _text(of.get(name), " ").replace("|", " ")


def _all(value: Any) -> list[Any]:
    """What a list holds; LibraryThing writes some of them as objects with numbers for names."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any, separator: str, deep: int = 0) -> str:
    if isinstance(value, dict | list):
        within = _all(value) if deep < DEEPEST else []
        texts = (_text(one, separator, deep + 1) for one in within)
        return separator.join(text for text in texts if text)
    return "" if value is None else str(value)

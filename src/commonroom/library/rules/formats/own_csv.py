"""Our own CSV: every field of every item and its loan, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from commonroom.errors import InvalidField
from commonroom.library.rules import names
from commonroom.library.rules.formats import InvalidRow, ItemKind, Row
from commonroom.library.rules.formats.draft import Draft
from commonroom.library.rules.formats.sheets import Cells, SheetFormat
from commonroom.library.rules.items import LISTS, NUMBERS
from commonroom.library.tables import Book, Collection, Video

COLUMNS = (
    "type",
    "title",
    "collection",
    "order",
    "authors",
    "directors",
    "cast",
    "release_year",
    "duration",
    "isbn",
    "tmdb_id",
    "summary",
    "picture_url",
    "lent_to",
    "lent_at",
    "due_date",
    "contributors",
    "publisher",
    "year",
    "pages",
    "language",
    "format",
    "tags",
    "location",
    "copies",
    "status",
    "started_on",
    "finished_on",
    "rating",
    "review",
)
LINES = ("picture_url", "publisher", "language", "format", "location")
CODES = ("isbn", "status", "started_on", "finished_on")
KINDS: dict[str, ItemKind] = {"book": "book", "video": "video"}
HEADER = ",".join(COLUMNS) + "\r\n"

# What a spreadsheet would take for a formula, and what was guarded against that before.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
LONGEST_LIST = 20_000
"""Fifty names of a hundred signs, each with a backslash before it, and what is between them."""


def read_csv(cells: Cells, now: float) -> Draft:
    """A row as a book or a video."""
    kind = KINDS.get(cells.get("type").casefold())
    if kind is None:
        raise InvalidRow("type", "The type must be “book”, “video” or “collection”.")
    draft = Draft(cells.number, kind, _text(cells, "title"))
    draft.take_place(_text(cells, "collection"), cells.get("order"))
    for field in LISTS:
        draft.take(field, split_list(_text(cells, field)))
    for field in NUMBERS:
        draft.take_number(field, cells.get(field))
    for field in CODES:
        draft.take(field, cells.get(field))
    for field in LINES:
        draft.take(field, _text(cells, field))
    draft.take_rating(cells.get("rating"))
    draft.take("review", _text(cells, "review"))
    draft.take_summary(_text(cells, "summary"))
    draft.take_loan(now, _text(cells, "lent_to"), cells.get("lent_at"), cells.get("due_date"))
    return draft


def collection_in(cells: Cells) -> Row | None:
    """A row that is a collection and no item."""
    if cells.get("type").casefold() != "collection":
        return None
    cells.pass_over(*COLUMNS)
    return collection_row(cells.number, _text(cells, "title"), _text(cells, "summary"))


def collection_row(number: int, name: str, description: str | None) -> Row:
    """A collection by itself: it may have a description, and may be empty."""
    try:
        return Row(
            number=number,
            kind="collection",
            collection=names.collection_name(name),
            description=names.collection_description(description),
        )
    except InvalidField as refused:
        raise InvalidRow(refused.field, refused.detail) from None


def line(thing: Book | Video | Collection) -> str:
    """A line of the file."""
    cells = _of_collection(thing) if isinstance(thing, Collection) else _of_item(thing)
    written = io.StringIO(newline="")
    csv.writer(written).writerow([cells.get(column, "") for column in COLUMNS])
    return written.getvalue()


def _of_collection(one: Collection) -> dict[str, str]:
    return {
        "type": "collection",
        "title": escape_formula(one.name),
        "summary": escape_formula(one.description or ""),
    }


def _of_item(one: Book | Video) -> dict[str, str]:
    cells = {"type": "book" if isinstance(one, Book) else "video"}
    cells["collection"] = escape_formula(one.collection_name or "")
    for column in COLUMNS:
        value = getattr(one, column, None) if column != "type" else None
        if value is not None:
            cells[column] = escape_formula(_written(value))
    return cells


def _written(value: str | float | list[str]) -> str:
    if isinstance(value, list):
        return join_list(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _text(cells: Cells, column: str) -> str:
    return unescape_formula(cells.raw(column))


def escape_formula(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: with `'` before one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(cell: str) -> str:
    """The text that was guarded."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def join_list(names: Sequence[str]) -> str:
    """A list in one cell, with `;` between; within a name, that has a backslash before it."""
    return "; ".join(name.replace("\\", "\\\\").replace(";", "\\;") for name in names)


def split_list(cell: str) -> list[str]:
    """The list in a cell; one that is longer than any list is a name that no rule will take."""
    if len(cell) > LONGEST_LIST:
        return [cell]
    names: list[list[str]] = [[]]
    signs = iter(cell)
    for sign in signs:
        if sign == ";":
            names.append([])
        else:
            names[-1].append(next(signs, "") if sign == "\\" else sign)
    return [name for one in names if (name := "".join(one).strip())]


COMMONROOM_CSV = SheetFormat(
    columns=frozenset({"type", "title", "collection", "order"}), read=read_csv
)
"""Known even where some columns were taken out of a file."""

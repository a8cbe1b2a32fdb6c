"""Our own CSV: every field of every item and its loan, safe to open in a spreadsheet."""

from __future__ import annotations

from commonroom.imports.files import InvalidRow
from commonroom.imports.sheets import (
    Cells,
    csv_line,
    escape_formula,
    join_cell,
    split_cell,
)
from commonroom.library.rules.formats import ItemKind, LibraryRow
from commonroom.library.rules.formats.draft import ItemDraft
from commonroom.library.rules.formats.own_json import (
    CODES,
    LINES,
    LibraryJsonItem,
    collection_row,
)
from commonroom.library.rules.formats.sheets import SheetFormat
from commonroom.library.rules.items import LISTS, NUMBERS
from commonroom.library.tables import Book, Collection, Video

COLUMNS = tuple(name for name in LibraryJsonItem.__struct_fields__ if name != "history")
KINDS: dict[str, ItemKind] = {"book": "book", "video": "video"}
HEADER = ",".join(COLUMNS) + "\r\n"


def read_csv(cells: Cells, now: float) -> ItemDraft:
    """Returns a row as a book or a video."""
    kind = KINDS.get(cells.get("type").casefold())
    if kind is None:
        raise InvalidRow("type", "The type must be “book”, “video” or “collection”.")
    draft = ItemDraft(cells.number, kind, cells.text("title"), now)
    draft.take_place(cells.text("collection"), cells.get("order"))
    for field in LISTS:
        draft.take(field, split_cell(cells.text(field)))
    for field in NUMBERS:
        draft.take_number(field, cells.get(field))
    for field in CODES:
        draft.take(field, cells.get(field))
    for field in LINES:
        draft.take(field, cells.text(field))
    draft.take_rating(cells.get("rating"))
    draft.take("review", cells.text("review"))
    draft.take_summary(cells.text("summary"))
    draft.take_loan(cells.text("lent_to"), cells.get("lent_at"), cells.get("due_date"))
    return draft


def collection_in(cells: Cells) -> LibraryRow | None:
    """Returns a row that is a collection and no item."""
    if cells.get("type").casefold() != "collection":
        return None
    cells.pass_over(*cells.cells)
    return collection_row(cells.number, cells.text("title"), cells.text("summary"))


def line(thing: Book | Video | Collection) -> str:
    """Returns a line of the file."""
    cells = _of_collection(thing) if isinstance(thing, Collection) else _of_item(thing)
    return csv_line(COLUMNS, cells)


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
        return join_cell(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


COMMONROOM_CSV = SheetFormat(
    columns=frozenset({"type", "title", "collection", "order"}), read=read_csv
)
"""Known even where some columns were taken out of a file."""

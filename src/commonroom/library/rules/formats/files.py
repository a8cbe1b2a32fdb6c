"""Files: the format is known by the header, and a bad row does not stop the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from commonroom.imports.budget import ReadBudget
from commonroom.imports.files import (
    InvalidRow,
    Note,
    Notes,
    UnreadableFile,
    check_count,
    check_size,
    decode,
)
from commonroom.imports.sheets import SEPARATORS, Cells, Sheet, has_quoted_tabs, header_of
from commonroom.library.rules.formats import Format, ParsedLibraryFile
from commonroom.library.rules.formats.librarything import LIBRARYTHING, cells_of, is_book
from commonroom.library.rules.formats.own_csv import COMMONROOM_CSV, collection_in
from commonroom.library.rules.formats.own_json import is_own, read_json
from commonroom.library.rules.formats.services import GOODREADS, LIBIB, STORYGRAPH
from commonroom.library.rules.formats.sheets import SheetFormat

MAX_UNKEPT = 50

SHEETS: dict[Format, SheetFormat] = {
    "goodreads": GOODREADS,
    "librarything": LIBRARYTHING,
    "libib": LIBIB,
    "storygraph": STORYGRAPH,
    "commonroom_csv": COMMONROOM_CSV,
}


def read_file(file: bytes, now: float) -> ParsedLibraryFile:
    """Returns all that a file holds; refused in a sentence where it is none that we know."""
    check_size(file)
    text, repaired = decode(file)
    ReadBudget().take_cells(text)
    if not text.strip():
        raise UnreadableFile("This file is empty.")
    is_json = text.lstrip().startswith(("{", "["))
    found = _read_json(text, now) if is_json else _read_sheet(text, now)
    return replace(found, repaired=repaired, unkept=found.unkept[:MAX_UNKEPT])


def unowned_shelves(kind: Format) -> frozenset[str]:
    """Returns the shelves of a service that hold what one wishes for, without case."""
    return SHEETS[kind].unowned if kind in SHEETS else frozenset()


def _read_json(text: str, now: float) -> ParsedLibraryFile:
    if is_own(text):
        return read_json(text, now)
    try:
        whole: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        whole = None
    things = list(whole.values()) if isinstance(whole, dict) else whole
    if not isinstance(things, list) or not any(map(is_book, things)):
        raise UnreadableFile(
            "This JSON file is not supported. You can import JSON files from LibraryThing "
            "and Commonroom."
        )
    check_count(len(things))
    rows = (
        cells_of(number, one)
        if is_book(one)
        else Cells(number, {}, InvalidRow(None, "This is not a book."))
        for number, one in enumerate(things, start=1)
    )
    return _read_rows(rows, "librarything", {}, now)


def _read_sheet(text: str, now: float) -> ParsedLibraryFile:
    for separator in SEPARATORS:
        columns = header_of(text, separator)
        for kind, one in SHEETS.items():
            if one.is_header(columns):
                # LibraryThing writes quotation marks between tabs as they are.
                raw = separator == "\t" and kind == "librarything" and not has_quoted_tabs(text)
                sheet = Sheet(text, separator, quoted=not raw)
                return _read_rows(sheet.rows(), kind, sheet.columns, now)
    raise UnreadableFile(
        "This file is not supported. You can import files from Goodreads, LibraryThing, "
        "StoryGraph, Libib and Commonroom."
    )


def _read_rows(
    rows: Iterable[Cells], kind: Format, columns: Mapping[str, str], now: float
) -> ParsedLibraryFile:
    found = ParsedLibraryFile(kind, [], Notes(), Notes())
    unkept: dict[str, None] = {}
    for cells in rows:
        try:
            _read_row(found, cells, now, unkept.setdefault)
        except InvalidRow as bad:
            title = cells.get("title")[:100] or None
            found.bad.append(Note(cells.number, bad.field, title, bad.detail))
    return replace(found, unkept=[columns.get(one, one) for one in unkept])


def _read_row(
    found: ParsedLibraryFile, cells: Cells, now: float, leave: Callable[[str, None], None]
) -> None:
    if cells.trouble is not None:
        raise cells.trouble
    if found.format == "commonroom_csv" and (alone := collection_in(cells)) is not None:
        found.rows.append(alone)
        return
    draft = SHEETS[found.format].read(cells, now)
    found.rows.append(draft.row)
    found.warnings.extend(draft.notes)
    for what in (*sorted(draft.unkept), *cells.unread):
        leave(what, None)

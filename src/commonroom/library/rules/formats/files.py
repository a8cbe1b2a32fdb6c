"""Files: the format is known by the header, and a bad row does not stop the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from commonroom.imports.contents import DAMAGED, is_json, is_own
from commonroom.imports.files import InvalidRow, UnreadableFile, check_count, check_size
from commonroom.imports.sheets import Cells, Sheet, find_format, has_quoted_tabs
from commonroom.library.rules.formats import Format, ParsedLibraryFile
from commonroom.library.rules.formats.draft import LibraryContents
from commonroom.library.rules.formats.librarything import LIBRARYTHING, cells_of, is_book
from commonroom.library.rules.formats.own_csv import COMMONROOM_CSV, collection_in
from commonroom.library.rules.formats.own_json import FORMAT, read_json
from commonroom.library.rules.formats.services import GOODREADS, LIBIB, STORYGRAPH
from commonroom.library.rules.formats.sheets import SheetFormat

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
    contents = LibraryContents(now)
    text = contents.decode(file)
    if not text.strip():
        raise UnreadableFile("This file is empty.")
    kind = _read_json(contents, text) if is_json(text) else _read_sheet(contents, text)
    return contents.whole(kind)


def unowned_shelves(kind: Format) -> frozenset[str]:
    """Returns the shelves of a service that hold what one wishes for, without case."""
    return SHEETS[kind].unowned if kind in SHEETS else frozenset()


def _read_json(contents: LibraryContents, text: str) -> Format:
    if is_own(text, FORMAT):
        read_json(contents, text)
        return "commonroom_json"
    try:
        whole: Any = msgspec.json.decode(text)
    except DAMAGED:
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
    _read_rows(contents, "librarything", rows, {})
    return "librarything"


def _read_sheet(contents: LibraryContents, text: str) -> Format:
    found = find_format(text, SHEETS)
    if found is None:
        raise UnreadableFile(
            "This file is not supported. You can import files from Goodreads, LibraryThing, "
            "StoryGraph, Libib and Commonroom."
        )
    separator, kind, _ = found
    # LibraryThing writes quotation marks between tabs as they are.
    raw = separator == "\t" and kind == "librarything" and not has_quoted_tabs(text)
    sheet = Sheet(text, separator, quoted=not raw)
    _read_rows(contents, kind, sheet.rows(), sheet.columns)
    return kind


def _read_rows(
    contents: LibraryContents, kind: Format, rows: Iterable[Cells], columns: Mapping[str, str]
) -> None:
    def take(cells: Cells) -> None:
        if kind == "commonroom_csv" and (alone := collection_in(cells)) is not None:
            contents.rows.append(alone)
        else:
            contents.add(SHEETS[kind].read(cells, contents.now))

    contents.read_rows(rows, take, columns=columns)

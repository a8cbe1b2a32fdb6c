"""Reading a file: its format is known by its header, and a bad row does not stop the rest."""

from __future__ import annotations

from typing import Protocol

from commonroom.library.rules.formats import goodreads, libib, librarything, own_csv
from commonroom.library.rules.formats.decoding import text_of
from commonroom.library.rules.formats.drafting import Draft
from commonroom.library.rules.formats.errors import BadRow, TooLarge, Unreadable
from commonroom.library.rules.formats.own_json import read_json
from commonroom.library.rules.formats.rows import FileRead, Format, Note
from commonroom.library.rules.formats.sheets import SEPARATORS, Cells, header_of, rows_of

LARGEST_FILE = 8_000_000


class Sheet(Protocol):
    """A format of separated values."""

    UNOWNED: frozenset[str]

    def is_header(self, columns: list[str], /) -> bool:
        """Whether these are its columns."""

    def read(self, cells: Cells, now: float, /) -> Draft:
        """A row of it."""


SHEETS: dict[Format, Sheet] = {
    "goodreads": goodreads,
    "librarything": librarything,
    "libib": libib,
    "commonroom_csv": own_csv,
}


def read_file(file: bytes, now: float) -> FileRead:
    """All that a file holds; refused in a sentence where it is none that we know."""
    if len(file) > LARGEST_FILE:
        raise TooLarge(f"A file may have {LARGEST_FILE // 1_000_000} MB. Export it in parts.")
    text = text_of(file)
    if not text.strip():
        raise Unreadable("This file is empty.")
    is_json = text.lstrip().startswith(("{", "["))
    return read_json(text, now) if is_json else _read_sheet(text, now)


def unowned_shelves(kind: Format) -> frozenset[str]:
    """The shelves of a service that hold what one wishes for, without case."""
    return SHEETS[kind].UNOWNED if kind in SHEETS else frozenset()


def _read_sheet(text: str, now: float) -> FileRead:
    for separator in SEPARATORS:
        columns = header_of(text, separator)
        for kind, sheet in SHEETS.items():
            if sheet.is_header(columns):
                return _read_rows(text, separator, kind, now)
    raise Unreadable(
        "This is no file that we know. We read what Goodreads, LibraryThing and Libib export as "
        "CSV, and what Commonroom itself exports."
    )


def _read_rows(text: str, separator: str, kind: Format, now: float) -> FileRead:
    found = FileRead(kind, [], [], [])
    for cells in rows_of(text, separator):
        try:
            _read_row(found, cells, now)
        except BadRow as bad:
            title = cells.get("title")[:100] or None
            found.bad.append(Note(cells.number, bad.field, title, bad.detail))
    return found


def _read_row(found: FileRead, cells: Cells, now: float) -> None:
    if cells.trouble is not None:
        raise cells.trouble
    if found.format == "commonroom_csv" and (alone := own_csv.collection_in(cells)) is not None:
        found.rows.append(alone)
        return
    draft = SHEETS[found.format].read(cells, now)
    found.rows.append(draft.row)
    found.warnings.extend(draft.notes)

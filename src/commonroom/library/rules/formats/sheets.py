"""Separated values: bytes decoded, the header, and rows numbered as a spreadsheet does."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct, field

from commonroom.library.rules.formats.rows import InvalidRow, UnreadableFile, check_count

SEPARATORS = (",", ";", "\t")
FIRST_ROW = 2
"""A spreadsheet counts the header, too."""

# A cell may be as long as a file: the reader's own limit would end the reading altogether.
csv.field_size_limit(16 * 1024 * 1024)

# A quoted cell with doubled quotation marks in it: only a spreadsheet writes tabs so.
_QUOTED_TABS = re.compile(r'(?:^|\t)"[^"\t]*""', re.MULTILINE)


UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PROBE = 200
"""How many bytes tell whether every other one is empty, as in UTF-16."""
# Where a byte is no UTF-8, Python puts a lone surrogate, which no UTF-8 can hold.
_ESCAPED = {
    0xDC00 + byte: bytes([byte]).decode("cp1252", errors="replace") for byte in range(0x80, 0x100)
}


class Cells(Struct, frozen=True):
    """A row: its number, and its cells by the names of their columns, which have no case."""

    number: int
    cells: Mapping[str, str]
    trouble: InvalidRow | None = None
    asked: set[str] = field(default_factory=set)
    """The columns that somebody has looked at."""

    def get(self, column: str) -> str:
        """A cell without the space around it; empty where there is none."""
        return self.raw(column).strip()

    def raw(self, column: str) -> str:
        """A cell as it is."""
        self.asked.add(column)
        return self.cells.get(column, "")

    def pass_over(self, *columns: str) -> None:
        """Takes cells for looked at that say once more what others do."""
        self.asked.update(columns)

    @property
    def unread(self) -> Iterator[str]:
        """The columns with something in them that nobody has looked at."""
        for column, cell in self.cells.items():
            if column not in self.asked and cell.strip() not in ("", "0"):
                yield column


class Sheet:
    """The text of a file as a table."""

    def __init__(self, text: str, separator: str, *, quoted: bool = True) -> None:
        self._lines = list(io.StringIO(text, newline=""))
        self._separator, self._quoted = separator, quoted
        names: list[str] = next(self._reader(), [])
        self.columns = {name.strip().casefold(): name.strip() for name in names}
        """The names of the columns as they are written, by those without case."""

    def rows(self) -> Iterator[Cells]:
        """Every row that is not empty."""
        reader = self._reader()
        columns = [name.strip().casefold() for name in next(reader, [])]
        before = reader.line_num
        for number, cells in enumerate(reader, start=FIRST_ROW):
            check_count(number - 1)
            trouble = _trouble(columns, cells)
            if reader.line_num == len(self._lines) and self._is_open(before):
                trouble = InvalidRow(
                    None, "A quotation mark is never closed, so the rest is unreadable."
                )
            before = reader.line_num
            if any(cell.strip() for cell in cells):
                yield Cells(number, dict(zip(columns, cells, strict=False)), trouble)

    def _reader(self) -> csv._reader:  # type: ignore[name-defined] # typeshed's name for it
        if self._quoted:
            return csv.reader(self._lines, delimiter=self._separator)
        return csv.reader(self._lines, delimiter=self._separator, quoting=csv.QUOTE_NONE)

    def _is_open(self, start: int) -> bool:
        """Whether the last row runs to the end because a quotation mark is missing."""
        last = self._lines[start:]
        return self._quoted and len(last) > 1 and sum(line.count('"') for line in last) % 2 == 1


def header_of(text: str, separator: str) -> list[str]:
    """The names of the columns, without case."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return [name.strip().casefold() for name in next(reader, [])]


def has_quoted_tabs(text: str) -> bool:
    """Whether a spreadsheet wrote a tab-separated file: it quotes cells as in CSV."""
    return _QUOTED_TABS.search(text) is not None


def _trouble(columns: list[str], cells: list[str]) -> InvalidRow | None:
    if any(cell.strip() for cell in cells[len(columns) :]):
        return InvalidRow(None, "This row has more cells than columns.")
    return None


class Decoded(NamedTuple):
    """The text of a file, and how many of its characters had to be guessed."""

    text: str
    repaired: int


def decode(file: bytes) -> Decoded:
    """The text of a file: UTF-16, or UTF-8 of which only the wrong bytes are read as Windows-1252.

    A few bytes mean nothing there either, and show as unknown characters.
    """
    encoding = _encoding(file)
    if encoding.startswith("utf-16"):
        text = file.decode(encoding, errors="replace")
        repaired = text.count(UNKNOWN)
    else:
        escaped = file.decode(encoding, errors="surrogateescape")
        text = escaped.translate(_ESCAPED)
        repaired = sum(map(escaped.count, map(chr, _ESCAPED))) if text != escaped else 0
    if "\0" in text:
        raise UnreadableFile(
            "This is not a text file. Export your books as CSV and choose that file."
        )
    return Decoded(text, repaired)


def _encoding(file: bytes) -> str:
    for mark, encoding in _MARKS:
        if file.startswith(mark):
            return encoding
    start = file[:_PROBE]
    if start and start[1::2].count(0) > len(start) // 4 > start[::2].count(0):
        return "utf-16-le"
    if start and start[::2].count(0) > len(start) // 4 > start[1::2].count(0):
        return "utf-16-be"
    return "utf-8"

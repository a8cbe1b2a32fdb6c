"""Separated values: the header, rows as a spreadsheet counts them, and what is in their cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct, field

from commonroom.imports.files import (
    MAX_ROWS,
    MAX_UNPACKED,
    FileTooLarge,
    InvalidRow,
    UnreadableFile,
    check_count,
)

SEPARATORS = (",", ";", "\t")
MAX_LIST = 20_000
"""Fifty names of a hundred signs, each with a backslash before it, and what is between them."""

MAX_COLUMNS = 500
"""The widest export that is known has sixty."""
MAX_HEAD = 100_000
"""How far the header of a table is looked for."""

# A cell may be as long as a file: the reader's own limit would end the reading altogether.
csv.field_size_limit(MAX_UNPACKED)

# A quoted cell with doubled quotation marks in it: only a spreadsheet writes tabs so.
_QUOTED_TABS = re.compile(r'(?:^|\t)"[^"\t]*""', re.MULTILINE)
# As the csv module wants them: other signs that end lines elsewhere are part of a cell.
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
# What a spreadsheet would take for a formula, and what was guarded against that before.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


class Cells(Struct, frozen=True):
    """A row: its number, and its cells by the names of their columns, which have no case."""

    number: int
    cells: Mapping[str, str]
    trouble: InvalidRow | None = None
    asked: set[str] = field(default_factory=set)
    """The columns that were looked at."""

    def get(self, column: str) -> str:
        """Returns a cell without the space around it; empty where there is none."""
        return self.raw(column).strip()

    def raw(self, column: str) -> str:
        """Returns a cell as it is."""
        self.asked.add(column)
        return self.cells.get(column, "")

    def text(self, column: str) -> str:
        """Returns a cell of a file of ours, in which formulas are guarded."""
        return unescape_formula(self.raw(column))

    def pass_over(self, *columns: str) -> None:
        """Takes cells for looked at that say once more what others do."""
        self.asked.update(columns)

    @property
    def unread(self) -> Iterator[str]:
        """The columns with something in them that nobody has looked at."""
        for column, cell in self.cells.items():
            if column not in self.asked and cell.strip() not in ("", "0"):
                yield column


class _Lines:
    """The lines of a text one by one, and whether a row that has just been read was left open."""

    def __init__(self, text: str) -> None:
        self._found = _LINE.finditer(text)
        self._left = len(text)
        self._lines = self._quotes = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._found)[0]
        self._left -= len(line)
        self._lines += 1
        self._quotes += line.count('"')
        return line

    def end_row(self) -> bool:
        """Whether the row runs to the end of the text because a quotation mark is missing."""
        is_open = self._left == 0 and self._lines > 1 and self._quotes % 2 == 1
        self._lines = self._quotes = 0
        return is_open


class Sheet:
    """The text of a file as a table; a spreadsheet counts the header, and what is above it."""

    def __init__(
        self,
        text: str,
        separator: str,
        *,
        quoted: bool = True,
        header_row: int = 1,
        most_rows: int = MAX_ROWS,
    ) -> None:
        self._text, self._separator = text, separator
        self._quoted, self._header_row, self._most_rows = quoted, header_row, most_rows
        names = next(self._rows(_Lines(text)), [])
        if len(names) > MAX_COLUMNS:
            raise FileTooLarge(f"A file can have up to {MAX_COLUMNS} columns.")
        self.columns = {name.strip().casefold(): name.strip() for name in names}
        """The names of the columns as they are written, by those without case."""

    def rows(self) -> Iterator[Cells]:
        """Yields every row that is not empty."""
        lines = _Lines(self._text)
        rows = self._rows(lines)
        columns = [name.strip().casefold() for name in next(rows, [])]
        lines.end_row()
        for number, cells in enumerate(rows, start=self._header_row + 1):
            check_count(number - self._header_row, self._most_rows)
            trouble = _trouble(columns, cells)
            if lines.end_row() and self._quoted:
                trouble = InvalidRow(
                    None, "A quotation mark is never closed, so the rest is unreadable."
                )
            if any(cell.strip() for cell in cells):
                yield Cells(number, dict(zip(columns, cells, strict=False)), trouble)

    def _rows(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """Yields the rows from the header on."""
        quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if self._quoted else csv.QUOTE_NONE
        return islice(read_csv(lines, self._separator, quoting=quoting), self._header_row - 1, None)


def read_csv(
    lines: Iterable[str], separator: str, *, quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
) -> Iterator[list[str]]:
    """Yields the cells of each row; refuses what is no table in a sentence."""
    try:
        yield from csv.reader(lines, delimiter=separator, quoting=quoting)
    except csv.Error:
        raise UnreadableFile("This table is damaged. Export it again.") from None


def first_rows(text: str, separator: str, most: int) -> list[list[str]]:
    """Returns the rows that a text begins with, as far as headers can be."""
    return list(islice(read_csv(_Lines(text[:MAX_HEAD]), separator), most))


class SheetHeader(Struct, frozen=True, kw_only=True):
    """How the header of a format is known."""

    columns: frozenset[str]
    any_of: frozenset[str] = frozenset()
    """Columns of which it has at least one, where there are any."""

    def is_header(self, columns: Collection[str]) -> bool:
        """Whether a file with these columns is of this format."""
        found = set(columns)
        return self.columns <= found and (not self.any_of or bool(self.any_of & found))


K = TypeVar("K")
H = TypeVar("H", bound=SheetHeader)


class FoundFormat(NamedTuple, Generic[K, H]):
    """The format of a table, and what stands between its cells."""

    separator: str
    kind: K
    format: H


def header_of(text: str, separator: str) -> list[str]:
    """Returns the names of the columns, without case."""
    return [name.strip().casefold() for row in first_rows(text, separator, 1) for name in row]


def find_format(text: str, formats: Mapping[K, H]) -> FoundFormat[K, H] | None:
    """Returns the format of which a table is, by its header."""
    for separator in SEPARATORS:
        columns = header_of(text, separator)
        for kind, one in formats.items():
            if one.is_header(columns):
                return FoundFormat(separator, kind, one)
    return None


def has_quoted_tabs(text: str) -> bool:
    """Whether a spreadsheet wrote a tab-separated file: it quotes cells as in CSV."""
    return _QUOTED_TABS.search(text) is not None


def csv_line(columns: Sequence[str], cells: Mapping[str, str]) -> str:
    """Returns a line of a CSV file, empty where there is no cell for a column."""
    written = io.StringIO(newline="")
    csv.writer(written).writerow([cells.get(column, "") for column in columns])
    return written.getvalue()


def escape_formula(text: str) -> str:
    """Returns a cell that no spreadsheet takes for a formula: with `'` before one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(cell: str) -> str:
    """Returns the text that was guarded."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def join_cell(names: Sequence[str]) -> str:
    """A list in one cell, with `;` between; within a name, that has a backslash before it."""
    return "; ".join(name.replace("\\", "\\\\").replace(";", "\\;") for name in names)


def split_cell(cell: str) -> list[str]:
    """The list in a cell; one that is longer than any list is a name that no rule will take."""
    if len(cell) > MAX_LIST:
        return [cell]
    names: list[list[str]] = [[]]
    signs = iter(cell)
    for sign in signs:
        if sign == ";":
            names.append([])
        else:
            names[-1].append(next(signs, "") if sign == "\\" else sign)
    return [name for one in names if (name := "".join(one).strip())]


def _trouble(columns: list[str], cells: list[str]) -> InvalidRow | None:
    if any(cell.strip() for cell in cells[len(columns) :]):
        return InvalidRow(None, "This row has more cells than columns.")
    return None

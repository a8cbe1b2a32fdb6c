"""Separated values: the header, rows as a spreadsheet counts them, and what is in their cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from commonroom.imports.files import InvalidRow, check_count

SEPARATORS = (",", ";", "\t")
LONGEST_LIST = 20_000
"""Fifty names of a hundred signs, each with a backslash before it, and what is between them."""

# A cell may be as long as a file: the reader's own limit would end the reading altogether.
csv.field_size_limit(16 * 1024 * 1024)

# A quoted cell with doubled quotation marks in it: only a spreadsheet writes tabs so.
_QUOTED_TABS = re.compile(r'(?:^|\t)"[^"\t]*""', re.MULTILINE)
# What a spreadsheet would take for a formula, and what was guarded against that before.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


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
    """The text of a file as a table; a spreadsheet counts the header, and what is above it."""

    def __init__(
        self, text: str, separator: str, *, quoted: bool = True, header_row: int = 1
    ) -> None:
        self._lines = list(io.StringIO(text, newline=""))
        self._separator, self._quoted, self._header_row = separator, quoted, header_row
        names: list[str] = next(self._reader(), [])
        self.columns = {name.strip().casefold(): name.strip() for name in names}
        """The names of the columns as they are written, by those without case."""

    def rows(self) -> Iterator[Cells]:
        """Every row that is not empty."""
        reader = self._reader()
        columns = [name.strip().casefold() for name in next(reader, [])]
        before = reader.line_num
        for number, cells in enumerate(reader, start=self._header_row + 1):
            check_count(number - self._header_row)
            trouble = _trouble(columns, cells)
            if reader.line_num == len(self._lines) and self._is_open(before):
                trouble = InvalidRow(
                    None, "A quotation mark is never closed, so the rest is unreadable."
                )
            before = reader.line_num
            if any(cell.strip() for cell in cells):
                yield Cells(number, dict(zip(columns, cells, strict=False)), trouble)

    def _reader(self) -> csv._reader:  # type: ignore[name-defined] # typeshed's name for it
        """The rows from the header on."""
        quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if self._quoted else csv.QUOTE_NONE
        reader = csv.reader(self._lines, delimiter=self._separator, quoting=quoting)
        for _ in range(self._header_row - 1):
            next(reader, None)
        return reader

    def _is_open(self, start: int) -> bool:
        """Whether the last row runs to the end because a quotation mark is missing."""
        last = self._lines[start:]
        return self._quoted and len(last) > 1 and sum(line.count('"') for line in last) % 2 == 1


class SheetHeader(Struct, frozen=True, kw_only=True):
    """How the header of a format is known."""

    columns: frozenset[str]
    any_of: frozenset[str] = frozenset()
    """Columns of which it has at least one, where there are any."""

    def is_header(self, columns: Collection[str]) -> bool:
        """Whether a file with these columns is of this format."""
        found = set(columns)
        return self.columns <= found and (not self.any_of or bool(self.any_of & found))


def header_of(text: str, separator: str) -> list[str]:
    """The names of the columns, without case."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return [name.strip().casefold() for name in next(reader, [])]


def has_quoted_tabs(text: str) -> bool:
    """Whether a spreadsheet wrote a tab-separated file: it quotes cells as in CSV."""
    return _QUOTED_TABS.search(text) is not None


def csv_line(cells: Sequence[str]) -> str:
    """A line of a CSV file."""
    written = io.StringIO(newline="")
    csv.writer(written).writerow(cells)
    return written.getvalue()


def escape_formula(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: with `'` before one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(cell: str) -> str:
    """The text that was guarded."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def join_cell(names: Sequence[str]) -> str:
    """A list in one cell, with `;` between; within a name, that has a backslash before it."""
    return "; ".join(name.replace("\\", "\\\\").replace(";", "\\;") for name in names)


def split_cell(cell: str) -> list[str]:
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


def _trouble(columns: list[str], cells: list[str]) -> InvalidRow | None:
    if any(cell.strip() for cell in cells[len(columns) :]):
        return InvalidRow(None, "This row has more cells than columns.")
    return None

"""Separated values: the header, and each row with the number that a spreadsheet shows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

from msgspec import Struct

from commonroom.library.rules.formats.errors import BadRow, check_count

SEPARATORS = (",", ";", "\t")
FIRST_ROW = 2
"""A spreadsheet counts the header, too."""

# A cell may be as long as a file: the reader's own limit would end the reading altogether.
csv.field_size_limit(16 * 1024 * 1024)


class Cells(Struct, frozen=True):
    """A row: its number, and its cells by the names of their columns, which have no case."""

    number: int
    cells: Mapping[str, str]
    trouble: BadRow | None = None

    def get(self, column: str) -> str:
        """A cell without the space around it; empty where there is none."""
        return self.cells.get(column, "").strip()

    def raw(self, column: str) -> str:
        """A cell as it is."""
        return self.cells.get(column, "")


def header_of(text: str, separator: str) -> list[str]:
    """The names of the columns, without case."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return [name.strip().casefold() for name in next(reader, [])]


def rows_of(text: str, separator: str) -> Iterator[Cells]:
    """Every row that is not empty."""
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=separator)
    columns = [name.strip().casefold() for name in next(reader, [])]
    before = reader.line_num
    for number, cells in enumerate(reader, start=FIRST_ROW):
        check_count(number - 1)
        trouble = _trouble(columns, cells)
        if reader.line_num == len(lines) and _is_open(lines[before:]):
            trouble = BadRow(None, "A quotation mark is never closed, so the rest is unreadable.")
        before = reader.line_num
        if any(cell.strip() for cell in cells):
            yield Cells(number, dict(zip(columns, cells, strict=False)), trouble)


def _trouble(columns: list[str], cells: list[str]) -> BadRow | None:
    if any(cell.strip() for cell in cells[len(columns) :]):
        return BadRow(None, "This row has more cells than there are columns.")
    return None


def _is_open(lines: list[str]) -> bool:
    """Whether the last row runs to the end because a quotation mark is missing."""
    return len(lines) > 1 and sum(line.count('"') for line in lines) % 2 == 1

"""What one request may send to be imported, in all of its files and archives together."""

from __future__ import annotations

from commonroom.imports.files import FileTooLarge

MAX_UNPACKED = 32_000_000
MAX_CELLS = 1_500_000
"""A real export of 20,000 rows with thirty columns has half of them."""
MAX_ROWS_READ = 200_000
"""Rows and entries that are looked at: of a show, each episode is one."""

_BETWEEN_CELLS = ",;\t"


class ReadBudget:
    """How many bytes, cells and rows are left; refuses what goes beyond."""

    def __init__(self) -> None:
        self.bytes_left = MAX_UNPACKED
        self._cells_left = MAX_CELLS
        self._rows_left = MAX_ROWS_READ

    def take_bytes(self, number: int) -> None:
        """Counts what was sent or unpacked."""
        self.bytes_left -= number
        if self.bytes_left < 0:
            raise FileTooLarge(
                f"Unpacked, all files together can have up to {MAX_UNPACKED // 1_000_000} MB."
            )

    def take_cells(self, text: str) -> None:
        """Counts what may be cells of a table, or members of JSON, before any of it is parsed."""
        lines = max(text.count("\n"), text.count("\r"))
        self._cells_left -= lines + sum(map(text.count, _BETWEEN_CELLS))
        if self._cells_left < 0:
            raise FileTooLarge("There are too many cells in this file. Import it in parts.")

    def take_rows(self, number: int = 1) -> None:
        """Counts rows that are looked at, whether or not they can be taken."""
        self._rows_left -= number
        if self._rows_left < 0:
            raise FileTooLarge(
                f"You can import up to {MAX_ROWS_READ:,} rows at once. Import them in parts."
            )

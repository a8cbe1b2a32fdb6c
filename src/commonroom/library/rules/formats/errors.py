"""Why a file, or a row of it, cannot be taken."""

from __future__ import annotations

from typing import ClassVar

from commonroom.errors import Refusal

MOST_ROWS = 20_000


class UnreadableFile(Refusal):
    """A file that is none of those that can be imported."""

    status: ClassVar[int] = 422
    title = "This file cannot be imported"


class FileTooLarge(UnreadableFile):
    """A file with more in it than is taken at once."""

    status: ClassVar[int] = 413


class InvalidRow(Refusal):
    """A row that cannot be taken; the rest of the file can."""

    def __init__(self, field: str | None, detail: str) -> None:
        super().__init__(detail, field=field)
        self.field = field


def check_count(rows: int) -> None:
    """Refuses a file with too many rows."""
    if rows > MOST_ROWS:
        raise FileTooLarge(f"A file can have up to {MOST_ROWS:,} rows. Import it in parts.")

"""What its owner is shown of an import: what files hold, how far it is, what came of it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.imports.files import Note, ParsedFiles, as_many_as_fit
from commonroom.imports.tables import State


class ImportPreview(Struct, frozen=True, kw_only=True):
    """What an import would do; lists are cut to what a page can show, numbers are whole."""

    bad: list[Note]
    """Rows that cannot be read, and why."""
    bad_count: int
    warnings: list[Note]
    """What is left out of rows that can be read."""
    warning_count: int
    unkept: list[str] = []
    """What is in the files and has no place here, such as the names of columns."""
    repaired: int = 0
    """How many characters were not written as the rest of their file is, and had to be guessed."""


class ImportStatus(Struct, frozen=True, kw_only=True):
    """An import as it is now."""

    import_id: str
    file_name: str
    state: State
    without: list[str]
    """What is left out."""
    of: int
    """How many items or rows there are; `done` of them were worked on."""
    done: int
    added: int
    """How many brought something."""
    skipped: int
    failed: int
    notes: list[Note]
    """What there is to say of rows that were worked on; the first of them."""
    created_at: str
    started_at: str | None
    finished_at: str | None
    kept_until: str
    removed: int = 0
    """How many undoing it has taken back."""
    kept: int = 0
    """How many it has left, because they were changed since."""
    kept_notes: list[Note] = []
    """Which these are; the first of them."""

    @property
    def can_be_undone(self) -> bool:
        """Whether there is something to undo, and nothing that is still under way."""
        return self.state in ("done", "cancelled") and self.added > 0


def said_of(found: ParsedFiles) -> dict[str, Any]:
    """Returns what a preview says of files, whatever the room."""
    return {
        "bad": as_many_as_fit(found.bad),
        "bad_count": found.bad.total,
        "warnings": as_many_as_fit(found.warnings),
        "warning_count": found.warnings.total,
        "unkept": found.unkept,
        "repaired": found.repaired,
    }

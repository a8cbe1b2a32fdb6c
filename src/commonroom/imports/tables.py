"""What is stored of an import, whatever the room: each declares its own with a table and keys."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from commonroom.imports.files import Note
from commonroom.store import Entity

State: TypeAlias = Literal["arriving", "ready", "running", "done", "cancelled", "undoing", "undone"]
"""`ready` waits for its owner to look and to start it; `done` and those behind it are reports."""


class ImportRecord(Entity):
    """An import: there is one at a time, and it is small, as it changes often."""

    import_id: str
    account_id: str
    """Whose it is."""
    file_name: str
    state: State
    of: int = 0
    """How many items there are to look at."""
    part: int = 0
    place: int = 0
    """What is to be done next: the part, and the row in it. It moves on with what is written."""
    added: int = 0
    skipped: int = 0
    failed: int = 0
    warned: int = 0
    created_at: str
    started_at: str | None = None
    finished_at: str | None = None
    kept_until: str
    undone_to: str | None = None
    """The last item that was looked at to undo it. It moves on with what is deleted."""
    removed: int = 0
    """How many of its items undoing it has deleted."""
    kept: int = 0
    """How many it has left, because they were changed or lent since."""

    @property
    def done(self) -> int:
        """How many of its items were worked on."""
        return self.added + self.skipped + self.failed


class ImportRowsRecord(Entity):
    """Some rows of a file, packed, in a partition of their own that nobody else reads through."""

    import_id: str
    part: int
    rows: bytes


class ImportReportRecord(Entity):
    """What a file was seen to hold, and what there is to say of rows that were worked on."""

    import_id: str
    preview: bytes
    """As JSON."""
    notes: list[Note] = field(default_factory=list)
    kept: list[Note] = field(default_factory=list)
    """What undoing it has left, and why."""

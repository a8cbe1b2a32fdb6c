"""Imports, all beyond the seed: a file that is worked through, and what there is to say of it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from commonroom.library.tables.libraries import media
from commonroom.store import Entity, Keys, begins_with, many


class ImportNote(Struct):
    """Something to say about a row."""

    number: int
    why: str
    field: str | None = None
    title: str | None = None


class Import(Entity, table=media, kind="IMPORT", rename="pascal"):
    """The import of a library: there is one at a time, and it is small, as it changes often."""

    owner_id: str
    library_id: str
    import_id: str
    account_id: str
    file_name: str
    state: Literal["arriving", "ready", "running", "done", "cancelled", "undoing", "undone"]
    duplicates: Literal["skip", "add"] = "skip"
    without: list[str] = field(default_factory=list)
    """Shelves of the other service that are left out."""
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
    """How many it has left, because somebody changed or lent them since."""

    keys = Keys(PK="owner#{owner_id}", SK="library#{library_id}#import")


class ImportRows(Entity, table=media, kind="IMPORT_ROWS", rename="pascal"):
    """Some rows of a file, packed, in a partition of their own that nobody else reads through."""

    owner_id: str
    library_id: str
    import_id: str
    part: int
    rows: bytes

    keys = Keys(PK="import#{import_id}", SK="rows#{part:05d}")


class ImportReport(Entity, table=media, kind="IMPORT_REPORT", rename="pascal"):
    """What a file was seen to hold, and what there is to say of rows that were worked on."""

    owner_id: str
    library_id: str
    import_id: str
    preview: bytes
    """As JSON."""
    notes: list[ImportNote] = field(default_factory=list)
    kept: list[ImportNote] = field(default_factory=list)
    """What undoing it has left, and why."""

    keys = Keys(PK="import#{import_id}", SK="report")


import_contents = many(
    media, "Get everything that is kept of an import", gives=(ImportRows, ImportReport)
)
import_rows = many(media, "Get the rows of an import", sort=begins_with("rows#"), gives=ImportRows)

"""Importing: a file is looked at, kept, and worked through in bounded steps.

A library has one import at a time; a new file takes the place of one that waits or is over. Here is
what is shown of an import, and what its owner chooses about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from commonroom.imports.files import Note
from commonroom.imports.tables import State
from commonroom.library.rules.formats import Format, ItemKind, LibraryRow
from commonroom.library.tables import Order

Duplicates: TypeAlias = Literal["skip", "add"]
"""What happens to what is in the library already."""


class RowSeen(Struct, frozen=True):
    """A row as it would become."""

    number: int
    kind: ItemKind
    title: str
    people: list[str]
    """Authors, or directors."""
    collection: str | None
    order: Order | None
    year: int | None
    isbn: str | None
    lent_to: str | None
    already: str | None
    """The title of what is there already, where something is."""
    twin: int | None = None
    """The row before it in the file that is the same work."""
    is_completed: bool = False
    """Whether it takes what it lacks from rows after it, unless these are added as well."""


class ShelfFound(Struct, frozen=True):
    """A shelf of the other service, such as Goodreads' `to-read`."""

    name: str
    items: int
    unowned: bool
    """Whether it holds what one wishes for rather than what one has."""


class LibraryImportOutcome(Struct, frozen=True):
    """What starting an import does; a row is left out for the first reason that applies."""

    added: int = 0
    lent: int = 0
    """How many of those that are added are lent."""
    already: int = 0
    """Left out: in the library already."""
    twins: int = 0
    """Left out: the same work as a row before."""
    shelved: int = 0
    """Left out: on none but shelves that are left out."""
    new_collections: list[str] = []
    new_collection_count: int = 0

    @property
    def left_out(self) -> int:
        """How many are left out in all."""
        return self.already + self.twins + self.shelved


class LibraryImportPreview(Struct, frozen=True):
    """What an import would do; lists are cut to what a page can show, numbers are whole."""

    format: Format
    items: int
    """All that can be read: books and videos, those that are there already included."""
    books: int
    videos: int
    already: int
    """How many are in the library already, by their code or by title and author."""
    lent: int
    new_collections: list[str]
    new_collection_count: int
    shelves: list[ShelfFound]
    bad: list[Note]
    """Rows that cannot be read, and why."""
    bad_count: int
    warnings: list[Note]
    """What is left out of rows that can be read."""
    warning_count: int
    first: list[RowSeen]
    twins: int = 0
    """How many are the same work as a row before them."""
    unkept: list[str] = []
    """What the file has and the library has no place for, such as the names of columns."""
    repaired: int = 0
    """How many characters were not written as the rest of the file is, and had to be guessed."""
    outcome: LibraryImportOutcome = LibraryImportOutcome()
    """What starting it does, without the shelves that hold what one wishes for."""


class LibraryImportStatus(Struct, frozen=True):
    """An import as it is now."""

    import_id: str
    library_id: str
    file_name: str
    state: State
    duplicates: Duplicates
    without: list[str]
    """Shelves that are left out."""
    of: int
    """How many items there are to look at; `done` of them were added, skipped or failed."""
    done: int
    added: int
    skipped: int
    failed: int
    warned: int
    """How many rows were added although there is something to say about them."""
    notes: list[Note]
    """What there is to say of rows that failed, or were added with a warning; the first of them."""
    preview: LibraryImportPreview | None
    """None while the file arrives."""
    created_at: str
    started_at: str | None
    finished_at: str | None
    kept_until: str
    removed: int = 0
    """How many items undoing it has deleted."""
    kept: int = 0
    """How many it has left, because they were changed or lent since."""
    kept_notes: list[Note] = []
    """Which these are; the first of them."""

    @property
    def can_be_undone(self) -> bool:
        """Whether there is something to undo, and nothing that is still under way."""
        return self.state in ("done", "cancelled") and self.added > 0


Reason: TypeAlias = Literal["already", "twin", "shelved"]


class LibraryImportChoices(Struct, frozen=True):
    """What happens to what is there twice, and which shelves of the other service stay out."""

    duplicates: Duplicates = "skip"
    without: frozenset[str] = frozenset()

    def reason_to_leave_out(self, row: LibraryRow) -> Reason | None:
        """Why a row does not come in; None where it does."""
        if self._is_shelved(row.shelves):
            return "shelved"
        if self.duplicates == "add":
            return None
        if row.already is not None:
            return "already"
        # Of rows that are the same work, the first that comes in counts, not one that stays out.
        if any(not self._is_shelved(shelves) for shelves in row.twin_shelves):
            return "twin"
        return None

    def as_added(self, row: LibraryRow) -> LibraryRow:
        """A row that comes in, with what it lacks from those of the same work that do not."""
        if self.duplicates == "add" or not row.from_twins:
            return row
        return replace(row, fields=row.fields | row.from_twins)

    def _is_shelved(self, shelves: Sequence[str]) -> bool:
        return bool(shelves) and self.without.issuperset(shelves)

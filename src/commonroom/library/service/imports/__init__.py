"""Importing: a file is looked at, kept, and worked through in bounded steps.

A library has one import at a time; a new file takes the place of one that waits or is over. Here is
what is shown of an import, and what its owner chooses about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import InvalidField
from commonroom.imports.kinds import ImportPreview, ImportStatus, StartChoices
from commonroom.library.rules.formats import Format, ItemKind, LibraryRow
from commonroom.library.rules.formats.draft import MAX_SHELF
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


class LibraryImportPreview(ImportPreview, frozen=True, kw_only=True):
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
    first: list[RowSeen]
    twins: int = 0
    """How many are the same work as a row before them."""
    outcome: LibraryImportOutcome = LibraryImportOutcome()
    """What starting it does, without the shelves that hold what one wishes for."""


class LibraryImportStatus(ImportStatus, frozen=True, kw_only=True):
    """An import as it is now."""

    library_id: str
    duplicates: Duplicates
    warned: int
    """How many rows were added although there is something to say about them."""
    preview: LibraryImportPreview | None
    """None while the file arrives."""


Reason: TypeAlias = Literal["already", "twin", "shelved"]


MAX_SHELVES = 50


class LibraryImportChoices(StartChoices, frozen=True, kw_only=True):
    """What happens to what is there twice; shelves of the other service stay out."""

    duplicates: Duplicates = "skip"

    def check(self) -> None:
        """Refuses more shelves than a preview shows, and longer names."""
        if len(self.without) > MAX_SHELVES or any(len(one) > MAX_SHELF for one in self.without):
            raise InvalidField("without", f"Skip at most {MAX_SHELVES} shelves.")

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

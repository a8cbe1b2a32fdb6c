"""Files of books and films: the rows they hold, whatever the format."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.imports.files import ParsedFiles
from commonroom.library.tables import Book, Order, Video

Format: TypeAlias = Literal[
    "goodreads", "librarything", "libib", "storygraph", "commonroom_csv", "commonroom_json"
]
OWN: frozenset[Format] = frozenset({"commonroom_csv", "commonroom_json"})
ItemKind: TypeAlias = Literal["book", "video"]

KINDS: dict[str, type[Book | Video]] = {"book": Book, "video": Video}


class LoanRead(Struct, frozen=True, omit_defaults=True):
    """Who has something; since when, where the file says so."""

    lent_to: str
    lent_at: str | None = None
    due_date: str | None = None


class EventRead(Struct, frozen=True, omit_defaults=True):
    """Something that happened to an item."""

    type: Literal["LENT", "RETURNED"]
    borrower: str
    at: str
    due_date: str | None = None
    lent_at: str | None = None


class LibraryRow(Struct, frozen=True, omit_defaults=True):
    """An item, a collection, or more of the history of the item before it.

    Every field of it keeps to the library's rules already.
    """

    number: int
    kind: Literal["book", "video", "collection", "history"]
    fields: dict[str, str | int | float | list[str] | None] = {}
    collection: str | None = None
    description: str | None = None
    """Of a collection."""
    order: Order | None = None
    shelves: list[str] = []
    loan: LoanRead | None = None
    events: list[EventRead] = []
    last_event_at: str | None = None
    """Of the whole history, however many rows that takes."""
    already: str | None = None
    """The title of what is in the library already, once it was matched."""
    twin: int | None = None
    """The row before it that is the same work."""
    twin_shelves: list[list[str]] = []
    """Where all rows before it stand that are the same work."""
    from_twins: dict[str, str | int | float | list[str] | None] = {}
    """Fields that it lacks, from rows after it that are the same work."""

    @property
    def is_item(self) -> bool:
        """Whether it is a book or a video."""
        return self.kind in KINDS

    @property
    def title(self) -> str:
        """What it is called."""
        return str(self.fields.get("title", self.collection or ""))

    @property
    def file(self) -> None:
        """A library is one file."""


class ParsedLibraryFile(ParsedFiles, frozen=True, kw_only=True):
    """A whole file."""

    format: Format
    rows: list[LibraryRow]

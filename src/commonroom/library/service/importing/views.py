"""What is shown of an import: before it starts, while it runs, and when it is over."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.library.rules.formats.rows import Format, ItemKind, Note

Duplicates: TypeAlias = Literal["skip", "add"]
"""What happens to what is in the library already."""
State: TypeAlias = Literal["arriving", "ready", "running", "done", "cancelled"]
"""`ready` waits for its owner to look and to start it; the last two are reports."""


class RowSeen(Struct, frozen=True):
    """A row as it would become."""

    number: int
    kind: ItemKind
    title: str
    people: list[str]
    """Authors, or directors."""
    collection: str | None
    order: int | None
    year: int | None
    isbn: str | None
    lent_to: str | None
    already: str | None
    """The title of what is there already, where something is."""


class ShelfFound(Struct, frozen=True):
    """A shelf of the other service, such as Goodreads' `to-read`."""

    name: str
    items: int
    unowned: bool
    """Whether it holds what one wishes for rather than what one has."""


class ImportPreview(Struct, frozen=True):
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


class ImportSeen(Struct, frozen=True):
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
    preview: ImportPreview | None
    """None while the file arrives."""
    created_at: str
    started_at: str | None
    finished_at: str | None
    kept_until: str

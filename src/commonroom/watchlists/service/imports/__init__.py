"""Importing: files are read, their titles looked up, previewed, and worked through in steps.

A person has one import at a time; new files take the place of one that waits or is over. Here is
what is shown of an import.
"""

from __future__ import annotations

from msgspec import Struct

from commonroom.imports.files import Note
from commonroom.imports.tables import State
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.formats import Format
from commonroom.watchlists.rules.imports import Rated, SameLists, Unknown, WatchlistImportOutcome


class ListFound(Struct, frozen=True):
    """A list of which the files tell."""

    number: int
    title: str
    items: int
    unmatched: int
    """How many titles on it the catalogue does not know."""
    is_there: bool
    """Whether its owner has a list of this name."""


class TitleSought(Struct, frozen=True):
    """A row, and the title that was found for it."""

    number: int
    file: str | None
    title: str
    year: int | None
    content_type: ContentType | None
    found: str | None
    """The title of the catalogue; None where there is none."""
    found_year: int | None = None


class WatchlistImportPreview(Struct, frozen=True):
    """What an import would do; lists are cut to what a page can show, numbers are whole."""

    formats: list[Format]
    bad: list[Note]
    """Rows that cannot be read, and why."""
    bad_count: int
    warnings: list[Note]
    """What is left out of rows that can be read."""
    warning_count: int
    unkept: list[str] = []
    """What is in the files and has no place here, such as the names of columns."""
    repaired: int = 0
    """How many characters were not written as the rest of their file is."""
    lists: list[ListFound] = []
    listed: int = 0
    """How many titles are on them."""
    rated: int = 0
    reviewed: int = 0
    unrated_reviews: int = 0
    """How many of these reviews come without a rating."""
    seen: int = 0
    begun: int = 0
    """How many shows were begun, as far as the files tell."""
    already_rated: int = 0
    unmatched: int = 0
    """How many rows are about titles that the catalogue does not know."""
    first_unmatched: list[TitleSought] = []
    first: list[TitleSought] = []
    unknown: Unknown = "make"
    """What is proposed for titles that the catalogue does not know."""
    outcome: WatchlistImportOutcome = WatchlistImportOutcome()
    """What starting it does, with what the page begins with."""


class WatchlistImportStatus(Struct, frozen=True):
    """An import as it is now."""

    import_id: str
    file_name: str
    state: State
    same_lists: SameLists
    rated: Rated
    unknown: Unknown
    publishes: bool
    without: list[str]
    of: int
    """How many rows there are; `done` of them were worked on."""
    looked_up: int
    """For how many of them the catalogue was asked, while the state is `arriving`."""
    unanswered: int
    """For how many titles the film source did not answer, so that they were not found."""
    done: int
    added: int
    """How many rows brought something."""
    skipped: int
    failed: int
    unmatched: int
    """How many rows were put aside for their owner to say which title is meant."""
    settled: int
    """For how many of these they have."""
    notes: list[Note]
    """What there is to say of rows that failed; the first of them."""
    preview: WatchlistImportPreview | None
    """None while the files arrive."""
    created_at: str
    started_at: str | None
    finished_at: str | None
    kept_until: str
    removed: int = 0
    """How many rows undoing it has taken back."""
    kept: int = 0
    """How many it has left, because what came of them was changed."""
    kept_notes: list[Note] = []
    """Which these are; the first of them."""

    @property
    def can_be_undone(self) -> bool:
        """Whether there is something to undo, and nothing that is still under way."""
        return self.state in ("done", "cancelled") and (self.added > 0 or self.unmatched > 0)

    @property
    def open_rows(self) -> int:
        """How many rows still wait for their title."""
        return self.unmatched - self.settled if self.state in ("done", "cancelled") else 0

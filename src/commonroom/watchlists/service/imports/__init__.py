"""Importing: files are read, their titles looked up, previewed, and worked through in steps.

A person has one import at a time; new files take the place of one that waits or is over. Here is
what is shown of an import.
"""

from __future__ import annotations

from msgspec import Struct, field

from commonroom.imports.kinds import ImportPreview, ImportStatus
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


class WatchlistImportPreview(ImportPreview, frozen=True, kw_only=True):
    """What an import would do; lists are cut to what a page can show, numbers are whole."""

    formats: list[Format]
    lists: list[ListFound] = field(default_factory=list)
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
    first_unmatched: list[TitleSought] = field(default_factory=list)
    first: list[TitleSought] = field(default_factory=list)
    unknown: Unknown = "make"
    """What is proposed for titles that the catalogue does not know."""
    outcome: WatchlistImportOutcome = WatchlistImportOutcome()
    """What starting it does, with what the page begins with."""


class WatchlistImportStatus(ImportStatus, frozen=True, kw_only=True):
    """An import as it is now."""

    same_lists: SameLists
    rated: Rated
    unknown: Unknown
    publishes: bool
    looked_up: int
    """For how many rows the catalogue was asked, while the state is `arriving`."""
    unanswered: int
    """For how many titles the film source did not answer, so that they were not found."""
    unmatched: int
    """How many rows were put aside for their owner to say which title is meant."""
    settled: int
    """For how many of these they have."""
    preview: WatchlistImportPreview | None
    """None while the files arrive."""

    @property
    def can_be_undone(self) -> bool:
        """Whether there is something to undo, rows that were put aside included."""
        is_over = self.state in ("done", "cancelled")
        return is_over and (self.added > 0 or self.unmatched > 0)

    @property
    def open_rows(self) -> int:
        """How many rows still wait for their title."""
        return self.unmatched - self.settled if self.state in ("done", "cancelled") else 0

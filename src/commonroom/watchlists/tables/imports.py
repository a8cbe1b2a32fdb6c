"""Imports, beyond the data model: files that are worked through, and what to say of them."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from commonroom.imports.tables import ImportRecord, ImportReportRecord, ImportRowsRecord
from commonroom.store import Entity, Keys, begins_with, many
from commonroom.titles.tables import worth_watch
from commonroom.titles.titles import ContentType


class WatchlistImport(ImportRecord, table=worth_watch, kind="IMPORT", rename="camel"):
    """The import of a person: there is one at a time, of one file or several.

    While it is `arriving`, `part` and `place` say how far its titles were looked up.
    """

    same_lists: Literal["extend", "new"] = "extend"
    """What happens to lists that the person has already, by their names."""
    rated: Literal["keep", "replace"] = "keep"
    """What happens to what the person has rated already."""
    unknown: Literal["make", "leave"] = "make"
    """What happens to titles that the catalogue lacks."""
    publishes: bool = False
    """Whether new lists become public when it is done."""
    without: list[str] = field(default_factory=list)
    """What is left out: lists by their numbers, `ratings`, `seen`, `begun`."""
    looked_up: int = 0
    """For how many rows the catalogue was asked."""
    unmatched: int = 0
    """How many rows were put aside for their owner to say which title is meant."""
    settled: int = 0
    """For how many of these they have."""
    unknown_rows: int = 0
    """How many rows are about titles that the catalogue lacks."""
    unanswered: int = 0
    """For how many of these the film source did not answer."""

    keys = Keys(PK="USER#{account_id}", SK="IMPORT")

    @property
    def done(self) -> int:
        """How many rows were worked on."""
        return super().done + self.unmatched


class WatchlistImportRows(ImportRowsRecord, table=worth_watch, kind="IMPORT_ROWS", rename="camel"):
    """Some rows of what was sent."""

    account_id: str

    keys = Keys(PK="IMPORT#{import_id}", SK="ROWS#{part:05d}")


class WatchlistImportReport(
    ImportReportRecord, table=worth_watch, kind="IMPORT_REPORT", rename="camel"
):
    """What was seen to be in it, and what there is to say of rows that were worked on."""

    account_id: str

    keys = Keys(PK="IMPORT#{import_id}", SK="REPORT")


class ImportStep(Entity, table=worth_watch, kind="IMPORT_STEP", rename="camel"):
    """What was done in one transaction, written with it: undoing an import takes these back."""

    import_id: str
    account_id: str
    part: int
    place: int
    deeds: bytes
    """As JSON, packed."""

    keys = Keys(PK="IMPORT#{import_id}", SK="STEP#{part:05d}#{place:05d}")


class UnmatchedRow(Entity, table=worth_watch, kind="UNMATCHED_ROW", rename="camel"):
    """A row whose title nobody knows: it waits for its owner to say which one is meant."""

    import_id: str
    account_id: str
    part: int
    place: int
    title: str
    year: int | None = None
    row: bytes
    """As JSON."""

    keys = Keys(PK="IMPORT#{import_id}", SK="UNMATCHED#{part:05d}#{place:05d}")


class MadeTitle(Entity, table=worth_watch, kind="MADE_TITLE", rename="camel"):
    """A title that others know, too, and that an import added, by its name or by IMDb's id.

    The next file may know it by its name alone, or by its id and a name in another language.
    """

    content_type: ContentType
    name: str
    """Without case, accents, signs and articles; or IMDb's id."""
    content_id: str
    title: str
    year: int | None = None

    keys = Keys(PK="MADE#{content_type}#{name}", SK="{content_id}")


class OwnTitle(Entity, table=worth_watch, kind="OWN_TITLE", rename="camel"):
    """The way from a person to a title that only a file of theirs tells of: it goes with them."""

    user_id: str
    content_type: ContentType
    content_id: str

    keys = Keys(PK="USER#{user_id}", SK="OWN_TITLE#{content_type}#{content_id}")


import_contents = many(
    worth_watch,
    "Get everything that is kept of an import",
    gives=(WatchlistImportRows, WatchlistImportReport, ImportStep, UnmatchedRow),
)
import_rows = many(
    worth_watch, "Get the rows of an import", sort=begins_with("ROWS#"), gives=WatchlistImportRows
)
import_steps = many(
    worth_watch,
    "Get what an import did, the last first",
    sort=begins_with("STEP#"),
    newest_first=True,
    gives=ImportStep,
)
made_titles = many(
    worth_watch, "Get titles that imports have made, by what they are called", gives=MadeTitle
)
own_titles = many(
    worth_watch,
    "Get titles that only a person's files tell of",
    sort=begins_with("OWN_TITLE#"),
    gives=OwnTitle,
)
unmatched_rows = many(
    worth_watch,
    "Get the rows of an import that have no title",
    sort=begins_with("UNMATCHED#"),
    gives=UnmatchedRow,
)

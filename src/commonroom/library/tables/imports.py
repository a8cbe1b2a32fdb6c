"""Imports, beyond the data model: a file that is worked through, and what there is to say of it."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from commonroom.imports.tables import ImportRecord, ImportReportRecord, ImportRowsRecord
from commonroom.library.tables.libraries import media
from commonroom.store import Keys, begins_with, many


class LibraryImport(ImportRecord, table=media, kind="IMPORT", rename="pascal"):
    """The import of a library: there is one at a time."""

    owner_id: str
    library_id: str
    duplicates: Literal["skip", "add"] = "skip"
    without: list[str] = field(default_factory=list)
    """Shelves of the other service that are left out."""

    keys = Keys(PK="owner#{owner_id}", SK="library#{library_id}#import")


class LibraryImportRows(ImportRowsRecord, table=media, kind="IMPORT_ROWS", rename="pascal"):
    """Some rows of a file."""

    owner_id: str
    library_id: str

    keys = Keys(PK="import#{import_id}", SK="rows#{part:05d}")


class LibraryImportReport(ImportReportRecord, table=media, kind="IMPORT_REPORT", rename="pascal"):
    """What a file was seen to hold, and what there is to say of rows that were worked on."""

    owner_id: str
    library_id: str

    keys = Keys(PK="import#{import_id}", SK="report")


import_contents = many(
    media,
    "Get everything that is kept of an import",
    gives=(LibraryImportRows, LibraryImportReport),
)
import_rows = many(
    media, "Get the rows of an import", sort=begins_with("rows#"), gives=LibraryImportRows
)

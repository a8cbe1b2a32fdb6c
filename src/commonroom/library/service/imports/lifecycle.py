"""Importing into a person's own library: a file sent and previewed, started, undone, followed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from commonroom.accounts.context import Context
from commonroom.imports.kinds import ImportKind
from commonroom.imports.lifecycle import Imports, clean_file_name, read_beside
from commonroom.library.rules.formats import LibraryRow, ParsedLibraryFile
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import own_library
from commonroom.library.service.imports import (
    LibraryImportChoices,
    LibraryImportOutcome,
    LibraryImportPreview,
    LibraryImportStatus,
)
from commonroom.library.service.imports.preview import KnownItems, build_preview, count_outcome
from commonroom.library.tables import (
    Library,
    LibraryImport,
    LibraryImportReport,
    LibraryImportRows,
    collections,
    import_contents,
    import_rows,
    owner_id_of,
)
from commonroom.store import check, stored
from commonroom.texts import collation_key

IMPORTS = ImportKind(
    room="library",
    into="this library",
    nothing="Nothing is being imported into this library.",
    record=LibraryImport,
    rows=LibraryImportRows,
    report=LibraryImportReport,
    contents=import_contents,
    parts=import_rows,
    row=LibraryRow,
    preview=LibraryImportPreview,
    status=LibraryImportStatus,
)


class LibraryImports(
    Imports[
        LibraryImport, LibraryRow, LibraryImportStatus, LibraryImportChoices, LibraryImportOutcome
    ]
):
    """The imports into a person's own library."""

    kind = IMPORTS

    def __init__(self, ctx: Context, library_id: str) -> None:
        super().__init__(ctx)
        self.library_id = library_id

    async def library(self) -> Library:
        """Returns the library; refuses everybody but its owner."""
        return (await own_library(self.ctx, self.library_id)).library

    async def find(self) -> LibraryImport | None:
        """Returns its import, where there is one: two requests."""
        library = await self.library()
        key = {"owner_id": library.owner_id, "library_id": library.library_id}
        return await self.ctx.store.get(LibraryImport.at(**key))

    async def preview_file(self, file: bytes) -> LibraryImportPreview:
        """Returns what importing a file would do; nothing is kept of it."""
        return (await self._read_and_preview(await self.library(), file))[1]

    async def prepare(self, file: bytes, file_name: str) -> LibraryImportStatus:
        """Keeps a file for its owner to look at, in place of one that waits or is over."""
        library = await self.library()
        rows, preview = await self._read_and_preview(library, file)
        record = IMPORTS.new_record(
            self.ctx,
            owner_id=library.owner_id,
            library_id=library.library_id,
            import_id=new_id(),
            file_name=clean_file_name(file_name),
            of=preview.items,
        )
        return await self.keep(record, rows, preview, conditions=[check(library, if_=stored)])

    async def count_outcome(
        self, rows: Iterator[LibraryRow], choices: LibraryImportChoices
    ) -> LibraryImportOutcome:
        """Returns what starting an import would do, given the collections that are there."""
        key = {"owner_id": owner_id_of(self.ctx.person.user_id), "library_id": self.library_id}
        names = {collation_key(one.name) async for one in self.ctx.store.all(collections(**key))}
        return await asyncio.to_thread(count_outcome, rows, choices, names)

    async def _read_and_preview(
        self, library: Library, file: bytes
    ) -> tuple[list[LibraryRow], LibraryImportPreview]:
        from commonroom.library.rules.formats.files import read_file  # when a file is brought

        found: ParsedLibraryFile = await read_beside(read_file, file, self.ctx.now)
        known = await KnownItems.of(self.ctx.store, library)
        return await asyncio.to_thread(build_preview, found, known)

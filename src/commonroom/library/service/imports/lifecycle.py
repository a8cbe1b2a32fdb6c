"""Importing into a person's own library: a file sent and previewed, started, undone, followed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import msgspec

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.imports import lifecycle
from commonroom.imports.lifecycle import ImportKind, clean_file_name, keep_file
from commonroom.imports.reading import read_beside
from commonroom.imports.rows import pack_rows
from commonroom.imports.tables import ImportReportRecord
from commonroom.library.rules.formats import LibraryRow, ParsedLibraryFile
from commonroom.library.rules.formats.draft import MAX_SHELF
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import own_library
from commonroom.library.service.imports import (
    Duplicates,
    LibraryImportChoices,
    LibraryImportOutcome,
    LibraryImportPreview,
    LibraryImportStatus,
)
from commonroom.library.service.imports.preview import KnownItems, build_preview, count_outcome
from commonroom.library.service.imports.rows import unpack_rows
from commonroom.library.tables import (
    Library,
    LibraryImport,
    LibraryImportReport,
    LibraryImportRows,
    collections,
    import_rows,
)
from commonroom.moments import iso
from commonroom.store import Store, check, stored
from commonroom.texts import collation_key

MAX_SHELVES = 50
IMPORTS = ImportKind(
    room="library",
    record=LibraryImport,
    rows=LibraryImportRows,
    report=LibraryImportReport,
    into="this library",
)

_preview = msgspec.json.Decoder(LibraryImportPreview)


async def preview_file(ctx: Context, library_id: str, *, file: bytes) -> LibraryImportPreview:
    """Returns what importing a file into a person's own library would do; nothing is kept of it."""
    library = (await own_library(ctx, library_id)).library
    return (await _read_and_preview(ctx.store, ctx.now, library, file))[1]


async def prepare(
    ctx: Context, library_id: str, *, file: bytes, file_name: str
) -> LibraryImportStatus:
    """Keeps a file for its owner to look at, in place of one that waits or is over."""
    owned = await own_library(ctx, library_id)
    rows, preview = await _read_and_preview(ctx.store, ctx.now, owned.library, file)
    kept = LibraryImport(
        owner_id=owned.library.owner_id,
        library_id=library_id,
        import_id=new_id(),
        account_id=owned.owner.user_id,
        file_name=clean_file_name(file_name),
        state="arriving",
        of=preview.items,
        created_at=iso(ctx.now),
        kept_until=iso(ctx.now + IMPORTS.kept_seconds),
    )
    report = LibraryImportReport(**IMPORTS.key(kept), preview=msgspec.json.encode(preview))
    there = check(owned.library, if_=stored)
    kept = await keep_file(IMPORTS, ctx, kept, pack_rows(rows), report, conditions=[there])
    return import_view(kept, report)


async def preview_outcome(
    ctx: Context, library_id: str, import_id: str, choices: LibraryImportChoices
) -> LibraryImportOutcome:
    """What starting an import with these choices would do: by its rows, as it is worked through."""
    kept = await get_import(ctx, library_id)
    if kept.import_id != import_id or kept.state != "ready":
        raise Conflict("This import was already started or cancelled. Please reload the page.")
    key = {"owner_id": kept.owner_id, "library_id": kept.library_id}
    names = {collation_key(one.name) async for one in ctx.store.all(collections(**key))}
    parts = [part async for part in ctx.store.all(import_rows(import_id=import_id))]
    rows = (row for part in parts for row in unpack_rows(part.rows))
    return await asyncio.to_thread(count_outcome, rows, choices, names)


async def see_import(ctx: Context, library_id: str) -> LibraryImportStatus:
    """Returns the import of a person's own library: three requests."""
    return await _view(ctx, await get_import(ctx, library_id))


async def get_import(ctx: Context, library_id: str) -> LibraryImport:
    """Returns the import of a person's own library: two requests."""
    library = (await own_library(ctx, library_id)).library
    key = {"owner_id": library.owner_id, "library_id": library.library_id}
    kept = await ctx.store.get(LibraryImport.at(**key))
    if kept is None:
        raise NotFound("Nothing is being imported into this library.")
    return kept


async def start(
    ctx: Context,
    library_id: str,
    import_id: str,
    *,
    duplicates: Duplicates = "skip",
    without: Sequence[str] = (),
) -> LibraryImportStatus:
    """Lets an import begin that its owner has looked at; one that was given up goes on."""
    if len(without) > MAX_SHELVES or any(len(one) > MAX_SHELF for one in without):
        raise InvalidField("without", f"Skip at most {MAX_SHELVES} shelves.")
    current = partial(get_import, ctx, library_id)
    choices = {"duplicates": duplicates, "without": list(without)}
    return await _view(ctx, await lifecycle.start(IMPORTS, ctx, current, import_id, **choices))


async def cancel(ctx: Context, library_id: str) -> None:
    """Stops an import that runs; what it added stays. One that does not run is forgotten."""
    await lifecycle.cancel(ctx, partial(get_import, ctx, library_id))


async def undo(ctx: Context, library_id: str, import_id: str) -> LibraryImportStatus:
    """Takes an import back as a whole; what was changed or lent since stays."""
    current = partial(get_import, ctx, library_id)
    return await _view(ctx, await lifecycle.undo(IMPORTS, ctx, current, import_id))


def import_view(kept: LibraryImport, report: ImportReportRecord | None) -> LibraryImportStatus:
    """Returns an import as its owner is shown it."""
    return LibraryImportStatus(
        import_id=kept.import_id,
        library_id=kept.library_id,
        file_name=kept.file_name,
        state=kept.state,
        duplicates=kept.duplicates,
        without=kept.without,
        of=kept.of,
        done=kept.added + kept.skipped + kept.failed,
        added=kept.added,
        skipped=kept.skipped,
        failed=kept.failed,
        warned=kept.warned,
        notes=[] if report is None else report.notes,
        preview=None if report is None else _preview.decode(report.preview),
        created_at=kept.created_at,
        started_at=kept.started_at,
        finished_at=kept.finished_at,
        kept_until=kept.kept_until,
        removed=kept.removed,
        kept=kept.kept,
        kept_notes=[] if report is None else report.kept,
    )


async def _view(ctx: Context, kept: LibraryImport) -> LibraryImportStatus:
    return import_view(kept, await ctx.store.get(IMPORTS.report_at(kept)))


async def _read_and_preview(
    store: Store, now: float, library: Library, file: bytes
) -> tuple[list[LibraryRow], LibraryImportPreview]:
    from commonroom.library.rules.formats.files import read_file  # when a file is brought

    found: ParsedLibraryFile = await read_beside(read_file, file, now)
    known = await KnownItems.of(store, library)
    return await asyncio.to_thread(build_preview, found, known)

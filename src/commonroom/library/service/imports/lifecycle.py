"""The lifecycle of an import: a file sent and previewed, started, stopped, undone, and followed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.library.rules.formats import FileRead, Note, Row
from commonroom.library.rules.formats.draft import LONGEST_SHELF
from commonroom.library.rules.formats.files import read_file
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import Owned, own_library, retry
from commonroom.library.service.imports import (
    Choices,
    Duplicates,
    ImportPreview,
    ImportSeen,
    Outcome,
)
from commonroom.library.service.imports.preview import KnownItems, build_preview, count_outcome
from commonroom.library.service.imports.rows import pack_rows, unpack_rows
from commonroom.library.tables import (
    Import,
    ImportNote,
    ImportReport,
    ImportRows,
    Library,
    collections,
    import_rows,
)
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    ConditionFailed,
    Store,
    Write,
    check,
    delete,
    equal,
    new,
    one_of,
    put,
    stored,
    update,
)
from commonroom.texts import clean_line, collation_key
from commonroom.timers import Timer, timer

RUN = "library.import"
UNDO = "library.undo-import"
FORGET = "library.forget-import"
KEPT_SECONDS = 7 * 24 * 3600
LONGEST_FILE_NAME = 200
MOST_SHELVES = 50
IDLE = ("arriving", "ready", "done", "cancelled", "undone")
"""The states in which another file may take an import's place."""

_preview = msgspec.json.Decoder(ImportPreview)


async def preview_file(ctx: Context, library_id: str, *, file: bytes) -> ImportPreview:
    """What importing a file into a person's own library would do; nothing is kept of it."""
    library = (await own_library(ctx, library_id)).library
    return (await _read_and_preview(ctx.store, ctx.now, library, file))[1]


async def prepare(ctx: Context, library_id: str, *, file: bytes, file_name: str) -> ImportSeen:
    """Keeps a file for its owner to look at, in place of one that waits or is over."""
    owned = await own_library(ctx, library_id)
    rows, preview = await _read_and_preview(ctx.store, ctx.now, owned.library, file)
    kept = Import(
        owner_id=owned.library.owner_id,
        library_id=library_id,
        import_id=new_id(),
        account_id=owned.owner.user_id,
        file_name=_clean_file_name(file_name),
        state="arriving",
        of=preview.items,
        created_at=iso(ctx.now),
        kept_until=iso(ctx.now + KEPT_SECONDS),
    )
    of = import_key(kept)
    await _begin(ctx.store, ctx.now, owned, kept)
    try:
        for number, part in enumerate(pack_rows(rows)):
            await ctx.store.write(put(ImportRows(**of, part=number, rows=part)), _still(kept))
        report = ImportReport(**of, preview=msgspec.json.encode(preview))
        ready = update(kept.ref, state="ready", if_=_arriving(kept))
        await ctx.store.write(put(report), ready)
    except ConditionFailed:
        raise Conflict("Another file was chosen, or the library was deleted.") from None
    return import_view(msgspec.structs.replace(kept, state="ready"), report)


async def predict_outcome(
    ctx: Context, library_id: str, import_id: str, choices: Choices
) -> Outcome:
    """What starting an import with these choices would do: by its rows, as it is worked through."""
    kept = await get_import(ctx, library_id)
    if kept.import_id != import_id or kept.state != "ready":
        raise Conflict("This import was already started or cancelled. Please reload the page.")
    place = {"owner_id": kept.owner_id, "library_id": kept.library_id}
    names = {collation_key(one.name) async for one in ctx.store.all(collections(**place))}
    parts = [part async for part in ctx.store.all(import_rows(import_id=import_id))]
    rows = (row for part in parts for row in unpack_rows(part))
    return await asyncio.to_thread(count_outcome, rows, choices, names)


async def see_import(ctx: Context, library_id: str) -> ImportSeen:
    """The import of a person's own library: three requests."""
    kept = await get_import(ctx, library_id)
    return import_view(kept, await ctx.store.get(ImportReport.at(import_id=kept.import_id)))


async def get_import(ctx: Context, library_id: str) -> Import:
    """The import of a person's own library: two requests."""
    library = (await own_library(ctx, library_id)).library
    place = {"owner_id": library.owner_id, "library_id": library.library_id}
    kept = await ctx.store.get(Import.at(**place))
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
) -> ImportSeen:
    """Lets an import begin that its owner has looked at; one that was given up goes on."""
    if len(without) > MOST_SHELVES or any(len(one) > LONGEST_SHELF for one in without):
        raise InvalidField("without", f"Skip at most {MOST_SHELVES} shelves.")

    async def attempt() -> Import:
        kept = await get_import(ctx, library_id)
        if kept.import_id != import_id:
            raise Conflict(
                "Another file was chosen in the meantime. Please check its preview first."
            )
        if kept.state == "running":
            await ctx.store.write(put(run_timer(ctx.now, kept)))
            return kept
        if kept.state != "ready":
            raise Conflict(
                "This import is finished."
                if kept.finished_at
                else "The file is still being uploaded."
            )
        changes = {
            "state": "running",
            "duplicates": duplicates,
            "without": list(without),
            "started_at": iso(ctx.now),
        }
        as_seen = equal(import_id=import_id, state="ready")
        await ctx.store.write(
            update(kept.ref, **changes, if_=as_seen), put(run_timer(ctx.now, kept))
        )
        return replace(kept, **changes)

    started = await retry(attempt)
    return import_view(started, await ctx.store.get(ImportReport.at(import_id=import_id)))


async def cancel(ctx: Context, library_id: str) -> None:
    """Stops an import that runs; what it added stays. One that does not run is forgotten."""

    async def attempt() -> None:
        kept = await get_import(ctx, library_id)
        as_seen = equal(import_id=kept.import_id, state=kept.state)
        if kept.state == "undoing":
            raise Conflict("It is being undone.")
        if kept.state == "running":
            stopped = {"state": "cancelled", "finished_at": iso(ctx.now)}
            await ctx.store.write(update(kept.ref, **stopped, if_=as_seen))
        else:
            await ctx.store.write(delete(kept, if_=as_seen))

    await retry(attempt)


async def undo(ctx: Context, library_id: str, import_id: str) -> ImportSeen:
    """Takes an import back as a whole; what somebody changed or lent since stays.

    Undoing one again that is being undone lets it go on where it was given up.
    """

    async def attempt() -> Import:
        kept = await get_import(ctx, library_id)
        if kept.import_id != import_id:
            raise Conflict("Another file was chosen, so this import can no longer be undone.")
        if kept.state not in ("done", "cancelled", "undoing"):
            raise Conflict("Only a finished import can be undone, and only once.")
        as_seen = equal(import_id=import_id, state=kept.state)
        goes_on = put(timer(UNDO, ctx.now, import_key(kept)))
        await ctx.store.write(update(kept.ref, state="undoing", if_=as_seen), goes_on)
        return replace(kept, state="undoing")

    begun = await retry(attempt)
    return import_view(begun, await ctx.store.get(ImportReport.at(import_id=import_id)))


def import_key(kept: Import) -> dict[str, Any]:
    """Which import something belongs to."""
    return {"owner_id": kept.owner_id, "library_id": kept.library_id, "import_id": kept.import_id}


def import_view(kept: Import, report: ImportReport | None) -> ImportSeen:
    """An import as its owner is shown it."""
    notes = [] if report is None else report.notes
    return ImportSeen(
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
        notes=_notes(notes),
        preview=None if report is None else _preview.decode(report.preview),
        created_at=kept.created_at,
        started_at=kept.started_at,
        finished_at=kept.finished_at,
        kept_until=kept.kept_until,
        removed=kept.removed,
        kept=kept.kept,
        kept_notes=_notes([] if report is None else report.kept),
    )


def run_timer(now: float, kept: Import) -> Timer:
    """What works an import through."""
    return timer(RUN, now, import_key(kept))


def _notes(notes: Sequence[ImportNote]) -> list[Note]:
    return [Note(one.number, one.field, one.title, one.why) for one in notes]


async def _read_and_preview(
    store: Store, now: float, library: Library, file: bytes
) -> tuple[list[Row], ImportPreview]:
    # A large file takes a while, in which others want to be answered.
    found: FileRead = await asyncio.to_thread(read_file, file, now)
    known = await KnownItems.of(store, library)
    return await asyncio.to_thread(build_preview, found, known)


async def _begin(store: Store, now: float, owned: Owned, kept: Import) -> None:
    """Takes the library's place for an import, with the timer that clears it up some day."""
    try:
        await store.write(
            put(kept, if_=new | one_of("state", *IDLE)),
            check(owned.library, if_=stored),
            put(timer(FORGET, now + KEPT_SECONDS, import_key(kept))),
        )
    except ConditionFailed as failed:
        if isinstance(failed.entity, Import) and failed.entity.state == "undoing":
            raise Conflict("The previous import is still being undone.") from None
        raise Conflict("An import into this library is still running.") from None


def _still(kept: Import) -> Write:
    """That it is this file that is kept: what clears it up has not begun."""
    return check(kept, if_=_arriving(kept))


def _arriving(kept: Import) -> Condition:
    return equal(import_id=kept.import_id, state="arriving")


def _clean_file_name(file_name: str) -> str:
    """The file's name without its folder, as far as it can be shown."""
    name = file_name.replace("\\", "/").rpartition("/")[2]
    return clean_line(name)[:LONGEST_FILE_NAME] or "file"

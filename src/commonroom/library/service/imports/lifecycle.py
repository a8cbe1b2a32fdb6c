"""The lifecycle of an import: started, stopped, undone, and how it is getting on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.library.rules.formats.draft import LONGEST_SHELF
from commonroom.library.rules.formats.rows import Note
from commonroom.library.service.access import own_library, retry
from commonroom.library.service.imports.views import Duplicates, ImportPreview, ImportSeen
from commonroom.library.tables import Import, ImportNote, ImportReport
from commonroom.moments import iso
from commonroom.store import delete, equal, put, update
from commonroom.timers import Timer, timer

_preview = msgspec.json.Decoder(ImportPreview)


RUN = "library.import"
UNDO = "library.undo-import"
MOST_SHELVES = 50


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


def _notes(notes: Sequence[ImportNote]) -> list[Note]:
    return [Note(one.number, one.field, one.title, one.why) for one in notes]


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


def run_timer(now: float, kept: Import) -> Timer:
    """What works an import through."""
    return timer(RUN, now, import_key(kept))

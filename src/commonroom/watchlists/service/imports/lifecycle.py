"""Importing what a person has elsewhere: files sent and previewed, started, undone, followed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.imports import lifecycle
from commonroom.imports.files import cut
from commonroom.imports.lifecycle import (
    MAX_FILE_NAME,
    ImportKind,
    clean_file_name,
    keep_file,
)
from commonroom.imports.reading import read_beside
from commonroom.imports.rows import pack_rows
from commonroom.imports.tables import ImportReportRecord
from commonroom.moments import iso
from commonroom.store import Store, equal, put, update
from commonroom.timers import timer
from commonroom.watchlists.rules.curators import WhoPublishes, may_publish
from commonroom.watchlists.rules.formats.contents import MAX_LISTS
from commonroom.watchlists.rules.imports import (
    WatchlistImportChoices,
    WatchlistImportOutcome,
    count_outcome,
)
from commonroom.watchlists.service.access import still_there
from commonroom.watchlists.service.imports import WatchlistImportPreview, WatchlistImportStatus
from commonroom.watchlists.service.imports.preview import begin_preview, unpack_rows
from commonroom.watchlists.service.lists import may_not_publish
from commonroom.watchlists.service.profiles import my_profile
from commonroom.watchlists.tables import (
    WatchlistImport,
    WatchlistImportReport,
    WatchlistImportRows,
    import_rows,
)

IMPORTS = ImportKind(
    room="watchlists",
    record=WatchlistImport,
    rows=WatchlistImportRows,
    report=WatchlistImportReport,
    kept_seconds=30 * 24 * 3600,
    into="your lists",
)
LOOK_UP = "watchlists.look-up-import"
"""The timer that looks titles up."""
SENT_BY_PERSON = Limit("watchlists-import", 20, 24 * 3600)
"""Each costs us much to read, and what it adds to the catalogue stays."""
MAX_LEFT_OUT = MAX_LISTS + 10
MAX_LEFT_OUT = 20

_FROM_THE_START: dict[str, Any] = {
    "state": "arriving",
    **dict.fromkeys(("part", "place", "looked_up", "unknown_rows", "unanswered"), 0),
}
_preview = msgspec.json.Decoder(WatchlistImportPreview)


async def prepare(ctx: Context, files: Sequence[tuple[str, bytes]]) -> WatchlistImportStatus:
    """Keeps files for their owner to look at, in place of those that wait or are over.

    Their titles are looked up after that; then the preview is whole.
    """
    await count_try(ctx.store, ctx.now, SENT_BY_PERSON, ctx.person.user_id)
    zone = ZoneInfo(ctx.person.time_zone or "UTC")
    from commonroom.watchlists.rules.formats.files import read_files  # when they are brought

    found = await read_beside(read_files, files, ctx.now, zone)
    kept = WatchlistImport(
        import_id=str(uuid4()),
        account_id=ctx.person.user_id,
        file_name=_name(files),
        state="arriving",
        of=sum(row.is_counted for row in found.rows),
        created_at=iso(ctx.now),
        kept_until=iso(ctx.now + IMPORTS.kept_seconds),
    )
    preview = begin_preview(found)
    report = WatchlistImportReport(**IMPORTS.key(kept), preview=msgspec.json.encode(preview))
    kept = await keep_file(
        IMPORTS,
        ctx,
        kept,
        pack_rows(found.rows),
        report,
        state="arriving",
        conditions=[still_there(ctx.person)],
        then=[put(timer(LOOK_UP, ctx.now, IMPORTS.key(kept)))],
    )
    return import_view(kept, report)


async def preview_outcome(
    ctx: Context, import_id: str, choices: WatchlistImportChoices
) -> WatchlistImportOutcome:
    """What starting an import with these choices would do: by its rows, as it is worked through."""
    kept = await get_import(ctx)
    if kept.import_id != import_id or kept.state != "ready":
        raise Conflict("This import was already started or cancelled. Please reload the page.")
    _check(choices)
    parts = [part.rows async for part in ctx.store.all(import_rows(import_id=import_id))]
    rows = (row for part in parts for row in unpack_rows(part))
    return await asyncio.to_thread(count_outcome, rows, choices)


async def see_import(ctx: Context) -> WatchlistImportStatus:
    """Returns a person's import: two requests."""
    return await _view(ctx.store, await get_import(ctx))


async def get_import(ctx: Context) -> WatchlistImport:
    """Returns a person's import: one request."""
    kept = await ctx.store.get(WatchlistImport.at(account_id=ctx.person.user_id))
    if kept is None:
        raise NotFound("You are not importing anything.")
    return kept


async def start(
    ctx: Context,
    import_id: str,
    choices: WatchlistImportChoices,
    *,
    who_publishes: WhoPublishes = "curators",
) -> WatchlistImportStatus:
    """Lets an import begin that its owner has looked at; one that was given up goes on."""
    _check(choices)
    if choices.publishes:
        profile = await my_profile(ctx)
        if not may_publish(None if profile is None else profile.curator_status, who_publishes):
            raise may_not_publish()
    fields = {
        "same_lists": choices.same_lists,
        "rated": choices.rated,
        "unknown": choices.unknown,
        "publishes": choices.publishes,
        "without": sorted(choices.without),
    }
    current = partial(get_import, ctx)
    started = await lifecycle.start(IMPORTS, ctx, current, import_id, **fields)
    return await _view(ctx.store, started)


@lifecycle.retry
async def look_up_again(ctx: Context, import_id: str) -> WatchlistImportStatus:
    """Looks titles up for which the film source did not answer, or goes on where it was given up.

    What was found stays found.
    """
    kept = await get_import(ctx)
    is_open = kept.state == "arriving" or (kept.state == "ready" and kept.unanswered > 0)
    if kept.import_id != import_id or not is_open:
        raise Conflict("The titles were looked up already. Please reload the page.")
    report = await ctx.store.get(IMPORTS.report_at(kept))
    if report is None:
        raise Conflict("The file did not arrive whole. Please send it again.")
    as_seen = equal(import_id=import_id, state=kept.state)
    anew = _FROM_THE_START if kept.state == "ready" else {"state": "arriving"}
    goes_on = put(timer(LOOK_UP, ctx.now, IMPORTS.key(kept)))
    await ctx.store.write(update(kept.ref, **anew, if_=as_seen), goes_on)
    return import_view(replace(kept, **anew), report)


async def cancel(ctx: Context) -> None:
    """Stops an import that runs; what it added stays. One that does not run is forgotten."""
    await lifecycle.cancel(ctx, partial(get_import, ctx))


async def undo(ctx: Context, import_id: str) -> WatchlistImportStatus:
    """Takes an import back as a whole; what was changed since stays."""
    undone = await lifecycle.undo(IMPORTS, ctx, partial(get_import, ctx), import_id)
    return await _view(ctx.store, undone)


def choices_of(kept: WatchlistImport) -> WatchlistImportChoices:
    """Returns what its owner has chosen about an import."""
    return WatchlistImportChoices(
        same_lists=kept.same_lists,
        rated=kept.rated,
        unknown=kept.unknown,
        publishes=kept.publishes,
        without=frozenset(kept.without),
    )


def import_view(kept: WatchlistImport, report: ImportReportRecord | None) -> WatchlistImportStatus:
    """Returns an import as its owner is shown it."""
    return WatchlistImportStatus(
        import_id=kept.import_id,
        file_name=kept.file_name,
        state=kept.state,
        same_lists=kept.same_lists,
        rated=kept.rated,
        unknown=kept.unknown,
        publishes=kept.publishes,
        without=kept.without,
        of=kept.of,
        looked_up=kept.looked_up,
        unanswered=kept.unanswered,
        done=kept.added + kept.skipped + kept.failed + kept.unmatched,
        added=kept.added,
        skipped=kept.skipped,
        failed=kept.failed,
        unmatched=kept.unmatched,
        settled=kept.settled,
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


async def _view(store: Store, kept: WatchlistImport) -> WatchlistImportStatus:
    return import_view(kept, await store.get(IMPORTS.report_at(kept)))


def _check(choices: WatchlistImportChoices) -> None:
    without = choices.without
    if len(without) > MAX_LEFT_OUT or any(len(one) > MAX_LEFT_OUT for one in without):
        raise InvalidField("without", f"Leave out at most {MAX_LEFT_OUT} parts.")


def _name(files: Sequence[tuple[str, bytes]]) -> str:
    names = [clean_file_name(name) for name, _ in files]
    return cut(", ".join(names), MAX_FILE_NAME)

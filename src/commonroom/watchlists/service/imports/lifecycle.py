"""Importing what a person has elsewhere: files sent and previewed, started, undone, followed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.errors import Conflict
from commonroom.imports.files import cut
from commonroom.imports.kinds import ImportKind
from commonroom.imports.lifecycle import MAX_FILE_NAME, Imports, clean_file_name, read_beside, retry
from commonroom.store import equal, put, update
from commonroom.timers import timer
from commonroom.watchlists.rules.curators import WhoPublishes, may_publish
from commonroom.watchlists.rules.formats import WatchlistRow
from commonroom.watchlists.rules.imports import (
    WatchlistImportChoices,
    WatchlistImportOutcome,
    count_outcome,
)
from commonroom.watchlists.service.access import still_there
from commonroom.watchlists.service.imports import WatchlistImportPreview, WatchlistImportStatus
from commonroom.watchlists.service.imports.preview import begin_preview
from commonroom.watchlists.service.lists import may_not_publish
from commonroom.watchlists.service.profiles import my_profile
from commonroom.watchlists.tables import (
    WatchlistImport,
    WatchlistImportReport,
    WatchlistImportRows,
    import_contents,
    import_rows,
)

IMPORTS = ImportKind(
    room="watchlists",
    into="your lists",
    nothing="You are not importing anything.",
    kept_seconds=30 * 24 * 3600,
    record=WatchlistImport,
    rows=WatchlistImportRows,
    report=WatchlistImportReport,
    contents=import_contents,
    parts=import_rows,
    row=WatchlistRow,
    preview=WatchlistImportPreview,
    status=WatchlistImportStatus,
)
LOOK_UP = "watchlists.look-up-import"
"""The timer that looks titles up."""
SENT_BY_PERSON = Limit("watchlists-import", 20, 24 * 3600)
"""Each costs us much to read, and what it adds to the catalogue stays."""

_FROM_THE_START: dict[str, Any] = {
    "state": "arriving",
    **dict.fromkeys(("part", "place", "looked_up", "unknown_rows", "unanswered"), 0),
}


class WatchlistImports(
    Imports[
        WatchlistImport,
        WatchlistRow,
        WatchlistImportStatus,
        WatchlistImportChoices,
        WatchlistImportOutcome,
    ]
):
    """The imports of a person."""

    kind = IMPORTS

    def __init__(self, ctx: Context, who_publishes: WhoPublishes = "curators") -> None:
        super().__init__(ctx)
        self._who_publishes = who_publishes

    async def find(self) -> WatchlistImport | None:
        """Returns the person's import, where there is one: one request."""
        return await self.ctx.store.get(WatchlistImport.at(account_id=self.ctx.person.user_id))

    async def prepare(self, files: Sequence[tuple[str, bytes]]) -> WatchlistImportStatus:
        """Keeps files for their owner to look at, in place of those that wait or are over.

        Their titles are looked up after that; then the preview is whole.
        """
        ctx = self.ctx
        await count_try(ctx.store, ctx.now, SENT_BY_PERSON, ctx.person.user_id)
        zone = ZoneInfo(ctx.person.time_zone or "UTC")
        from commonroom.watchlists.rules.formats.files import read_files  # when they are brought

        found = await read_beside(read_files, files, ctx.now, zone)
        names = [clean_file_name(name) for name, _ in files]
        record = IMPORTS.new_record(
            ctx,
            import_id=str(uuid4()),
            file_name=cut(", ".join(names), MAX_FILE_NAME),
            of=sum(row.is_counted for row in found.rows),
        )
        return await self.keep(
            record,
            found.rows,
            begin_preview(found),
            state="arriving",
            conditions=[still_there(ctx.person)],
            then=[put(timer(LOOK_UP, ctx.now, IMPORTS.key(record)))],
        )

    async def count_outcome(
        self, rows: Iterator[WatchlistRow], choices: WatchlistImportChoices
    ) -> WatchlistImportOutcome:
        """Returns what starting an import would do, by its rows."""
        return await asyncio.to_thread(count_outcome, rows, choices)

    async def start(self, import_id: str, choices: WatchlistImportChoices) -> WatchlistImportStatus:
        """Lets an import begin, whose new lists become public only where its owner may publish."""
        if choices.publishes:
            profile = await my_profile(self.ctx)
            status = None if profile is None else profile.curator_status
            if not may_publish(status, self._who_publishes):
                raise may_not_publish()
        return await super().start(import_id, choices)

    @retry
    async def look_up_again(self, import_id: str) -> WatchlistImportStatus:
        """Looks titles up for which the film source did not answer, or goes on doing so.

        What was found stays found.
        """
        record, store = await self.current(), self.ctx.store
        is_open = record.state == "arriving" or (record.state == "ready" and record.unanswered > 0)
        if record.import_id != import_id or not is_open:
            raise Conflict("The titles were looked up already. Please reload the page.")
        report = await store.get(IMPORTS.report_at(record))
        if report is None:
            raise Conflict("The file did not arrive whole. Please send it again.")
        as_seen = equal(import_id=import_id, state=record.state)
        anew = _FROM_THE_START if record.state == "ready" else {"state": "arriving"}
        goes_on = put(timer(LOOK_UP, self.ctx.now, IMPORTS.key(record)))
        await store.write(update(record.ref, **anew, if_=as_seen), goes_on)
        return IMPORTS.show(replace(record, **anew), report)

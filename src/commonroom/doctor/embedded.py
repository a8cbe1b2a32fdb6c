"""The embedded engine: the data file."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import apsw

from commonroom.doctor.consumers import examine_consumers
from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.doctor.folder import OTHERS
from commonroom.doctor.guests import examine_guests
from commonroom.doctor.timers import examine_timers
from commonroom.errors import CommonroomError
from commonroom.model import MODEL
from commonroom.opening import opened
from commonroom.settings import Settings
from commonroom.store.embedded.backup import check_whole, in_sentences, opened_to_read
from commonroom.store.embedded.migrate import missing
from commonroom.store.embedded.schema import TableSql
from commonroom.store.embedded.space import Space, measure

AHEAD_SECONDS = 60.0


async def examine(settings: Settings) -> list[Finding]:
    """The data file, its tables, and how its consumers are doing."""
    path = settings.data_file
    if not path.exists() or not path.stat().st_size:
        return [ok("data file", f"{path} is created on the first start")]
    try:
        with closing(opened_to_read(path)) as connection, in_sentences(path):
            check_whole(connection, path)
            findings = list(_file(settings, connection))
            complete = not missing(connection, map(TableSql, MODEL.tables))
    except CommonroomError as error:
        mend = "Restore a backup with `commonroom restore`, or move the file away."
        return [problem("data file", error.detail, mend)]
    # Opening would create what is missing, and a doctor changes nothing.
    if complete:
        async with opened(settings) as store:
            findings += await examine_consumers(store, time.time())
            findings += await examine_timers(store, time.time())
            findings.append(await examine_guests(store, settings))
    return findings


def _file(settings: Settings, connection: apsw.Connection) -> Iterator[Finding]:
    path = settings.data_file
    size = path.stat().st_size
    yield ok("data file", f"{path} is a valid data file, {size:,} bytes")
    if path.stat().st_mode & OTHERS:
        yield warning("data file", f"other users can read {path}", f"chmod 600 {path}")
    lacking = missing(connection, map(TableSql, MODEL.tables))
    if lacking:
        mend = "They are created on the next start, or by `commonroom tables create`."
        yield warning("tables", f"not created yet: {', '.join(lacking)}", mend)
        return
    yield ok("tables", f"all {len(MODEL.tables)} exist")
    yield _space(measure(connection, time.time()))
    newest = connection.execute("SELECT max(at) FROM _changes").get
    if newest is not None and newest > time.time() + AHEAD_SECONDS:
        mend = "Set the clock, preferably with NTP; until then things expire too late."
        yield warning("clock", "the clock is behind the time of the last change", mend)


def _space(space: Space) -> Finding:
    """How the file grows: a house that is used grows slowly, one that is abused does not."""
    said = f"{megabytes(space.free_bytes)} of it free, {megabytes(space.change_bytes)} changes"
    if space.bytes_a_week_ago is not None:
        grown = space.bytes - space.bytes_a_week_ago
        said += f"; {megabytes(abs(grown))} {'more' if grown >= 0 else 'less'} than a week ago"
    if not space.gives_back and space.free_bytes > space.bytes / 4:
        mend = "Restart Commonroom to free the space."
        return warning("space", f"{said}; free space cannot be returned to the disk", mend)
    return ok("space", said)


def megabytes(count: int) -> str:
    """A size as people say it."""
    return f"{count / 1_000_000:,.1f} MB"

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
from commonroom.store.embedded.backup import check_database, open_read_only
from commonroom.store.embedded.data_file import file_errors
from commonroom.store.embedded.disk_space import DiskSpace, measure
from commonroom.store.embedded.migrations import missing_tables
from commonroom.store.embedded.schema import TableSql

AHEAD_SECONDS = 60.0


async def examine(settings: Settings) -> list[Finding]:
    """The data file, its tables, and how its consumers are doing."""
    path = settings.data_file
    if not path.exists() or not path.stat().st_size:
        return [ok("data file", f"{path} is made on the first start")]
    try:
        with closing(open_read_only(path)) as connection, file_errors(path):
            check_database(connection, path)
            findings = list(_file(settings, connection))
            complete = not missing_tables(connection, map(TableSql, MODEL.tables))
    except CommonroomError as error:
        mend = "Put a backup in its place with `commonroom restore`, or move the file away."
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
    yield ok("data file", f"{path} is Commonroom’s and undamaged, {size:,} bytes")
    if path.stat().st_mode & OTHERS:
        yield warning("data file", f"others than its owner can read {path}", f"chmod 600 {path}")
    lacking = missing_tables(connection, map(TableSql, MODEL.tables))
    if lacking:
        mend = "They are made on the next start, or by `commonroom tables create`."
        yield warning("tables", f"not there yet: {', '.join(lacking)}", mend)
        return
    yield ok("tables", f"all {len(MODEL.tables)} are there")
    yield _space(measure(connection, time.time()))
    newest = connection.execute("SELECT max(at) FROM _changes").get
    if newest is not None and newest > time.time() + AHEAD_SECONDS:
        mend = "Set the clock, best by NTP; until then things expire too late."
        yield warning("clock", "it is behind the time of the last change", mend)


def _space(space: DiskSpace) -> Finding:
    """How the file grows: a house that is used grows slowly, one that is abused does not."""
    said = f"{megabytes(space.free_bytes)} of it free, {megabytes(space.change_bytes)} changes"
    if space.bytes_a_week_ago is not None:
        grown = space.bytes - space.bytes_a_week_ago
        said += f"; {megabytes(abs(grown))} {'more' if grown >= 0 else 'less'} than a week ago"
    if not space.gives_back and space.free_bytes > space.bytes / 4:
        mend = "Stop Commonroom and start it again: it then gives the space back."
        return warning("space", f"{said}; free space cannot be given back", mend)
    return ok("space", said)


def megabytes(count: int) -> str:
    """A size as people say it."""
    return f"{count / 1_000_000:,.1f} MB"

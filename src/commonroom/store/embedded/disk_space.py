"""Disk space: vacuum and checkpoint, so that nothing deleted stays readable, and growth."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import apsw
from msgspec import Struct

INCREMENTAL = 2
"""SQLite's word for a file whose free pages can be given back a few at a time."""
STEP_PAGES = 4096
"""How many pages one step gives back, while nobody else can write: 16 MB."""
CHECKPOINT_MILLISECONDS = 100
"""Emptying the log makes writers wait for readers, so it waits for them only this long."""
MAX_REWRITTEN = 256 * 1024 * 1024
"""Up to which size a file is written anew once a day, which takes about a second per 100 MB."""
DAYS_KEPT = 400
DAY_SECONDS = 86_400

SIZES = "CREATE TABLE IF NOT EXISTS _sizes (day INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);"


class DiskSpace(Struct, frozen=True):
    """How much room a file takes, how much of that is free, and how it has grown."""

    bytes: int
    free_bytes: int
    change_bytes: int
    """Of the change stream, which is kept for a day."""
    bytes_a_week_ago: int | None
    """None where it is not that old."""
    gives_back: bool
    """Whether free pages can be given back while it is in use."""


def reclaim_space(connection: apsw.Connection, path: Path, now: float | None = None) -> None:
    """Frees unused pages, and empties the log, in which what was deleted can still be read."""
    if _is_new_day(connection, time.time() if now is None else now):
        rewrite(connection)
    connection.execute(f"PRAGMA incremental_vacuum({STEP_PAGES})").fetchall()
    empty_log(connection, path)


def empty_log(connection: apsw.Connection, path: Path) -> None:
    """Copies the log back into its file and cuts it to nothing, unless others need it for long."""
    if _log_of(path):
        connection.set_busy_timeout(CHECKPOINT_MILLISECONDS)
        with suppress(apsw.BusyError):  # another connection reads or writes for long
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def rewrite(connection: apsw.Connection) -> None:
    """Writes the file anew: pages that were split keep pieces of rows that are deleted later."""
    if connection.pragma("page_count") * connection.pragma("page_size") <= MAX_REWRITTEN:
        with suppress(apsw.BusyError, apsw.FullError):
            connection.execute("VACUUM")


def enable_incremental_vacuum(connection: apsw.Connection) -> None:
    """Lets a file give free pages back: a new one, or once one of before, which is written anew.

    Only when the file has its mark: SQLite writes the setting by itself, and a process killed just
    then would leave a file that nobody knows.
    """
    if connection.pragma("auto_vacuum") == INCREMENTAL:
        return
    connection.pragma("auto_vacuum", INCREMENTAL)
    with suppress(apsw.BusyError, apsw.FullError):  # the next start tries again
        connection.execute("VACUUM")


def measure(connection: apsw.Connection, now: float) -> DiskSpace:
    """Reads how much room the file takes."""
    page = connection.pragma("page_size")
    ago = connection.execute(
        "SELECT bytes FROM _sizes WHERE day <= ? ORDER BY day DESC LIMIT 1", (_day(now) - 7,)
    ).get
    changes = connection.execute(
        "SELECT coalesce(sum(coalesce(length(old), 0) + coalesce(length(new), 0)), 0) FROM _changes"
    ).get
    return DiskSpace(
        bytes=connection.pragma("page_count") * page,
        free_bytes=connection.pragma("freelist_count") * page,
        change_bytes=changes,
        bytes_a_week_ago=ago,
        gives_back=connection.pragma("auto_vacuum") == INCREMENTAL,
    )


def _is_new_day(connection: apsw.Connection, now: float) -> bool:
    """Whether this is the first time today; the size is noted then, so that growth can be told."""
    day = _day(now)
    if connection.execute("SELECT 1 FROM _sizes WHERE day = ?", (day,)).get is not None:
        return False
    size = connection.pragma("page_count") * connection.pragma("page_size")
    connection.execute("INSERT OR IGNORE INTO _sizes VALUES (?, ?)", (day, size))
    connection.execute("DELETE FROM _sizes WHERE day < ?", (day - DAYS_KEPT,))
    return True


def _day(now: float) -> int:
    return int(now // DAY_SECONDS)


def _log_of(path: Path) -> int:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except FileNotFoundError:
        return 0

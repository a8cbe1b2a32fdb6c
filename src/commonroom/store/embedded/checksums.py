"""Page checksums: SQLite's checksum VFS, by which every page that is read from disk is verified."""

from __future__ import annotations

from contextlib import closing, suppress
from functools import cache
from pathlib import Path

import apsw
from apsw import sqlite_extra

from commonroom.store.errors import Unavailable

RESERVED_BYTES = 8
"""At the end of each page: where its checksum is."""

OPEN_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


def open_with_checksums(file: str | Path, flags: int = OPEN_FLAGS) -> apsw.Connection:
    """Returns a connection that verifies what it reads and updates checksums with what it writes.

    A file without checksums is read and written as it is.
    """
    return apsw.Connection(str(file), flags=flags, vfs=_checksum_vfs())


def reserve_checksums(connection: apsw.Connection) -> None:
    """Lets the next thing that lays out all pages leave room: a new file, or a VACUUM."""
    connection.reserve_bytes(reserve=RESERVED_BYTES)


def has_checksums(connection: apsw.Connection) -> bool:
    """Whether the pages of a file have room for them."""
    return connection.reserve_bytes() == RESERVED_BYTES


def skip_verification(connection: apsw.Connection) -> None:
    """Lets a connection read damaged pages, in order to copy or replace them."""
    connection.pragma("checksum_verification", False)


def add_checksums(connection: apsw.Connection) -> None:
    """Rewrites a file that has none; skipped while others have it open, or the disk is full.

    Others would go on writing pages without checksums, so it happens outside of WAL, which takes
    the file for one connection alone.
    """
    if has_checksums(connection):
        return
    busy_milliseconds = connection.pragma("busy_timeout")
    connection.set_busy_timeout(0)
    with suppress(apsw.BusyError, apsw.LockedError, apsw.FullError):
        connection.pragma("journal_mode", "delete")
        reserve_checksums(connection)
        connection.execute("VACUUM")
    connection.pragma("journal_mode", "wal")
    connection.set_busy_timeout(busy_milliseconds)


@cache
def _checksum_vfs() -> str:
    """Loads the VFS into this process; every SQLite file could be opened through it from then."""
    try:
        with closing(apsw.Connection(":memory:")) as connection:
            sqlite_extra.load(connection, "cksumvfs")
    except sqlite_extra.NotAvailable as error:
        raise Unavailable(
            "This build of apsw lacks SQLite’s checksum extension (cksumvfs), which data files "
            "need; install apsw as it is published."
        ) from error
    return "cksmvfs"

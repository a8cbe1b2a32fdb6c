"""The data file where nothing can be written: on a read-only disk, or without the right to."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

import apsw

from commonroom.store.declare.table import Table
from commonroom.store.embedded.checksums import open_with_checksums
from commonroom.store.embedded.data_file import (
    APPLICATION_ID,
    BUSY_MILLISECONDS,
    FORMAT,
    altered_layout,
    connect,
    file_errors,
    is_layout_altered,
)
from commonroom.store.embedded.engine import EmbeddedEngine
from commonroom.store.embedded.migrations import missing_tables
from commonroom.store.embedded.reads import Reader
from commonroom.store.embedded.schema import TableSql
from commonroom.store.embedded.writes import Tables
from commonroom.store.engine import Clock, WriteOperation
from commonroom.store.errors import ForeignFile, Unavailable
from commonroom.store.upgrades.incomplete import Incomplete
from commonroom.store.upgrades.tables import upgrades
from commonroom.store.values import Item


def is_read_only(path: Path) -> bool:
    """Whether a file is there and cannot be written, or nothing beside it."""
    return path.exists() and not all(
        os.access(one, os.W_OK, effective_ids=True) for one in (path, path.parent)
    )


def open_to_read(path: Path) -> apsw.Connection:
    """A connection for reading: an ordinary one, or a read-only one where that cannot be had."""
    return open_read_only(path) if is_read_only(path) else connect(path, create=False)


def open_read_only(path: Path) -> apsw.Connection:
    """Returns a connection that cannot change a file, nor leave others beside it."""
    with file_errors(path):
        return _open_with_log(path) or _open(path, "?immutable=1")


def unseen_log_bytes(path: Path) -> int:
    """Returns how many bytes of the log no read-only connection can apply: the newest changes."""
    with file_errors(path):
        connection = _open_with_log(path)
    if connection is not None:
        connection.close()
        return 0
    return _log_bytes(path)


def check_identity(connection: apsw.Connection, path: Path) -> None:
    """Refuses a database that is not ours, newer than we are, or laid out as none of ours is."""
    if connection.pragma("application_id") != APPLICATION_ID:
        raise ForeignFile(f"{path} is a database of another program; it was left as it is.")
    version = connection.pragma("user_version")
    if is_layout_altered(version, connection.reserve_bytes()):
        raise altered_layout(path)
    if version > FORMAT:
        raise ForeignFile(f"{path} was made by a newer Commonroom; upgrade this one to open it.")


def _open_with_log(path: Path) -> apsw.Connection | None:
    """A connection that sees what the log holds; None where there is none, or where it cannot.

    SQLite shares a log through a third file, which it cannot make on a read-only disk.
    """
    if not _log_bytes(path):
        return None
    try:
        connection = _open(path)
        connection.execute("SELECT count(*) FROM sqlite_schema").get  # noqa: B018 - reads it
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        if not is_read_only(path):
            raise
        return None
    return connection


def _open(path: Path, options: str = "") -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = open_with_checksums(f"file:{quote(str(path.resolve()))}{options}", flags)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    return connection


def _log_bytes(path: Path) -> int:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except FileNotFoundError:
        return 0


class ReadOnlyEngine(EmbeddedEngine):
    """The embedded engine for readers; every write is refused."""

    is_writable = False

    def __init__(self, path: Path, tables: Sequence[Table], *, clock: Clock = time.time) -> None:
        self.path = path
        self.incomplete = Incomplete()
        self._clock = clock
        self._created = []
        with file_errors(path):
            self._reading = open_read_only(path)
            check_identity(self._reading, path)
            every = [TableSql(table) for table in dict.fromkeys([*tables, upgrades])]
            # An older file lacks some, and here they cannot be made.
            missing = missing_tables(self._reading, every)
        self._tables = Tables(
            {sql.table.name: sql for sql in every if sql.table.name not in missing}
        )
        self._reader = Reader(path, self._reading, self._tables, clock)

    async def write(self, operations: Sequence[WriteOperation]) -> NoReturn:  # noqa: ARG002 - refused
        """Refuses."""
        raise self._refusal()

    async def load(self, table: Table, items: Sequence[Item]) -> NoReturn:  # noqa: ARG002 - refused
        """Refuses."""
        raise self._refusal()

    async def close(self) -> None:
        """Lets go of the file."""
        self._reading.close()

    def _refusal(self) -> Unavailable:
        return Unavailable(f"{self.path} cannot be written here; nothing was changed.")

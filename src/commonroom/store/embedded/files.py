"""The data file: opened with care, never overwritten when it is not ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import apsw

from commonroom.store.errors import CorruptFile, ForeignFile, StoreError, Unavailable

APPLICATION_ID = 0x434D524D  # "CMRM", so that `file` and we can tell our files from others
FORMAT = 1
BUSY_MILLISECONDS = 10_000
MAP_BYTES = 1 << 32

Durability = Literal["FULL", "NORMAL", "OFF"]


def connect(path: Path, durability: Durability = "FULL", *, create: bool = True) -> apsw.Connection:
    """A connection to a data file, which is made if it is not there."""
    if path.exists() and path.stat().st_size:
        verify(path)
    elif not create:
        raise ForeignFile(f"There is no data file at {path}.")
    try:
        connection = apsw.Connection(str(path))
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        _prepare(connection, durability)
    except apsw.Error as error:
        raise file_error(path, error) from error
    return connection


def _prepare(connection: apsw.Connection, durability: Durability) -> None:
    if connection.pragma("application_id") == 0:
        # Before WAL, so that the mark is in the file itself from the first byte on.
        with transaction(connection):
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", FORMAT)
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", durability)
    connection.pragma("mmap_size", MAP_BYTES)
    connection.pragma("cache_size", -65536)
    connection.pragma("temp_store", "memory")


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """All that is written inside, or nothing; waits its turn among processes before it starts."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def verify(path: Path) -> None:
    """Refuses a file that is not ours, newer than we are, or damaged; changes nothing."""
    try:
        mark, version, tables = _marks(path)
    except apsw.Error as error:
        if getattr(error, "extendedresult", 0) != apsw.SQLITE_READONLY_ROLLBACK:
            raise file_error(path, error) from error
        # Whoever made the file was killed over it. What they left is rolled back when it is opened
        # for writing; until then, the file's own header tells whose it is.
        mark, version, tables = *_header(path), 1
    if mark != APPLICATION_ID and not (mark == 0 and tables == 0):
        raise ForeignFile(f"{path} is a database of another program; it was left as it is.")
    if version > FORMAT:
        raise ForeignFile(f"{path} was made by a newer Commonroom; upgrade this one to open it.")


def _marks(path: Path) -> tuple[int, int, int]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    try:
        mark, version = connection.pragma("application_id"), connection.pragma("user_version")
        return mark, version, connection.execute("SELECT count(*) FROM sqlite_schema").get
    finally:
        connection.close()


def _header(path: Path) -> tuple[int, int]:
    with path.open("rb") as file:
        head = file.read(72)
    return int.from_bytes(head[68:72]), int.from_bytes(head[60:64])


def check_integrity(connection: apsw.Connection, path: Path) -> None:
    """Reads the whole file and refuses it where it is damaged."""
    try:
        problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    except apsw.Error as error:
        raise file_error(path, error) from error
    if problems != ["ok"]:
        raise CorruptFile(f"{path} is damaged ({problems[0]}); restore the newest backup.")


def file_error(path: Path, error: apsw.Error) -> StoreError:
    """What SQLite says, as one of our errors."""
    match error:
        case apsw.NotADBError():
            return ForeignFile(f"{path} is not a Commonroom data file; it was left as it is.")
        case apsw.CorruptError():
            return CorruptFile(f"{path} is damaged; restore the newest backup.")
        case apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError():
            return Unavailable(f"{path} cannot be opened for writing; check its folder and rights.")
        case apsw.BusyError() | apsw.LockedError():
            return Unavailable(f"{path} is locked by another program; try again in a moment.")
        case apsw.FullError():
            return Unavailable(f"There is no room left on the disk of {path}; nothing was written.")
    return Unavailable(f"{path} cannot be used: {error}.")

"""The data file: a connection to it, its header checked; one that is not ours is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import apsw

from commonroom.store.embedded.checksums import (
    RESERVED_BYTES,
    has_checksums,
    open_with_checksums,
    reserve_checksums,
)
from commonroom.store.errors import CorruptFile, ForeignFile, StoreError, Unavailable

APPLICATION_ID = 0x434D524D  # "CMRM", so that `file` and we can tell our files from others
FORMAT = 3
"""1: of version 0.1, which knew nothing of the tables' states; 2: without checksums of pages.
Code that knows only an earlier one must not write to such a file, and one of this format whose
header says that it has no checksums is damaged: nothing else would be noticed in it."""
FORMAT_WITHOUT_CHECKSUMS = 2
MAGIC = b"SQLite format 3\0"
BUSY_MILLISECONDS = 10_000

Durability = Literal["FULL", "NORMAL", "OFF"]

damaged_files: set[Path] = set()
"""The files in which this process has met damage, and no check has found them sound since."""


def connect(path: Path, durability: Durability = "FULL", *, create: bool = True) -> apsw.Connection:
    """Returns a connection to a data file, which is made if it is not there."""
    try:
        if path.exists() and path.stat().st_size:
            check_header(path)
        elif not create:
            raise ForeignFile(f"There is no data file at {path}.")
    except OSError as error:
        raise _not_writable(path) from error
    with file_errors(path):
        connection = open_with_checksums(path)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        _prepare(connection, durability)
    return connection


def _prepare(connection: apsw.Connection, durability: Durability) -> None:
    if connection.pragma("application_id") == 0:
        reserve_checksums(connection)
        # Before WAL, so that the mark is in the file itself from the first byte on.
        with transaction(connection):
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", format_of(connection))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", durability)
    # What is deleted is overwritten: a person who leaves is not to be found in free pages.
    connection.pragma("secure_delete", True)
    connection.pragma("cache_size", -65536)
    connection.pragma("temp_store", "memory")
    # A plan does not depend on what is bound to it, or every range would be planned anew.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """All that is written inside, or nothing; waits its turn among processes before it starts."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # SQLite ends it by itself at damage
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def check_header(path: Path) -> None:
    """Refuses a file that is not ours, newer than we are, or damaged; changes nothing."""
    with path.open("rb") as file:
        head = file.read(72)
    # Looked at without SQLite, which would leave traces beside a file that is not ours.
    if not head.startswith(MAGIC):
        raise ForeignFile(f"{path} is not a Commonroom data file; it was left as it is.")
    if int.from_bytes(head[68:72]) != APPLICATION_ID:
        raise ForeignFile(f"{path} is a database of another program; it was left as it is.")
    version = int.from_bytes(head[60:64])
    if is_layout_altered(version, head[20]):
        raise altered_layout(path)
    if version > FORMAT or _version(path) > FORMAT:
        raise ForeignFile(f"{path} was made by a newer Commonroom; upgrade this one to open it.")


def format_of(connection: apsw.Connection) -> int:
    """Returns which format a file has by how its pages are laid out."""
    return FORMAT if has_checksums(connection) else FORMAT_WITHOUT_CHECKSUMS


def is_layout_altered(version: int, reserved_bytes: int) -> bool:
    """Whether a file has checksums by its format, and none by its header, so none is verified."""
    return FORMAT_WITHOUT_CHECKSUMS < version <= FORMAT and reserved_bytes != RESERVED_BYTES


def altered_layout(path: Path) -> CorruptFile:
    """Returns the error for a file whose header no longer says that it has checksums."""
    damaged_files.add(path)
    return damaged_file(path, "its header was altered")


def _version(path: Path) -> int:
    """Returns the format as the log has it, which may be ahead of the file."""
    try:
        connection = open_with_checksums(path, apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        connection.execute("SELECT count(*) FROM sqlite_schema").get  # noqa: B018 - reads it all
        version: int = connection.pragma("user_version")
        connection.close()
    except apsw.ReadOnlyError as error:
        if getattr(error, "extendedresult", None) != apsw.SQLITE_READONLY_ROLLBACK:
            raise file_error(path, error) from error
        # The process that made the file was killed; what it left undone is rolled back as soon as
        # it is opened for writing.
        return 0
    except apsw.Error as error:
        raise file_error(path, error) from error
    return version


def check_integrity(connection: apsw.Connection, path: Path) -> None:
    """Reads the whole file and refuses it where it is damaged."""
    with file_errors(path):
        problems = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    if problems != ["ok"]:
        damaged_files.add(path)
        raise damaged_file(path, problems[0])
    damaged_files.discard(path)


def damaged_file(path: Path, problem: str = "") -> CorruptFile:
    """Returns the error for a file that is damaged."""
    where = f" ({problem.splitlines()[-1]})" if problem else ""
    return CorruptFile(
        f"{path} is damaged{where}; `commonroom export --salvage` brings out all that can still be "
        "read, and `commonroom restore --newest` restores the newest backup."
    )


def _not_writable(path: Path) -> StoreError:
    return Unavailable(
        f"{path} cannot be opened for writing; check its folder and rights; where nothing can be "
        "written, export, doctor, check, and backup to another place still work."
    )


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Raises the store's error for whatever SQLite raises inside."""
    try:
        yield
    except apsw.Error as error:
        raise file_error(path, error) from error


def is_damage(error: BaseException) -> bool:
    """Whether SQLite met a damaged page: not as any can be, or not as its checksum says."""
    return isinstance(error, apsw.CorruptError) or (
        getattr(error, "extendedresult", None) == apsw.SQLITE_IOERR_DATA
    )


def file_error(path: Path, error: apsw.Error) -> StoreError:
    """Returns the store's error for one of SQLite's."""
    match error:
        case apsw.NotADBError():
            return ForeignFile(f"{path} is not a Commonroom data file; it was left as it is.")
        case _ if is_damage(error):
            damaged_files.add(path)
            return damaged_file(path)
        case apsw.CantOpenError() | apsw.ReadOnlyError() | apsw.PermissionsError():
            return _not_writable(path)
        case apsw.BusyError() | apsw.LockedError():
            return Unavailable(f"{path} is locked by another program; try again in a moment.")
        case apsw.FullError():
            return Unavailable(f"There is no room left on the disk of {path}; nothing was written.")
    return Unavailable(f"{path} cannot be used: {error}.")

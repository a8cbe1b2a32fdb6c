"""The index file: opened, and made anew where it is lost, damaged, old, or not of this data.

What is in it can always be worked out again, so it is never repaired.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import apsw

from commonroom.search.embedded.schema import APPLICATION_ID, FORMAT, TABLES
from commonroom.search.index import SearchUnavailable

logger = logging.getLogger(__name__)

BUSY_MILLISECONDS = 10_000
CACHE_KILOBYTES = 16_384


class UselessFile(Exception):
    """The file is none that this version can use."""


class ForeignIndexFile(UselessFile):
    """The file is another program's, as far as can be told."""


def open_index_file(path: Path, store_id: str | None = None) -> apsw.Connection:
    """Returns a connection to the index file, which is made anew where it is missing or useless."""
    with _locked(path):
        try:
            return _connect(path, store_id)
        except ForeignIndexFile as error:
            path.replace(path.with_name(f"{path.name}.foreign"))
            return _connect_anew(path, store_id, error)
        except UselessFile as error:
            return _connect_anew(path, store_id, error)
        except apsw.Error as error:
            if not is_damage(error):
                raise
            return _connect_anew(path, store_id, error)


def open_to_read(path: Path, store_id: str | None = None) -> apsw.Connection:
    """A connection that changes nothing; `SearchUnavailable` where there is nothing to read."""
    if inode_of(path) is None:
        raise SearchUnavailable("There is no search index yet; a server makes it when it starts.")
    try:
        return connect(path, store_id, apsw.SQLITE_OPEN_READONLY)
    except UselessFile as error:
        raise SearchUnavailable(
            f"{path} is no search index of this version and this data: {error}."
        ) from error


def is_damage(error: Exception) -> bool:
    """Whether this is what SQLite says of a file that was damaged, or cut short."""
    if isinstance(error, apsw.SQLError):
        return "no such table" in str(error) or "vtable constructor failed" in str(error)
    return isinstance(error, apsw.CorruptError | apsw.NotADBError)


def replace_index_file(path: Path, inode: int, reason: str) -> None:
    """Removes a damaged file, unless another process has done so already."""
    with _locked(path):
        if inode_of(path) == inode:
            logger.warning("Rebuilding the search index %s: %s.", path, reason)
            _remove(path)


def remove_index_file(path: Path) -> None:
    """Removes the index; it is made anew from what is stored when it is needed."""
    if path.parent.is_dir():
        with _locked(path):
            _remove(path)


def inode_of(path: Path) -> int | None:
    """Returns which file is there; None where there is none."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None


def connect(
    path: Path, store_id: str | None = None, flags: int = apsw.SQLITE_OPEN_READWRITE
) -> apsw.Connection:
    """A connection to an index file as it is; `UselessFile` where it is none that can be used.

    Where the store's id is given, one that was made for another store cannot.
    """
    connection = apsw.Connection(str(path), flags)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    try:
        application, version = (
            connection.pragma("application_id"),
            connection.pragma("user_version"),
        )
    except apsw.NotADBError:
        raise ForeignIndexFile("it is no index") from None
    if application != APPLICATION_ID:
        raise ForeignIndexFile("it is another program’s")
    if version != FORMAT:
        raise UselessFile("it is of another version")
    connection.execute("SELECT count(*) FROM state").get  # noqa: B018 - reads it all
    made_for = connection.execute("SELECT max(value) FROM state WHERE name = 'store'").get
    if store_id not in (None, made_for):
        connection.close()
        raise UselessFile("it was made for other data")
    return connection


def _connect(path: Path, store_id: str | None) -> apsw.Connection:
    if not path.exists() or not path.stat().st_size:
        _make(path, store_id)
    connection = connect(path, store_id)
    connection.pragma("journal_mode", "wal")
    # The log stays when the last connection is closed: a file that took this one's place meanwhile
    # has its log under the same name, and closing would delete that one.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.pragma("secure_delete", True)
    connection.pragma("cache_size", -CACHE_KILOBYTES)
    connection.pragma("temp_store", "memory")
    return connection


def _connect_anew(path: Path, store_id: str | None, error: Exception) -> apsw.Connection:
    logger.warning("Rebuilding the search index %s: %s.", path, error)
    _remove(path)
    return _connect(path, store_id)


def _make(path: Path, store_id: str | None) -> None:
    """Makes the file for its owner alone, with its marks in it before there is a log."""
    _remove(path)
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    connection = apsw.Connection(str(path))
    with connection:
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", FORMAT)
        connection.execute(TABLES)
        connection.execute("INSERT INTO state VALUES ('generation', ?)", (uuid4().hex,))
        if store_id is not None:
            connection.execute("INSERT INTO state VALUES ('store', ?)", (store_id,))
    connection.close()


def _remove(path: Path) -> None:
    # The log first: without its file it is harmless, and must not be taken for a new file's.
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").unlink()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One process at a time decides whether the file is to be made anew."""
    try:
        descriptor = os.open(path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise SearchUnavailable(
            f"The search index {path} cannot be opened for writing: {error.strerror}."
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)

"""A backup of the data file while it is in use: one moment of it, whole, checked, in one file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw

from commonroom.store.embedded.files import (
    APPLICATION_ID,
    BUSY_MILLISECONDS,
    FORMAT,
    check_integrity,
    connect,
    file_error,
)
from commonroom.store.errors import ForeignFile, Refused, Unavailable

STEP_PAGES = 1024
PROGRESS_STEPS = 5_000
"""SQLite's own instructions between two words on how far it is."""

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


def silent(_done: int, _of: int) -> None:
    """Progress that nobody watches."""


def back_up(
    data_file: Path, target: Path, *, force: bool = False, progress: Progress = silent
) -> int:
    """Writes a backup and says how many bytes it has; the target appears only when it is whole."""
    if _is_same(data_file, target):
        raise Refused(f"{target} is the data file itself; name another file.")
    if target.exists() and not force:
        raise Refused(f"{target} exists already; --force writes over it.")
    partial = target.with_name(f"{target.name}.partial")
    try:
        mine = _made_new(partial)
        with closing(connect(data_file, create=False)) as source, in_sentences(data_file):
            _write_compact(partial, source, progress)
        check_backup(partial)
        _sync(partial)
        if partial.stat().st_ino != mine:
            raise Unavailable(f"Another backup writes to {target} at the same time; try again.")
        size = partial.stat().st_size
        partial.replace(target)
        _sync(target.parent)
    except OSError as error:
        raise Unavailable(f"{target} cannot be written: {error.strerror}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return size


def _write_compact(target: Path, source: apsw.Connection, progress: Progress) -> None:
    """Writes what a database holds at one moment, and nothing that it held before: no free pages.

    The target is an empty file, made for its owner alone.
    """
    pages = source.pragma("page_count")
    page_size = source.pragma("page_size")

    def tell() -> bool:
        progress(min(target.stat().st_size // page_size, pages), pages)
        return False  # go on

    source.set_progress_handler(tell, PROGRESS_STEPS)
    try:
        source.execute("VACUUM INTO ?", (str(target),))
    finally:
        source.set_progress_handler(None)
    progress(pages, pages)


def copy_into(target: Path, source: apsw.Connection, progress: Progress) -> None:
    """Copies a database as it is at one moment into a file that needs no others beside it."""
    with closing(apsw.Connection(str(target))) as copy:
        with source, copy.backup("main", source, "main") as pages:
            # From the first read to the end of its transaction, the source is of one moment:
            # without that, every write of another process would make the copy start anew.
            source.pragma("schema_version")
            step_through(pages, progress)
        copy.pragma("journal_mode", "delete")


def step_through(pages: apsw.Backup, progress: Progress) -> None:
    """Finishes a copy of pages."""
    while not pages.done:
        pages.step(STEP_PAGES)
        progress(pages.page_count - pages.remaining, pages.page_count)


def check_backup(path: Path) -> None:
    """Refuses a file that is no whole backup of Commonroom's; changes nothing."""
    if not path.is_file():
        raise ForeignFile(f"There is no backup at {path}.")
    if not path.stat().st_size:
        raise ForeignFile(f"{path} is empty, so it is no backup.")
    with closing(opened_to_read(path)) as connection, in_sentences(path):
        check_whole(connection, path)


def check_whole(connection: apsw.Connection, path: Path) -> None:
    """Refuses a database that is not ours, newer than we are, or damaged anywhere."""
    if connection.pragma("application_id") != APPLICATION_ID:
        raise ForeignFile(f"{path} is a database of another program; it was left as it is.")
    if connection.pragma("user_version") > FORMAT:
        raise ForeignFile(f"{path} was made by a newer Commonroom; upgrade this one to open it.")
    check_integrity(connection, path)


def opened_to_read(path: Path) -> apsw.Connection:
    """A connection that cannot change a file, nor leave others beside it."""
    # Immutable only if nobody has it open: a -wal beside it holds a part of what is in it.
    alone = not path.with_name(f"{path.name}-wal").exists()
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    name = f"file:{quote(str(path.resolve()))}" + ("?immutable=1" if alone else "")
    with in_sentences(path):
        connection = apsw.Connection(name, flags=flags)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
    return connection


@contextmanager
def in_sentences(path: Path) -> Iterator[None]:
    """What SQLite says, as one of our errors."""
    try:
        yield
    except apsw.Error as error:
        raise file_error(path, error) from error


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve() or (other.exists() and one.samefile(other))


def _made_new(path: Path) -> int:
    """A new file for its owner alone, in place of what an interrupted backup left; its number."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    try:
        return os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)


def _sync(path: Path) -> None:
    """Makes sure that a file, or a folder's new name, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

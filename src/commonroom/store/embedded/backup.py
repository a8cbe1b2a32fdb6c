"""Backup of the data file while it is in use, and restore in its place, each checked and whole."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw

from commonroom.store.embedded.checksums import (
    RESERVED_BYTES,
    open_with_checksums,
    skip_verification,
)
from commonroom.store.embedded.data_file import (
    BUSY_MILLISECONDS,
    check_integrity,
    connect,
    file_errors,
    format_of,
    is_layout_altered,
)
from commonroom.store.embedded.read_only import check_identity, open_read_only, open_to_read
from commonroom.store.errors import CorruptFile, ForeignFile, Refused, Unavailable

STEP_PAGES = 1024
PROGRESS_STEPS = 5_000
"""SQLite's own instructions between two words on how far it is."""

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


def no_progress(_done: int, _of: int) -> None:
    """Progress that nobody watches."""


def back_up(
    data_file: Path, target: Path, *, force: bool = False, progress: Progress = no_progress
) -> int:
    """Writes a backup and says how many bytes it has; the target appears only when it is whole."""
    if _is_same_file(data_file, target):
        raise Refused(f"{target} is the data file itself; name another file.")
    if target.exists() and not force:
        raise Refused(f"{target} exists already; --force writes over it.")
    partial = target.with_name(f"{target.name}.partial")
    try:
        mine = _create_new(partial)
        with closing(open_to_read(data_file)) as source, file_errors(data_file):
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

    def report() -> bool:
        progress(min(target.stat().st_size // page_size, pages), pages)
        return False  # go on

    source.set_progress_handler(report, PROGRESS_STEPS)
    try:
        source.execute("VACUUM INTO ?", (str(target),))
    finally:
        source.set_progress_handler(None)
    progress(pages, pages)


def copy_database(target: Path, source: apsw.Connection, progress: Progress) -> None:
    """Copies a database as it is at one moment into a file that needs no others beside it."""
    with closing(open_with_checksums(target)) as copy:
        with source, copy.backup("main", source, "main") as pages:
            # From the first read to the end of its transaction, the source is of one moment:
            # without that, every write of another process would make the copy start anew.
            source.pragma("schema_version")
            copy_pages(pages, progress)
        copy.pragma("journal_mode", "delete")


def copy_pages(pages: apsw.Backup, progress: Progress) -> None:
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
    with closing(open_read_only(path)) as connection, file_errors(path):
        check_database(connection, path)


def check_database(connection: apsw.Connection, path: Path) -> None:
    """Refuses a database that is not ours, newer than we are, or damaged anywhere."""
    check_identity(connection, path)
    check_integrity(connection, path)


def _is_same_file(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve() or (other.exists() and one.samefile(other))


def _create_new(path: Path) -> int:
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


def restore(data_file: Path, backup: Path, *, progress: Progress = no_progress) -> Path | None:
    """Replaces all data by a backup's, and says where what was there is kept.

    The backup is written into the file in one transaction: other processes see all of it or
    nothing, and a restore that is interrupted has changed nothing.
    """
    check_backup(backup)
    if data_file.exists() and data_file.samefile(backup):
        raise Refused(f"{backup} is the data file itself; name a backup of it.")
    there = data_file.exists() and data_file.stat().st_size > 0
    with (
        closing(_open_to_restore(data_file)) as live,
        _with_pages_of(live, backup, data_file) as source,
        file_errors(data_file),
    ):
        with live.backup("main", source, "main") as pages:
            # From here on nobody else can write, so that nothing falls between the two copies.
            pages.step(0)
            copy = _keep_copy(data_file) if there else None
            copy_pages(pages, progress)
        with suppress(apsw.BusyError):
            live.execute("PRAGMA wal_checkpoint(TRUNCATE)").get  # noqa: B018 - runs it
    return copy


def _open_to_restore(data_file: Path) -> apsw.Connection:
    """Returns the data file, also a damaged one: to be restored is what it is there for."""
    try:
        connection = connect(data_file)
    except CorruptFile:
        connection = open_with_checksums(data_file)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        # Without this, SQLite locks no file that is shorter than it says of itself.
        connection.pragma("writable_schema", True)
    except ForeignFile as foreign:
        raise ForeignFile(
            f"{foreign.detail} To restore in its place, move it away first, with the -wal and -shm "
            "files beside it."
        ) from foreign
    skip_verification(connection)
    return connection


def _keep_copy(data_file: Path) -> Path:
    """Returns a copy of what is about to be replaced, whatever state it is in."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    copy = data_file.with_name(f"{data_file.name}.before-restore-{stamp}")
    while copy.exists():
        copy = copy.with_name(f"{copy.name}x")
    copy.touch(mode=0o600)
    with closing(_open_to_restore(data_file)) as source:
        try:
            copy_database(copy, source, no_progress)
        except apsw.Error:
            # Too damaged for SQLite to read through: then byte by byte.
            shutil.copyfile(data_file, copy)
    return copy


@contextmanager
def _with_pages_of(
    live: apsw.Connection, backup: Path, data_file: Path
) -> Iterator[apsw.Connection]:
    """A backup whose pages are laid out as the data file's: others may have that open.

    One from before there were checksums is written anew first, with room for them.
    """
    with closing(open_read_only(backup)) as source:
        if live.pragma("page_size") != source.pragma("page_size"):
            raise Refused(
                f"{backup} has another page size than the data file; move that away first."
            )
        reserved = live.reserve_bytes()
        if is_layout_altered(live.pragma("user_version"), reserved):
            reserved = RESERVED_BYTES  # as connections opened before that still have it
        if source.reserve_bytes() == reserved:
            yield source
            return
        partial = data_file.with_name(f"{data_file.name}.restoring")
        try:
            _create_new(partial)
            source.reserve_bytes(reserve=reserved)
            _write_compact(partial, source, no_progress)
            with closing(open_with_checksums(partial)) as rewritten:
                version = rewritten.pragma("user_version")
                rewritten.pragma("user_version", min(version, format_of(rewritten)))
            with closing(open_read_only(partial)) as rewritten:
                yield rewritten
        finally:
            partial.unlink(missing_ok=True)

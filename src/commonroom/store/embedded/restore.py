"""Puts a backup in place of the data, also while a server has the file open."""

from __future__ import annotations

import shutil
import time
from contextlib import closing, suppress
from pathlib import Path

import apsw

from commonroom.store.embedded.backup import (
    Progress,
    check_backup,
    copy_into,
    in_sentences,
    opened_to_read,
    silent,
    step_through,
)
from commonroom.store.embedded.files import BUSY_MILLISECONDS, connect
from commonroom.store.errors import CorruptFile, ForeignFile, Refused


def restore(data_file: Path, backup: Path, *, progress: Progress = silent) -> Path | None:
    """Replaces all data by a backup's, and says where what was there is kept.

    The backup is written into the file in one transaction: other processes see all of it or
    nothing, and a restore that is interrupted has changed nothing.
    """
    check_backup(backup)
    if data_file.exists() and data_file.samefile(backup):
        raise Refused(f"{backup} is the data file itself; name a backup of it.")
    there = data_file.exists() and data_file.stat().st_size > 0
    with (
        closing(_opened(data_file)) as live,
        closing(opened_to_read(backup)) as source,
        in_sentences(data_file),
    ):
        _check_page_size(live, source, backup)
        with live.backup("main", source, "main") as pages:
            # From here on nobody else can write, so that nothing falls between the two copies.
            pages.step(0)
            kept = _keep(data_file) if there else None
            step_through(pages, progress)
        with suppress(apsw.BusyError):
            live.execute("PRAGMA wal_checkpoint(TRUNCATE)").get  # noqa: B018 - runs it
    return kept


def _opened(data_file: Path) -> apsw.Connection:
    """The data file, also a damaged one: to be restored is what it is there for."""
    try:
        return connect(data_file)
    except CorruptFile:
        connection = apsw.Connection(str(data_file))
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        # Without this, SQLite locks no file that is shorter than it says of itself.
        connection.pragma("writable_schema", True)
        return connection
    except ForeignFile as foreign:
        raise ForeignFile(
            f"{foreign.detail} To restore in its place, move it away first, with the -wal and -shm "
            "files beside it."
        ) from foreign


def _keep(data_file: Path) -> Path:
    """A copy of what is about to be replaced, whatever state it is in."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    kept = data_file.with_name(f"{data_file.name}.before-restore-{stamp}")
    while kept.exists():
        kept = kept.with_name(f"{kept.name}x")
    kept.touch(mode=0o600)
    with closing(_opened(data_file)) as source:
        try:
            copy_into(kept, source, silent)
        except apsw.Error:
            # Too damaged for SQLite to read through: then byte by byte.
            shutil.copyfile(data_file, kept)
    return kept


def _check_page_size(live: apsw.Connection, source: apsw.Connection, backup: Path) -> None:
    """SQLite cannot change the page size of a file that others have open."""
    if live.pragma("page_size") != source.pragma("page_size"):
        raise Refused(f"{backup} has another page size than the data file; move that away first.")

"""Writes an export: all tables, page by page; the folder appears only when it is whole."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from commonroom.store.declare.table import Table
from commonroom.store.engine import Rows
from commonroom.store.errors import Refused
from commonroom.store.transfer.datafiles import DataFiles
from commonroom.store.transfer.layout import (
    DATA,
    FILES,
    FORMAT,
    SUMMARY,
    TOP,
    Summary,
    Top,
    table_arn,
)
from commonroom.store.values import Item

PAGE = 500

Told = Callable[[str, int], None]
"""Told a table's name and how many more of its items are done."""


class Source(Protocol):
    """Whatever can be read through: an engine, or one moment of it."""

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """One page of everything."""


class Exported(msgspec.Struct, frozen=True):
    """What an export holds."""

    folder: str
    items: int
    tables: dict[str, int]


async def export(
    source: Source, tables: Sequence[Table], folder: Path, *, engine: str, told: Told
) -> Exported:
    """Writes every item of these tables that has not expired."""
    partial = _partial(folder)
    try:
        counts = {table.name: await _table(source, table, partial, told) for table in tables}
        _write(partial / TOP, Top(FORMAT, _now(), engine, counts))
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Exported(str(folder), sum(counts.values()), counts)


def _partial(folder: Path) -> Path:
    """Where the export grows, beside the folder and for its owner alone."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} exists already and is not empty; name a new folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".partial", dir=folder.parent)
    return Path(made)


async def _table(source: Source, table: Table, folder: Path, told: Told) -> int:
    started = _now()
    home = folder / table.name
    (home / DATA).mkdir(parents=True)
    with DataFiles(home / DATA, f"{table.name}/{DATA}") as files:
        start = None
        while True:
            rows = await source.scan(table, limit=PAGE, start=start)
            files.add(rows.items)
            told(table.name, len(rows.items))
            start = rows.next
            if start is None:
                break
    _write(home / FILES, *files.written)
    summary = Summary(
        table_arn=table_arn(table.name),
        start_time=started,
        end_time=_now(),
        export_time=started,
        manifest_files_s3_key=f"{table.name}/{FILES}",
        item_count=files.items,
    )
    _write(home / SUMMARY, summary)
    return files.items


def _write(path: Path, *lines: msgspec.Struct) -> None:
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

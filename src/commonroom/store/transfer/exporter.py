"""Export: all tables, page by page, in DynamoDB's format; the folder appears when it is whole."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from gzip import GzipFile
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

import msgspec

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb_json import to_attributes
from commonroom.store.engine import Rows
from commonroom.store.errors import DamagedItem, Refused, StoreError
from commonroom.store.transfer.manifest import (
    DATA,
    EXPORT_MANIFEST,
    FILES,
    FORMAT,
    SUMMARY,
    DataFile,
    ExportLine,
    ExportManifest,
    ManifestSummary,
    table_arn,
)
from commonroom.store.values import Item

PAGE = 500

Progress = Callable[[str, int], None]
"""Called with a table's name and how many more of its items are done."""


FILE_BYTES = 64 * 1024 * 1024
"""How many bytes of lines, before compression, a file may have; one line may go beyond."""


class Source(Protocol):
    """Whatever can be read through: an engine, or one moment of it."""

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """Returns one page of everything."""


class ExportResult(msgspec.Struct, frozen=True):
    """What an export holds."""

    folder: str
    items: int
    tables: dict[str, int]


async def export(
    source: Source, tables: Sequence[Table], folder: Path, *, engine: str, progress: Progress
) -> ExportResult:
    """Writes every item of these tables that has not expired."""
    partial = _partial(folder)
    try:
        counts = {table.name: await _table(source, table, partial, progress) for table in tables}
        _write(partial / EXPORT_MANIFEST, ExportManifest(FORMAT, _now(), engine, counts))
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return ExportResult(str(folder), sum(counts.values()), counts)


def _partial(folder: Path) -> Path:
    """Returns where the export grows, beside the folder and for its owner alone."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused(f"{folder} exists already and is not empty; name a new folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".partial", dir=folder.parent)
    return Path(made)


async def _table(source: Source, table: Table, folder: Path, progress: Progress) -> int:
    started = _now()
    home = folder / table.name
    (home / DATA).mkdir(parents=True)
    with DataFileWriter(home / DATA, f"{table.name}/{DATA}") as files:
        start = None
        while True:
            rows = await source.scan(table, limit=PAGE, start=start)
            if rows.damaged:
                raise _damaged(rows.damaged[0])
            files.add(rows.items)
            progress(table.name, len(rows.items))
            start = rows.next
            if start is None:
                break
    _write(home / FILES, *files.written)
    summary = ManifestSummary(
        table_arn=table_arn(table.name),
        start_time=started,
        end_time=_now(),
        export_time=started,
        manifest_files_s3_key=f"{table.name}/{FILES}",
        item_count=files.items,
    )
    _write(home / SUMMARY, summary)
    return files.items


def _damaged(item: DamagedItem) -> StoreError:
    key = " / ".join(map(str, item.key))
    return Refused(
        f"The item {key} of {item.table} cannot be decoded, so this export would not be complete; "
        "`commonroom check` names all such items, and --salvage exports all others."
    )


def _write(path: Path, *lines: msgspec.Struct) -> None:
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _HashingFile:
    """A file that is written and hashed at the same time."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.md5 = hashlib.md5(usedforsecurity=False)

    def write(self, data: bytes) -> int:
        self.md5.update(data)
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()


class DataFileWriter:
    """Writes items, a new file whenever one is full; there is always at least one file."""

    def __init__(self, folder: Path, key: str, *, file_bytes: int = FILE_BYTES) -> None:
        self._folder = folder
        self._key = key
        self._file_bytes = file_bytes
        self.written: list[DataFile] = []
        self.items = 0
        self._encode = msgspec.json.Encoder().encode
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def add(self, items: Iterable[Item]) -> None:
        """Writes items as lines."""
        for item in items:
            if self._bytes >= self._file_bytes:
                self._end()
                self._begin()
            line = self._encode(ExportLine(to_attributes(item))) + b"\n"
            self._gzip.write(line)
            self._bytes += len(line)
            self._count += 1
            self.items += 1

    def _begin(self) -> None:
        self._name = f"{len(self.written):06}.json.gz"
        self._raw = (self._folder / self._name).open("wb")
        self._hashed = _HashingFile(self._raw)
        # The level that AWS's own tools use takes three times as long for a few percent.
        self._gzip = GzipFile(
            filename="", mode="wb", fileobj=self._hashed, compresslevel=6, mtime=0
        )
        self._bytes = self._count = 0

    def _end(self) -> None:
        self._gzip.close()
        self._raw.flush()
        os.fsync(self._raw.fileno())
        self._raw.close()
        md5 = self._hashed.md5
        self.written.append(
            DataFile(
                item_count=self._count,
                md5_checksum=b64encode(md5.digest()).decode(),
                etag=md5.hexdigest(),
                data_file_s3_key=f"{self._key}/{self._name}",
            )
        )

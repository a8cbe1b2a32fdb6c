"""Import of an export, of which nothing is believed: manifests, checksums, counts, every line."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from commonroom.store.checking.checks import find_damage
from commonroom.store.declare.completion import completed
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb_json import check_attributes, from_attributes
from commonroom.store.engine import Engine
from commonroom.store.errors import Refused, StoreError, Unavailable
from commonroom.store.limits import check_loaded_item
from commonroom.store.transfer.manifest import (
    DATA,
    EXPORT_MANIFEST,
    FILES,
    FORMAT,
    FULL_EXPORT,
    OUTPUT_FORMAT,
    SUMMARY,
    BadExport,
    DataFile,
    ExportLine,
    ExportManifest,
    ManifestSummary,
    table_of_arn,
)
from commonroom.store.upgrades.fill import with_current_keys
from commonroom.store.values import Item

S = TypeVar("S", bound=msgspec.Struct)

LINE_BYTES = 16 * 1024 * 1024
"""No item of 400 KB takes more than a part of this, however it is written."""

PROGRESS_ITEMS = 500
"""How many items are checked between two reports of progress."""

_decode = msgspec.json.Decoder(ExportLine).decode


BATCH_ITEMS = 500

BATCH_BYTES = 4 * 1024 * 1024


class RejectedLine(msgspec.Struct, frozen=True):
    """An item that cannot be stored: where it stands in an export, why, and what it holds."""

    table: str
    file: str
    line: int
    reason: str
    text: str


Reject = Callable[[RejectedLine], None]
"""Called with what cannot be stored; without one, the first such item refuses the export."""


class TableExport(msgspec.Struct, frozen=True):
    """One table of an export."""

    table: Table
    folder: Path
    files: list[DataFile]

    @property
    def items(self) -> int:
        """How many items it says it has."""
        return sum(file.item_count for file in self.files)


def read_export(folder: Path, tables: Sequence[Table], *, prefix: str = "") -> list[TableExport]:
    """Returns the manifests of an export, each table found among those that are declared."""
    if not folder.is_dir():
        raise BadExport(f"There is no folder {folder}.")
    known = {table.name: table for table in tables}
    homes = _homes(folder)
    if (folder / EXPORT_MANIFEST).exists():
        return _read_listed(folder, homes, known)
    if not homes:
        raise BadExport(f"{folder} is no export: it has neither {EXPORT_MANIFEST} nor {SUMMARY}.")
    return [_export(home, _table_of(home, known, prefix)) for home in homes]


def check_items(
    export: TableExport, progress: Callable[[str, int], None], reject: Reject | None = None
) -> None:
    """Reads one table's files to the end, and refuses the first thing that is wrong."""
    for file in export.files:
        check_sum(export.folder / DATA / file.name, file)
        count = 0
        for _ in items(export, file, reject):
            count += 1
            if count % PROGRESS_ITEMS == 0:
                progress(export.table.name, PROGRESS_ITEMS)
        progress(export.table.name, count % PROGRESS_ITEMS)
        if count != file.item_count:
            raise BadExport(
                f"{export.folder / DATA / file.name} has {count} items; "
                f"its manifest says {file.item_count}."
            )


def items(
    export: TableExport, file: DataFile, reject: Reject | None = None
) -> Iterator[tuple[Item | None, int]]:
    """The items of one data file, each checked, with the length of its line; None if rejected."""
    path = export.folder / DATA / file.name
    try:
        with gzip.open(path, "rb") as lines:
            number = 0
            while line := lines.readline(LINE_BYTES):
                number += 1
                if not line.strip():
                    continue
                try:
                    item = _item(export.table, line)
                except Refused as error:
                    if reject is None:
                        raise BadExport(f"{path}, line {number}: {error.detail}") from error
                    text = line.decode(errors="replace").rstrip("\n")
                    reject(RejectedLine(export.table.name, file.name, number, error.detail, text))
                    item = None
                yield item, len(line)
    except (OSError, EOFError, zlib.error) as error:
        raise BadExport(f"{path} cannot be read to its end: {error}.") from error


def _homes(folder: Path) -> list[Path]:
    """Returns the folders of tables: the folder itself, as AWS leaves it, or those in it."""
    if (folder / SUMMARY).exists():
        return [folder]
    return sorted(one for one in folder.iterdir() if (one / SUMMARY).exists())


def _read_listed(folder: Path, homes: list[Path], known: Mapping[str, Table]) -> list[TableExport]:
    top = _read(folder / EXPORT_MANIFEST, ExportManifest)
    if top.format != FORMAT:
        raise BadExport(f"{folder} has format {top.format}; this Commonroom reads {FORMAT}.")
    found = {home.name for home in homes}
    for name in sorted(found ^ top.tables.keys()):
        missing = "is missing" if name in top.tables else f"is not in {EXPORT_MANIFEST}"
        raise BadExport(f"The table {name} {missing} in {folder}.")
    exports = [_export(folder / name, _find_table(name, known, folder)) for name in top.tables]
    for export in exports:
        if export.items != top.tables[export.table.name]:
            raise BadExport(
                f"{EXPORT_MANIFEST} and the manifest of {export.table.name} differ in their counts."
            )
    return exports


def _table_of(home: Path, known: Mapping[str, Table], prefix: str) -> Table:
    """Returns the table of an AWS-made export, from its address or from the folder's name."""
    name = table_of_arn(_read(home / SUMMARY, ManifestSummary).table_arn)
    for candidate in (name, name.removeprefix(prefix), home.name):
        if candidate in known:
            return known[candidate]
    return _find_table(name or home.name, known, home)


def _find_table(name: str, known: Mapping[str, Table], where: Path) -> Table:
    if name not in known:
        raise BadExport(f"{where} holds the table {name}, which Commonroom does not have.")
    return known[name]


def _export(home: Path, table: Table) -> TableExport:
    return TableExport(table, home, exported_files(home))


def exported_files(home: Path) -> list[DataFile]:
    """Returns the data files of a table's export; refused where it is of another kind."""
    summary = _read(home / SUMMARY, ManifestSummary)
    if summary.output_format != OUTPUT_FORMAT or summary.export_type != FULL_EXPORT:
        raise BadExport(
            f"{home} is a {summary.export_type} in {summary.output_format}; "
            f"only a {FULL_EXPORT} in {OUTPUT_FORMAT} can be imported."
        )
    files = list(_data_files(home / FILES))
    if sum(file.item_count for file in files) != summary.item_count:
        raise BadExport(f"{SUMMARY} and {FILES} in {home} differ in their counts.")
    return files


def _data_files(path: Path) -> Iterator[DataFile]:
    """Yields the data files that a manifest names, each of which is there."""
    for line in _bytes(path).splitlines():
        if not line.strip():
            continue
        file = _parse(path, line, DataFile)
        if not (path.parent / DATA / file.name).is_file() or file.name in ("", ".", ".."):
            raise BadExport(f"{path} names {file.name}, which is not in {path.parent / DATA}.")
        yield file


def check_sum(path: Path, file: DataFile) -> None:
    """Refuses a file that is not as its manifest says."""
    with path.open("rb") as data:
        found = hashlib.file_digest(data, lambda: hashlib.md5(usedforsecurity=False))
    if b64encode(found.digest()).decode() != file.md5_checksum:
        raise BadExport(f"{path} was changed or damaged: its checksum is not the manifest’s.")


def _item(table: Table, line: bytes) -> Item:
    """An item with all that it needs and the keys that are declared now, whatever those in the file
    are."""
    try:
        attributes = _decode(line).item
        check_attributes(attributes)
        item = from_attributes(attributes)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadExport(f"This is no item in DynamoDB’s form: {error}.") from error
    return storable(table, item)


def storable(table: Table, item: Item) -> Item:
    """Returns an item as it is stored; refuses what cannot be stored."""
    for attribute in table.key:
        if attribute.name not in item:
            raise BadExport(f"The key attribute {attribute.name} is missing.")
    _check_kind(table, item)
    item = completed(table, item)
    _check_decodes(table, item)
    item = with_current_keys(table, item, whole=True)
    check_loaded_item(table, item)
    return item


def _check_kind(table: Table, item: Item) -> None:
    """What tells kinds apart is a column of its own in the embedded engine."""
    if table.discriminator is not None and not isinstance(item.get(table.discriminator, ""), str):
        raise BadExport(f"{table.discriminator} must be text.")


def _check_decodes(table: Table, item: Item) -> None:
    if damage := find_damage(table, item):
        raise BadExport(f"{damage.detail} An export with --salvage leaves such items out.")


def _read(path: Path, kind: type[S]) -> S:
    return _parse(path, _bytes(path), kind)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadExport(f"{path} cannot be read: {error.strerror}.") from error


def _parse(path: Path, data: bytes, kind: type[S]) -> S:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise BadExport(f"{path} is not as an export has it: {error}.") from error


async def nonempty_tables(engine: Engine, tables: Sequence[Table]) -> list[str]:
    """Returns which of these tables hold something."""
    return [table.name for table in tables if await _holds_something(engine, table)]


async def load(
    engine: Engine,
    exports: Sequence[TableExport],
    progress: Callable[[str, int], None],
    reject: Reject | None = None,
) -> dict[str, int]:
    """Puts every item, in place of what is under its key, and says how many of each table."""
    counts: dict[str, int] = {}
    for export in exports:
        counts[export.table.name] = 0
        for batch in _batches(export, reject):
            try:
                await engine.load(export.table, batch)
            except StoreError as error:
                raise Unavailable(
                    f"The import stopped after {sum(counts.values()):,} items: {error.detail} "
                    "What was imported is there; run it again with --replace to go on, and let no "
                    "check repair anything before that."
                ) from error
            counts[export.table.name] += len(batch)
            progress(export.table.name, len(batch))
    return counts


async def _holds_something(engine: Engine, table: Table) -> bool:
    start = None
    while True:
        # A page can be empty and yet not the last: what has expired is left out.
        rows = await engine.scan(table, limit=100, start=start)
        start = rows.next
        if rows.items or rows.damaged or start is None:
            return bool(rows.items or rows.damaged)


def _batches(export: TableExport, reject: Reject | None) -> Iterator[list[Item]]:
    batch: list[Item] = []
    size = 0
    for file in export.files:
        for item, length in items(export, file, reject):
            if item is None:
                continue
            batch.append(item)
            size += length
            if len(batch) >= BATCH_ITEMS or size >= BATCH_BYTES:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch

"""Tables of other applications: exports of AWS, or files of lines in JSON, one for each item."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb_json import check_attributes, from_attributes
from commonroom.store.errors import Refused
from commonroom.store.transfer.importer import LINE_BYTES, check_sum, exported_files
from commonroom.store.transfer.manifest import (
    DATA,
    SUMMARY,
    BadExport,
    ManifestSummary,
    table_of_arn,
)
from commonroom.store.values import Item

TYPES = frozenset({"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"})
"""By what DynamoDB's own form of a value is known."""
_decode = msgspec.json.Decoder(dict[str, Any]).decode

IN_S3 = "AWSDynamoDB"
"""The folder of a bucket in which AWS leaves exports."""

NAMES = re.compile(r"(.+)\.(?:jsonl|ndjson|json)(?:\.gz)?", re.IGNORECASE)


class ForeignTable(msgspec.Struct, frozen=True):
    """A table of ours, and the files with what another application kept in it."""

    table: Table
    files: tuple[Path, ...]


class ForeignLine(msgspec.Struct, frozen=True):
    """One line: the item that it stands for, or why it stands for none."""

    number: int
    item: Item | None
    reason: str = ""
    text: str = ""


def find_tables(
    folder: Path | None, named: Mapping[str, Path], tables: Sequence[Table], *, prefix: str = ""
) -> list[ForeignTable]:
    """Finds which files belong to which table: by what was said, or else by their names."""
    known = {table.name: table for table in tables}
    for name in named.keys() - known.keys():
        raise BadExport(f"Commonroom has no table {name}; it has {', '.join(sorted(known))}.")
    found = {} if folder is None else _in_folder(folder, known, prefix, set(named.values()))
    found |= {name: _files(path) for name, path in named.items()}
    if not found:
        raise BadExport(
            f"No file in {folder} is named as a table is; --table says which is of which."
        )
    return [ForeignTable(known[name], found[name]) for name in known if name in found]


def read_lines(file: Path, *, after: int = 0) -> Iterator[ForeignLine]:
    """Yields the lines of a file, except those that were read before."""
    try:
        with _open(file) as lines:
            number = 0
            while line := lines.readline(LINE_BYTES):
                number += 1
                if number > after and line.strip():
                    yield _read_line(number, line)
    except (OSError, EOFError, zlib.error) as error:
        raise BadExport(f"{file} cannot be read to its end: {error}.") from error


def _in_folder(
    folder: Path, known: Mapping[str, Table], prefix: str, named: set[Path]
) -> dict[str, tuple[Path, ...]]:
    if not folder.is_dir():
        raise BadExport(f"There is no folder {folder}.")
    found: dict[str, tuple[Path, ...]] = {}
    for path in [folder, *sorted(folder.iterdir()), *sorted(folder.glob(f"{IN_S3}/*"))]:
        if path in named:
            continue
        name = _table_of(path, known, prefix)
        if name is not None and name in found:
            raise BadExport(
                f"{path} is a second one of the table {name}; --table says which to take."
            )
        if name is not None:
            found[name] = _files(path)
    return found


def _table_of(path: Path, known: Mapping[str, Table], prefix: str) -> str | None:
    """Returns the table that a file or an export is of; None where its name says nothing."""
    names = [path.name]
    if (path / SUMMARY).is_file():
        names.insert(0, table_of_arn(_summary(path).table_arn))
    elif path.is_file() and (match := NAMES.fullmatch(path.name)):
        names = [match[1]]
    else:
        return None
    plain = [name.removeprefix(prefix).casefold() for name in names]
    fitting = [
        name
        for name in known
        if any(re.fullmatch(rf"(.*[-_.])?{re.escape(name.casefold())}", one) for one in plain)
    ]
    return max(fitting, key=len, default=None)


def _files(path: Path) -> tuple[Path, ...]:
    """Returns the files of a table: one, or those of an export by AWS."""
    if path.is_file():
        return (path,)
    if (path / SUMMARY).is_file():
        files = [(path / DATA / file.name, file) for file in exported_files(path)]
        for file, checksum in files:
            check_sum(file, checksum)
        return tuple(file for file, _ in files)
    raise BadExport(f"{path} is neither a file nor an export.")


def _summary(path: Path) -> ManifestSummary:
    try:
        return msgspec.json.decode((path / SUMMARY).read_bytes(), type=ManifestSummary)
    except (OSError, msgspec.MsgspecError) as error:
        raise BadExport(f"{path / SUMMARY} is not as an export has it: {error}.") from error


def _open(file: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(file, "rb")) if file.suffix == ".gz" else file.open("rb")


def _read_line(number: int, line: bytes) -> ForeignLine:
    try:
        return ForeignLine(number, _item(_decode(line)))
    except Refused as error:
        reason = error.detail
    except (msgspec.MsgspecError, RecursionError) as error:
        reason = f"This is no item in JSON: {error}."
    return ForeignLine(number, None, reason, line.decode(errors="replace").strip())


def _item(read: dict[str, Any]) -> Item:
    """Returns an item, in whichever of the forms that are usual."""
    inside = read.get("Item", read.get("item") if "reason" in read else None)
    attributes = inside if isinstance(inside, dict) else read
    if not all(_is_typed(value) for value in attributes.values()):
        return attributes
    check_attributes(attributes)
    return from_attributes(attributes)


def _is_typed(value: object) -> bool:
    return isinstance(value, dict) and len(value) == 1 and not TYPES.isdisjoint(value)

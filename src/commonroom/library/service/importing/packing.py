"""Rows of a file as they are stored: in parts, packed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import msgspec

from commonroom.library.rules.formats.rows import Row
from commonroom.library.tables import ImportRows

PART_ROWS = 200
PART_BYTES = 200_000

_rows = msgspec.json.Decoder(list[Row])


def packed(rows: Sequence[Row]) -> Iterator[bytes]:
    """Rows in parts that are far smaller than an item may be."""
    lines: list[bytes] = []
    size = 0
    for row in rows:
        line = msgspec.json.encode(row)
        if lines and (len(lines) == PART_ROWS or size + len(line) > PART_BYTES):
            yield _together(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield _together(lines)


def unpacked(part: ImportRows) -> list[Row]:
    """The rows of a part."""
    return _rows.decode(zlib.decompress(part.rows))


def _together(lines: Sequence[bytes]) -> bytes:
    """Shelves repeat themselves: packed, they cost a fraction of the space, here and in streams."""
    return zlib.compress(b"[" + b",".join(lines) + b"]")

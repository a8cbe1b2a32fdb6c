"""Rows of a file, packed into parts of which each is stored as one item."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

PART_ROWS = 200
PART_BYTES = 200_000


def pack_rows(rows: Iterable[Struct]) -> Iterator[bytes]:
    """Rows in parts that are far smaller than an item may be."""
    lines: list[bytes] = []
    size = 0
    for row in rows:
        line = msgspec.json.encode(row)
        if lines and (len(lines) == PART_ROWS or size + len(line) > PART_BYTES):
            yield _compress(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield _compress(lines)


def pack_part(rows: Iterable[Struct]) -> bytes:
    """Rows of one part, once more was found out about them: they stay together."""
    return _compress([msgspec.json.encode(row) for row in rows])


def unpack(part: bytes) -> bytes:
    """Returns the rows of a part as a list in JSON."""
    return zlib.decompress(part)


def _compress(lines: Sequence[bytes]) -> bytes:
    """Rows repeat themselves: packed, they cost a fraction of the space, here and in streams."""
    return zlib.compress(b"[" + b",".join(lines) + b"]")

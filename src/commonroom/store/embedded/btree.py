"""SQLite's B-trees read page by page, so that what is damaged takes nothing else along."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from commonroom.store.embedded.pages import HEADER_BYTES, PageFile

TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR = 0x0D, 0x05, 0x0A, 0x02
MAX_RECORD = 16 * 1024 * 1024
"""No item takes more than a part of this; what says that it does is damaged."""

INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Values = tuple[Any, ...]


class DamagedPage(Exception):
    """A page, or a cell of one, that is not as SQLite writes it."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table; its values are None where its cell cannot be read."""

    rowid: int
    values: Values | None
    is_altered: bool = False
    """Whether it can be read, from a page that is not as it was written."""


@dataclass(frozen=True, slots=True)
class LostRange:
    """Rows after one id, up to another, whose page is damaged; None where there is no bound."""

    after: int | None
    upto: int | None

    def holds(self, rowid: int) -> bool:
        """Whether a row is in it."""
        return (self.after is None or self.after < rowid) and (
            self.upto is None or rowid <= self.upto
        )


@dataclass(slots=True)
class Walk:
    """What a walk through a tree has passed so far."""

    pages: set[int] = field(default_factory=set)
    lost: list[LostRange] = field(default_factory=list)
    """Of a table: which rows could not be reached."""
    damaged_pages: int = 0


def walk_table(file: PageFile, root: int, walk: Walk) -> Iterator[TableRow]:
    """Yields every row of a table that can be reached, in order."""
    for page in walk_leaves(file, root, walk):
        yield from page.rows()


def walk_leaves(file: PageFile, root: int, walk: Walk) -> Iterator[BtreePage]:
    """Yields every leaf of a table that can be reached, in order."""
    waiting: list[tuple[int, LostRange]] = [(root, LostRange(None, None))]
    while waiting:
        number, span = waiting.pop()
        try:
            page = BtreePage(file, number)
            below = None if page.kind == TABLE_LEAF else _children(page, span)
            if number in walk.pages or (below is None and not page.is_within(span)):
                below = []
                walk.lost.append(span)
        except DamagedPage:
            walk.damaged_pages += 1
            walk.lost.append(span)
            continue
        walk.pages.add(number)
        if below is None:
            yield page
        else:
            waiting += reversed(below)


def _children(page: BtreePage, span: LostRange) -> list[tuple[int, LostRange]]:
    if page.kind != TABLE_INTERIOR:
        raise DamagedPage("It is no page of a table.")
    found, after = [], span.after
    for child, upto in page.children():
        if not span.holds(upto) or (after is not None and upto < after):
            raise DamagedPage("Its parts are out of order.")
        found.append((child, LostRange(after, upto)))
        after = upto
    return [*found, (page.right_child, LostRange(after, span.upto))]


def walk_index(file: PageFile, root: int, walk: Walk) -> Iterator[Values]:
    """Yields every entry of an index that can be reached, in no order."""
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if number in walk.pages:
            continue
        walk.pages.add(number)
        try:
            page = BtreePage(file, number)
            waiting += page.index_children()
            entries = list(page.entries())
        except DamagedPage:
            walk.damaged_pages += 1
            continue
        yield from entries


class BtreePage:
    """A page of a B-tree; whatever is not as it must be raises `DamagedPage`."""

    def __init__(self, file: PageFile, number: int) -> None:
        self._file = file
        self.data = file.read(number)
        start = HEADER_BYTES if number == 1 else 0
        if len(self.data) < start + 12:
            raise DamagedPage("The file ends before it.")
        self.kind = self.data[start]
        if self.kind not in (TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR):
            raise DamagedPage("It is of no known kind.")
        interior = self.kind in (TABLE_INTERIOR, INDEX_INTERIOR)
        first = start + (12 if interior else 8)
        count = int.from_bytes(self.data[start + 3 : start + 5])
        self.right_child = int.from_bytes(self.data[start + 8 : start + 12])
        if first + 2 * count > len(self.data):
            raise DamagedPage("It has more cells than fit.")
        self.cells = struct.unpack_from(f">{count}H", self.data, first)
        if any(not first + 2 * count <= one < file.usable for one in self.cells):
            raise DamagedPage("A cell lies outside of it.")

    def is_within(self, span: LostRange) -> bool:
        """Whether the rows of a leaf are those that it must hold, in order."""
        rowids = [self._rowid(cell)[1] for cell in self.cells]
        ordered = all(one < other for one, other in pairwise(rowids))
        return ordered and all(span.holds(rowid) for rowid in rowids)

    def rows(self) -> Iterator[TableRow]:
        """Yields the rows of a leaf of a table."""
        most = self._file.usable - 35
        for cell in self.cells:
            size, rowid, at = self._rowid(cell)
            try:
                payload, is_altered = self._payload(at, size, most)
                yield TableRow(rowid, parse_record(payload), is_altered)
            except DamagedPage:
                yield TableRow(rowid, None)

    def _rowid(self, cell: int) -> tuple[int, int, int]:
        """Returns how long a row is, its id, and where it begins."""
        size, at = self._varint(cell)
        rowid, at = self._varint(at)
        return size, rowid - (1 << 64) if rowid >= 1 << 63 else rowid, at

    def children(self) -> list[tuple[int, int]]:
        """Of a table: the pages below, each with the last row that it may hold."""
        return [(self._child(cell), self._varint(cell + 4)[0]) for cell in self.cells]

    def index_children(self) -> list[int]:
        """Of an index: the pages below."""
        if self.kind == INDEX_LEAF:
            return []
        if self.kind != INDEX_INTERIOR:
            raise DamagedPage("It is no page of an index.")
        return [*(self._child(cell) for cell in self.cells), self.right_child]

    def entries(self) -> Iterator[Values]:
        """Of an index: its own entries, which interior pages have, too."""
        most = (self._file.usable - 12) * 64 // 255 - 23
        skipped = 0 if self.kind == INDEX_LEAF else 4
        for cell in self.cells:
            size, at = self._varint(cell + skipped)
            try:
                yield parse_record(self._payload(at, size, most)[0])
            except DamagedPage:
                continue

    def _child(self, cell: int) -> int:
        return int.from_bytes(self.data[cell : cell + 4])

    def _varint(self, at: int) -> tuple[int, int]:
        return read_varint(self.data, at)

    @cached_property
    def is_altered(self) -> bool:
        """Whether the page is not as it was written."""
        return self._file.is_altered(self.data)

    def _payload(self, at: int, size: int, most: int) -> tuple[bytes, bool]:
        """A cell's content, and whether any page of it is altered: a large one takes several."""
        if size <= most:
            return self._take(at, size), self.is_altered
        if size > MAX_RECORD:
            raise DamagedPage("A record is larger than any can be.")
        usable = self._file.usable
        least = (usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (usable - 4)
        local = local if local <= most else least
        parts = [self._take(at, local)]
        following = int.from_bytes(self._take(at + local, 4))
        left, is_altered = size - local, self.is_altered
        while left > 0:
            page = self._file.read(following)
            if len(page) < usable:
                raise DamagedPage("A part of a record is on no page.")
            is_altered = is_altered or self._file.is_altered(page)
            parts.append(page[4 : 4 + min(left, usable - 4)])
            left -= len(parts[-1])
            following = int.from_bytes(page[:4])
        if following:
            raise DamagedPage("A record goes on after its end.")
        return b"".join(parts), is_altered

    def _take(self, at: int, size: int) -> bytes:
        taken = self.data[at : at + size]
        if len(taken) < size:
            raise DamagedPage("A cell goes beyond its page.")
        return taken


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Returns a number of one to nine bytes, and where it ends."""
    value = 0
    for index in range(at, min(at + 8, len(data))):
        byte = data[index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, index + 1
    if at + 9 > len(data):
        raise DamagedPage("A number goes beyond its end.")
    return value << 8 | data[at + 8], at + 9


def parse_record(data: bytes) -> Values:
    """Returns the values of a record."""
    size, at = read_varint(data, 0)
    if size > len(data):
        raise DamagedPage("The head of a record is longer than the record.")
    kinds: list[int] = []
    while at < size:
        kind, at = read_varint(data, at)
        kinds.append(kind)
    values: list[Any] = []
    for kind in kinds:
        value, at = _read_value(data, at, kind)
        values.append(value)
    if at != len(data):
        raise DamagedPage("A record is longer than its values.")
    return tuple(values)


def _read_value(data: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind in (0, 8, 9):
        return {0: None, 8: 0, 9: 1}[kind], at
    size = INTEGER_BYTES.get(kind) or (8 if kind == 7 else (kind - 12) // 2)
    taken = data[at : at + size]
    if kind in (10, 11) or len(taken) < size:
        raise DamagedPage("A value goes beyond its record.")
    at += size
    if kind == 7:
        return struct.unpack(">d", taken)[0], at
    if kind < 7:
        return int.from_bytes(taken, signed=True), at
    if kind % 2 == 0:
        return taken, at
    try:
        return taken.decode(), at
    except UnicodeDecodeError as error:
        raise DamagedPage("A text is not UTF-8.") from error


def read_leaf(file: PageFile, number: int) -> BtreePage | None:
    """Returns a page, if it is a leaf of a table."""
    try:
        page = BtreePage(file, number)
        sound = page.kind == TABLE_LEAF and page.is_within(LostRange(None, None))
    except DamagedPage:
        return None
    return page if sound else None

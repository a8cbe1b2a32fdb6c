"""Salvage: everything that can still be read of a damaged data file, and what cannot.

The file is read without SQLite, which gives up at the first damaged page. Rows are looked for in
three ways: down the tree of their table; on pages that no tree leads to any more, where a row tells
by itself to which table it belongs; and in the indexes, which know the keys of rows that are lost.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
from msgspec import Struct

from commonroom.store.checking.checks import StoredEntity, decode_stored, find_damage
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb_json import Attributes, to_attributes
from commonroom.store.embedded.btree import (
    BtreePage,
    TableRow,
    Walk,
    read_leaf,
    walk_index,
    walk_leaves,
    walk_table,
)
from commonroom.store.embedded.pages import PageFile
from commonroom.store.embedded.schema import TableSql
from commonroom.store.engine import Clock, Rows
from commonroom.store.errors import DamagedItem, Refused
from commonroom.store.limits import check_loaded_item
from commonroom.store.upgrades.fill import with_current_keys
from commonroom.store.values import Item, Key

SCHEMA_PAGE = 1
PAGE_DAMAGED = "A page that it stood on is damaged."
MAX_LISTED = 1000
"""How many lost items of a table are named; all of them are counted."""


class LostItem(Struct, frozen=True, omit_defaults=True):
    """An item that did not come out: its key as far as it is known, and why."""

    key: Key
    reason: str
    item: Attributes | None = None
    """What is left of it, in DynamoDB's form, where it can be read and is not as declared."""


class SalvagedTable(Struct):
    """What came of one table."""

    found: int = 0
    lost: int = 0
    """How many items are known to be lost."""
    lost_items: list[LostItem] = []
    """Those of them whose keys are known, up to a thousand."""
    perhaps_more_lost: bool = False
    """Whether pages are damaged of which no index tells what was on them."""
    altered: int = 0
    """How many items came out of pages that are not as they were written."""
    altered_items: list[Key] = []
    """The keys of those, up to a thousand."""

    @property
    def complete(self) -> bool:
        """Whether nothing is missing, or perhaps altered."""
        return not self.lost and not self.perhaps_more_lost and not self.altered

    def lose(self, item: LostItem) -> None:
        """Counts an item as lost, and names it."""
        self.lost += 1
        if len(self.lost_items) < MAX_LISTED:
            self.lost_items.append(item)

    def doubt(self, key: Key) -> None:
        """Counts an item as perhaps altered, and names it."""
        self.altered += 1
        if len(self.altered_items) < MAX_LISTED:
            self.altered_items.append(key)


class SalvageReport(Struct):
    """What came of the whole file."""

    tables: dict[str, SalvagedTable]
    schema_readable: bool = True
    unread_log_bytes: int = 0
    """Bytes of the log that belong to no finished write, or are damaged."""

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return all(table.complete for table in self.tables.values())


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where a table's rows are, and which value of a row is which column."""

    sql: TableSql
    names: Sequence[str]
    root: int | None
    indexes: Sequence[tuple[int, Sequence[str]]] = ()
    """The roots of its indexes, with the columns of each."""

    def item(self, row: TableRow) -> Item:
        """Returns the item of a row; raises `DamagedItem` where it cannot be decoded."""
        values = dict(zip(self.names, row.values or (), strict=False))
        columns = [*self.sql.columns, "_item"]
        return self.sql.item([values.get(name) for name in columns])

    def key(self, row: TableRow) -> Key:
        """Returns the primary key in a row."""
        values = dict(zip(self.names, row.values or (), strict=False))
        return tuple([values.get(name, "") for name in self.sql.key])

    def claims(self, row: TableRow) -> bool:
        """Whether a row that was found anywhere must be one of this table: its key says so."""
        values = row.values
        if values is None or not self.names.index("_item") < len(values) <= len(self.names):
            return False
        try:
            item = self.item(row)
            stored = decode_stored(self.sql.table, item)
            return isinstance(stored, StoredEntity) and stored.entity.ref.key == stored.key
        except Exception:  # of a row of another table, anything may be anything
            return False


@dataclass(slots=True)
class _SalvagedRows:
    """Which rows of a table were found, and what its indexes know of others."""

    known: dict[int, Key]
    """The keys of rows by their ids, as far as indexes can be read."""
    all_known: bool
    """Whether the index of the primary key, which every item has, can be read to its end."""
    rowids: set[int] = field(default_factory=set)
    lost: dict[int, LostItem] = field(default_factory=dict)
    """Rows that were found and cannot be read; a sound copy may still turn up."""
    keys: set[Key] = field(default_factory=set)
    walk: Walk = field(default_factory=Walk)

    def is_missing(self, rowid: int) -> bool:
        """Whether a row that stands beside the tree is missing in it, and not an old copy."""
        if rowid in self.rowids:
            return False
        lost = any(one.holds(rowid) for one in self.walk.lost)
        return lost or not self.all_known or rowid in self.known


class Salvage:
    """Reads tables of a damaged file one after the other, each once; keeps a report of it."""

    def __init__(self, path: Path, tables: Sequence[Table], clock: Clock = time.time) -> None:
        self._file = PageFile(path)
        self._now = clock()
        schema, readable = _read_schema(self._file)
        self._layouts = {table.name: _layout(TableSql(table), schema) for table in tables}
        self.report = SalvageReport(
            {table.name: SalvagedTable() for table in tables},
            schema_readable=readable,
            unread_log_bytes=self._file.unread_log_bytes,
        )
        roots = [row["rootpage"] for row in schema if row["type"] == "table"]
        # Not from the schema's own page: what was written over it may lead anywhere.
        self._strays = self._find_strays(roots)
        self._reading: dict[str, Iterator[Item]] = {}

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """Some more of a table's items."""
        if start is None:
            self._reading[table.name] = self._items(table)
        items = []
        for item in self._reading[table.name]:
            items.append(item)
            if len(items) == limit:
                return Rows(items, {"table": table.name})
        return Rows(items, None)

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def _find_strays(self, roots: Sequence[int]) -> dict[str, list[int]]:
        """Leaves that no tree leads to, by the table that their rows must belong to."""
        walk = Walk()
        for root in roots:
            for _ in walk_leaves(self._file, root, walk):
                pass
        strays: dict[str, list[int]] = {}
        for number in range(2, self._file.count + 1):
            page = None if number in walk.pages else read_leaf(self._file, number)
            if page is not None and (owner := self._owner(page)) is not None:
                strays.setdefault(owner, []).append(number)
        return strays

    def _owner(self, page: BtreePage) -> str | None:
        """Returns the table that claims any row of a page: all of them are of one."""
        for row in page.rows():
            for name, layout in self._layouts.items():
                if layout.claims(row):
                    return name
        return None

    def _items(self, table: Table) -> Iterator[Item]:
        layout, report = self._layouts[table.name], self.report.tables[table.name]
        found = _SalvagedRows(*self._known_keys(layout))
        doubtful: list[TableRow] = []
        for row in self._attached_rows(layout, found):
            if found.known.get(row.rowid) not in (None, layout.key(row)):
                doubtful.append(row)  # the row or the index is damaged
            else:
                yield from self._decode(layout, row, found)
        attached = len(found.rowids)
        for row in self._stray_rows(table, found):
            yield from self._decode(layout, row, found)
        strayed = len(found.rowids) > attached
        for row in doubtful:
            yield from self._decode(layout, row, found)
        report.found = len(found.keys)
        for rowid in sorted((found.known.keys() | found.lost.keys()) - found.rowids):
            report.lose(found.lost.get(rowid) or LostItem(found.known[rowid], PAGE_DAMAGED))
        damaged = bool(found.walk.lost) or strayed or layout.root is None
        report.perhaps_more_lost = damaged and not found.all_known

    def _attached_rows(self, layout: _Layout, found: _SalvagedRows) -> Iterator[TableRow]:
        if layout.root is not None:
            yield from walk_table(self._file, layout.root, found.walk)

    def _stray_rows(self, table: Table, found: _SalvagedRows) -> Iterator[TableRow]:
        for number in self._strays.get(table.name, ()):
            page = read_leaf(self._file, number)
            for row in page.rows() if page is not None else ():
                if found.is_missing(row.rowid):
                    yield row

    def _known_keys(self, layout: _Layout) -> tuple[dict[int, Key], bool]:
        """Returns the keys of rows that the indexes know, and whether they surely know all."""
        known: dict[int, Key] = {}
        all_known = False
        for root, names in layout.indexes:
            walk = Walk()
            places = [names.index(name) for name in layout.sql.key]
            for entry in walk_index(self._file, root, walk):
                if len(entry) == len(names) + 1 and isinstance(entry[-1], int):
                    known.setdefault(entry[-1], tuple(entry[place] for place in places))
            all_known = all_known or (names == layout.sql.key and not walk.damaged_pages)
        return known, all_known

    def _decode(self, layout: _Layout, row: TableRow, found: _SalvagedRows) -> Iterator[Item]:
        """Yields the item of a row; none where it is lost, has expired, or was found before."""
        table = layout.sql.table
        try:
            item = layout.item(row)
        except DamagedItem as damaged:
            key = found.known.get(row.rowid, damaged.key)
            reason = PAGE_DAMAGED if row.values is None else damaged.reason
            found.lost[row.rowid] = LostItem(key, reason)
            return
        if damage := find_damage(table, item):
            found.lost[row.rowid] = LostItem(damage.key, damage.detail, to_attributes(item))
            return
        item = with_current_keys(table, item)
        try:
            check_loaded_item(table, item)
        except Refused as error:
            found.lost[row.rowid] = LostItem(layout.key(row), error.detail, to_attributes(item))
            return
        found.rowids.add(row.rowid)
        key = table.key_of(item)
        if not table.is_expired(item, self._now) and key not in found.keys:
            found.keys.add(key)
            if row.is_altered:
                self.report.tables[table.name].doubt(key)
            yield item


def _read_schema(file: PageFile) -> tuple[list[dict[str, Any]], bool]:
    """Returns the rows of SQLite's own table of tables, and whether all of it could be read."""
    walk = Walk()
    names = ("type", "name", "tbl_name", "rootpage", "sql")
    rows = [row.values for row in walk_table(file, SCHEMA_PAGE, walk)]
    listed = [
        dict(zip(names, row, strict=True))
        for row in rows
        if row is not None and len(row) == len(names) and isinstance(row[3], int) and row[3] > 1
    ]
    return listed, not walk.lost and all(row is not None for row in rows)


def _layout(sql: TableSql, schema: Sequence[dict[str, Any]]) -> _Layout:
    name = sql.table.name
    columns_of = {sql.index_name(index): sql.order(index) for index in sql.table.indexes}
    columns_of[f"sqlite_autoindex_{name}_1"] = sql.key
    root, names = None, ["_id", *sql.columns, "_item"]
    indexes: list[tuple[int, Sequence[str]]] = []
    for row in schema:
        if row["type"] == "table" and row["name"] == name:
            root, names = row["rootpage"], _columns(row["sql"], names)
        elif row["type"] == "index" and row["name"] in columns_of:
            indexes.append((row["rootpage"], columns_of[row["name"]]))
    return _Layout(sql, names, root, indexes)


def _columns(create: object, otherwise: list[str]) -> list[str]:
    """Returns the columns of a table in the order of its rows, in which later ones come last."""
    try:
        with closing(apsw.Connection(":memory:")) as connection:
            connection.execute(str(create))
            name = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").get
            return [
                row[1] for row in connection.execute("SELECT * FROM pragma_table_info(?)", (name,))
            ]
    except apsw.Error:
        return otherwise

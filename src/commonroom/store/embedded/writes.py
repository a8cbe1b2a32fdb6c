"""Writes inside a transaction: conditions first, then the change, then its stream record."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import apsw
import msgspec

from commonroom.store.actions import result_of
from commonroom.store.declare.table import Table
from commonroom.store.embedded.schema import TableSql
from commonroom.store.engine import WriteOperation
from commonroom.store.errors import DamagedItem, UnknownTable
from commonroom.store.values import Item, Key, KeyValue, same_value

SHARDS = 4
"""How many workers can follow one table's stream at once; the number is part of every file."""

RECORD = (
    "INSERT INTO _changes (tbl, shard, at, kind, by_ttl, key, old, new) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)

_encode = msgspec.msgpack.Encoder().encode


class Tables(dict[str, TableSql]):
    """The SQL of the declared tables by name."""

    def __missing__(self, name: str) -> TableSql:
        raise UnknownTable(f"There is no table {name} in this data file.")


def shard_number(partition: KeyValue) -> int:
    """Returns the shard that all changes of a partition go to, so that they stay in order."""
    if isinstance(partition, float) and partition.is_integer():
        partition = int(partition)  # 1.0 is the same key as 1
    return zlib.crc32(str(partition).encode()) % SHARDS


class WriteTransaction:
    """Applies operations on a connection that is in a transaction, at one moment in time."""

    def __init__(self, connection: apsw.Connection, tables: Tables, now: float) -> None:
        # One cursor for everything: making one takes half as long as what it is used for.
        self._execute = connection.cursor().execute
        self._count_changed = connection.changes
        self._tables = tables
        self._now = now

    def apply(self, operations: Sequence[WriteOperation]) -> None:
        """Every operation in order; the first whose condition fails ends it."""
        for index, operation in enumerate(operations):
            self._apply_one(index, operation)

    def _apply_one(self, index: int, operation: WriteOperation) -> None:
        sql = self._tables[operation.table.name]
        condition = operation.condition
        # Most items that are put are new, so looking first would mostly be in vain.
        if (
            operation.kind == "put"
            and (condition is None or condition.holds(None))
            and self._insert(sql, operation.key, operation.item)
        ):
            return
        replaces = condition is None and operation.kind != "update"
        before = self.stored(sql, operation.key, even_damaged=replaces)
        visible = None if before is None or sql.table.is_expired(before, self._now) else before
        after = result_of(index, operation, visible)
        match operation.kind:
            case "put" | "update" if after is not None:
                self.put(sql, operation.key, before, after)
            case "delete" if before is not None:
                self.delete(sql, operation.key, before)

    def _insert(self, sql: TableSql, key: Key, item: Item) -> bool:
        """Writes an item and its record, unless something is under its key, expired or not."""
        self._execute(sql.insert, sql.row(item))
        if not self._count_changed():
            return False
        if sql.table.stream:
            self._record(sql.table, key, None, item)
        return True

    def stored(self, sql: TableSql, key: Key, *, even_damaged: bool = False) -> Item | None:
        """What is under a key, even if it has expired; of a damaged item, if wanted, its rest."""
        row = self._execute(sql.get_row, key).get
        if row is None:
            return None
        try:
            return sql.item(row)
        except DamagedItem:
            if not even_damaged:
                raise
            return sql.rest_of_item(row)

    def put(self, sql: TableSql, key: Key, before: Item | None, after: Item) -> None:
        """Writes an item and its record."""
        self._execute(sql.upsert, sql.row(after))
        if sql.table.stream and (before is None or _differ(sql, before, after)):
            self._record(sql.table, key, before, after)

    def delete(self, sql: TableSql, key: Key, before: Item, *, by_ttl: bool = False) -> None:
        """Removes an item and writes its record."""
        self._execute(sql.delete, key)
        self._record(sql.table, key, before, None, by_ttl=by_ttl)

    def _record(
        self,
        table: Table,
        key: Key,
        before: Item | None,
        after: Item | None,
        *,
        by_ttl: bool = False,
    ) -> None:
        if not table.stream:
            return
        kind = "insert" if before is None else "remove" if after is None else "modify"
        old = None if before is None else _encode(before)
        new = None if after is None else _encode(after)
        place = shard_number(key[0])
        self._execute(RECORD, (table.name, place, self._now, kind, by_ttl, _encode(key), old, new))


def _differ(sql: TableSql, before: Item, after: Item) -> bool:
    """Whether a thing has changed.

    DynamoDB's streams say nothing of a write that changes nothing, and consumers are told nothing
    of one that only computes keys again.
    """
    return not same_value(sql.inside(before), sql.inside(after))

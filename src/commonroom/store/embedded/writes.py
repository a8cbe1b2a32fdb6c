"""Writes inside a transaction: conditions first, then the change, then its stream record."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import apsw
import msgspec

from commonroom.store.declare.table import Table
from commonroom.store.embedded.schema import TableSql
from commonroom.store.engine import Action, Operation
from commonroom.store.errors import ConditionFailed, DamagedItem, UnknownTable, WrongType
from commonroom.store.limits import check_item
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
    """The shard that all changes of a partition go to, so that they stay in order."""
    if isinstance(partition, float) and partition.is_integer():
        partition = int(partition)  # 1.0 is the same key as 1
    return zlib.crc32(str(partition).encode()) % SHARDS


class WriteTransaction:
    """Applies operations on a connection that is in a transaction, at one moment in time."""

    def __init__(self, connection: apsw.Connection, tables: Tables, now: float) -> None:
        self._execute = connection.execute
        self._tables = tables
        self._now = now

    def apply(self, operations: Sequence[Operation]) -> None:
        """Every operation in order; the first whose condition fails ends it."""
        for index, operation in enumerate(operations):
            self._apply_one(index, operation)

    def _apply_one(self, index: int, operation: Operation) -> None:
        sql = self._tables[operation.table.name]
        blind = operation.kind == "put" and operation.condition is None and not sql.table.stream
        replaces = operation.condition is None and operation.kind != "update"
        before = None if blind else self.stored(sql, operation.key, even_damaged=replaces)
        visible = None if before is None or sql.table.is_expired(before, self._now) else before
        if operation.condition is not None and not operation.condition.holds(visible):
            raise ConditionFailed(index, visible)
        match operation.kind:
            case "put":
                self.put(sql, operation.key, before, operation.item)
            case "update" if visible is not None:
                after = apply_actions(visible, operation.actions)
                check_item(sql.table, after)
                self.put(sql, operation.key, before, after)
            case "delete" if before is not None:
                self.delete(sql, operation.key, before)

    def stored(self, sql: TableSql, key: Key, *, even_damaged: bool = False) -> Item | None:
        """What is under a key, even if it has expired; of a damaged item, if wanted, its rest."""
        row = next(self._execute(sql.get_row, key), None)
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
        # DynamoDB's streams say nothing of a write that changes nothing; neither does ours.
        if not table.stream or same_value(before, after):
            return
        kind = "insert" if before is None else "remove" if after is None else "modify"
        images = [None if item is None else _encode(item) for item in (before, after)]
        place = (table.name, shard_number(key[0]), self._now, kind, by_ttl, _encode(key))
        self._execute(RECORD, (*place, *images))


def apply_actions(item: Item, actions: Sequence[Action]) -> Item:
    """An item with an update's actions done."""
    after = dict(item)
    for action in actions:
        _ACTIONS[action.kind](after, action.name, action.value)
    return after


def _set(item: Item, name: str, value: Any) -> None:
    item[name] = value


def _set_if_absent(item: Item, name: str, value: Any) -> None:
    item.setdefault(name, value)


def _remove(item: Item, name: str, _: Any) -> None:
    item.pop(name, None)


def _add(item: Item, name: str, value: Any) -> None:
    before = item.get(name, 0)
    if isinstance(before, bool) or not isinstance(before, int | float):
        raise WrongType(f"{name} is not a number, so nothing can be added to it.")
    item[name] = _sum(before, value)


def _sum(one: float, other: float) -> float:
    """The sum as DynamoDB has it, which counts in tens: 0.1 and 0.2 are 0.3 there."""
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    return float(Decimal(repr(one)) + Decimal(repr(other)))


def _append(item: Item, name: str, value: Any) -> None:
    before = item.get(name, [])
    if not isinstance(before, list):
        raise WrongType(f"{name} is not a list, so nothing can be appended to it.")
    item[name] = [*before, *value]


def _merge(item: Item, name: str, value: Mapping[str, Any]) -> None:
    item[name] = {**_map(item, name), **value}


def _discard(item: Item, name: str, value: Sequence[str]) -> None:
    item[name] = {key: one for key, one in _map(item, name).items() if key not in value}


def _count(item: Item, name: str, value: Mapping[str, int]) -> None:
    counted = dict(_map(item, name))
    for entry, amount in value.items():
        _add(counted, entry, amount)
    item[name] = counted


def _map(item: Item, name: str) -> Mapping[str, Any]:
    before = item.get(name)
    if not isinstance(before, dict):
        raise WrongType(f"{name} is not a map, so it has no entries to change.")
    return before


_ACTIONS: dict[str, Callable[[Item, str, Any], None]] = {
    "set": _set,
    "set_if_absent": _set_if_absent,
    "remove": _remove,
    "add": _add,
    "append": _append,
    "merge": _merge,
    "discard": _discard,
    "count": _count,
}

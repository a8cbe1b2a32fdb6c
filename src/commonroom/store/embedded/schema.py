"""The SQLite schema of a table: columns, indexes, and the statements that use them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec

from commonroom.store.damage import DECODING_ERRORS
from commonroom.store.declare.table import Index, Table
from commonroom.store.errors import DamagedItem
from commonroom.store.values import Item, Key

_decode_item = msgspec.msgpack.Decoder(dict[str, Any]).decode
_encode = msgspec.msgpack.Encoder().encode


def quote(name: str) -> str:
    """Returns a name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def placeholders(count: int) -> str:
    """So many placeholders."""
    return ", ".join("?" * count)


class TableSql:
    """The SQL of one table.

    Key attributes, the TTL and the discriminator are columns; `_item` holds the item itself. A key
    attribute that is no field of any entity stands in its column only, so nothing is stored twice.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.name = quote(table.name)
        extra = [name for name in (table.ttl, table.discriminator) if name is not None]
        self.columns = tuple(dict.fromkeys([*table.key_attributes, *extra]))
        fields = {
            attribute
            for entity in table.entities.values()
            for attribute in entity.schema.attributes.values()
        }
        self.outside = tuple(
            name for name in table.key_attributes if name not in fields and name not in extra
        )
        self._outside = frozenset(self.outside)
        self.key = tuple(attribute.name for attribute in table.key)
        self._orders: dict[Index | None, tuple[str, ...]] = {None: self.key}
        for index in table.indexes:
            through = [attribute.name for attribute in index.key]
            self._orders[index] = tuple(dict.fromkeys([*through, *self.key]))

    # Items and rows

    def row(self, item: Item) -> tuple[object, ...]:
        """Returns what is bound to `upsert` for an item."""
        return (*[item.get(name) for name in self.columns], _encode(self.inside(item)))

    def inside(self, item: Item) -> Item:
        """Returns an item without the key attributes that stand in columns only."""
        inside = item.copy()
        for name in self.outside:
            inside.pop(name, None)
        return inside

    def item(self, row: Sequence[Any]) -> Item:
        """The whole item of a row of `columns` and `_item`; `DamagedItem` if it is damaged."""
        try:
            item: Item = _decode_item(row[-1])
        except DECODING_ERRORS as error:
            raise DamagedItem(self.table.name, self.key_in(row), error) from error
        for name, value in zip(self.columns, row, strict=False):
            if name in self._outside and value is not None:
                item[name] = value
        return item

    def key_in(self, row: Sequence[Any]) -> Key:
        """Returns the primary key in a row, whatever state its item is in."""
        return tuple([row[self.columns.index(name)] for name in self.key])

    def rest_of_item(self, row: Sequence[Any]) -> Item:
        """Returns what a row tells of an item that is damaged: the attributes that have columns."""
        named = zip(self.columns, row, strict=False)
        return {name: value for name, value in named if value is not None}

    # Statements

    @cached_property
    def create(self) -> str:
        """Makes the table."""
        key = ", ".join(map(quote, self.key))
        columns = ", ".join(quote(n) + (" NOT NULL" if n in self.key else "") for n in self.columns)
        return (
            f"CREATE TABLE {self.name} (_id INTEGER PRIMARY KEY, {columns}, "
            f"_item BLOB NOT NULL, UNIQUE ({key}))"
        )

    @cached_property
    def create_indexes(self) -> dict[str, str]:
        """Makes the indexes, by name; each holds only the items that have its key."""
        made = {}
        for index in self.table.indexes:
            made[self.index_name(index)] = self._create_index(
                self.index_name(index), self.order(index), [one.name for one in index.key]
            )
        if self.table.ttl is not None:
            name = f"{self.table.name}:ttl"
            made[name] = self._create_index(name, [self.table.ttl], [self.table.ttl])
        return made

    def _create_index(self, name: str, columns: Sequence[str], needed: list[str]) -> str:
        # SQLite knows of the primary key that it is never NULL, and then no longer sees that a
        # query asks for nothing outside of such an index.
        sparse = [f"{quote(column)} IS NOT NULL" for column in needed if column not in self.key]
        where = f" WHERE {' AND '.join(sparse)}" if sparse else ""
        listed = ", ".join(map(quote, columns))
        return f"CREATE INDEX {quote(name)} ON {self.name} ({listed}){where}"

    def index_name(self, index: Index) -> str:
        """Returns an index's name in the file, where names are shared by all tables."""
        return f"{self.table.name}:{index.name}"

    def order(self, index: Index | None) -> tuple[str, ...]:
        """Returns the columns that a query's results are in the order of, partition first."""
        return self._orders[index]

    @cached_property
    def upsert(self) -> str:
        """Puts a row."""
        changed = [quote(name) for name in self.columns if name not in self.key]
        updates = ", ".join(f"{name} = excluded.{name}" for name in [*changed, "_item"])
        return f"{self._insert_or} UPDATE SET {updates}"

    @cached_property
    def insert(self) -> str:
        """Puts a row where there is none."""
        return f"{self._insert_or} NOTHING"

    @cached_property
    def _insert_or(self) -> str:
        names = ", ".join([*map(quote, self.columns), "_item"])
        return (
            f"INSERT INTO {self.name} ({names}) VALUES ({placeholders(len(self.columns) + 1)}) "
            f"ON CONFLICT ({', '.join(map(quote, self.key))}) DO"
        )

    @cached_property
    def by_key(self) -> str:
        """Returns the condition that finds one row."""
        return " AND ".join(f"{quote(name)} = ?" for name in self.key)

    @cached_property
    def not_expired(self) -> str:
        """The condition that leaves out what has expired, with one placeholder for the time."""
        if self.table.ttl is None:
            return ""
        ttl = quote(self.table.ttl)
        return f" AND ({ttl} IS NULL OR {ttl} > ?)"

    @cached_property
    def get(self) -> str:
        """Returns the SELECT of one item by key, for typed reading."""
        return f"SELECT _item FROM {self.name} WHERE {self.by_key}{self.not_expired}"

    @cached_property
    def all_columns(self) -> str:
        """Returns the columns of a row, for reading the item as it is."""
        return f"{', '.join(map(quote, self.columns))}, _item"

    @cached_property
    def get_row(self) -> str:
        """Returns the SELECT of one item by key, whole and even if expired."""
        return f"SELECT {self.all_columns} FROM {self.name} WHERE {self.by_key}"

    @cached_property
    def delete(self) -> str:
        """Removes one row."""
        return f"DELETE FROM {self.name} WHERE {self.by_key}"

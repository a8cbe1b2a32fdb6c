"""Primary keys in DynamoDB's form, and back."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.store.attribute_values import Attributes, to_attribute
from commonroom.store.declare.table import Index, Table
from commonroom.store.values import Item, Key


def key_attributes(table: Table, key: Key) -> Attributes:
    """A primary key as a request names it."""
    return {
        attribute.name: to_attribute(value) for attribute, value in zip(table.key, key, strict=True)
    }


def key_of(table: Table, item: Item) -> Key:
    """The primary key of an item."""
    return tuple([item[attribute.name] for attribute in table.key])


def position_names(table: Table, index: Index | None) -> Sequence[str]:
    """The attributes that say where in a table or an index an item is."""
    keys = table.key if index is None else (*index.key, *table.key)
    return [attribute.name for attribute in keys]

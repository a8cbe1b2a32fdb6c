"""Reading items by their keys, always as of the last acknowledged write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from commonroom.store.attribute_values import from_attributes
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.dynamodb.keys import key_attributes, key_of
from commonroom.store.dynamodb.patience import Patience
from commonroom.store.dynamodb.visibility import expired, visibility
from commonroom.store.engine import Shape
from commonroom.store.errors import Unavailable, WrongType
from commonroom.store.values import Item, Key

T = TypeVar("T")


async def get(
    connection: Connection, table: Table, key: Key, shape: Shape[T], now: float
) -> T | None:
    """One item by its primary key."""
    answer = await connection.send(
        "GetItem",
        {
            "TableName": connection.settings.physical(table),
            "Key": key_attributes(table, key),
            "ConsistentRead": True,
        },
    )
    attributes = answer.get("Item")
    if attributes is None:
        return None
    item = from_attributes(attributes)
    return (
        shaped(table, shape, [item])[0] if visibility(table, now, shape.kinds).sees(item) else None
    )


async def batch_get(
    connection: Connection, wanted: Sequence[tuple[Table, Key]], now: float
) -> list[Item | None]:
    """Many items by their primary keys, in the order asked."""
    tables = {connection.settings.physical(table): table for table, _ in wanted}
    found: dict[tuple[str, Key], Item] = {}
    asked = _request(connection, wanted)
    patience = Patience(connection.settings.seconds)
    while asked:
        answer = await connection.send("BatchGetItem", {"RequestItems": asked})
        for name, several in answer.get("Responses", {}).items():
            for item in map(from_attributes, several):
                found[tables[name].name, key_of(tables[name], item)] = item
        asked = answer.get("UnprocessedKeys") or {}
        if asked and not await patience.pause():
            raise Unavailable("DynamoDB keeps leaving a part of a batch unread.")
    return [_unexpired(table, found.get((table.name, key)), now) for table, key in wanted]


def shaped(table: Table, shape: Shape[T], items: Sequence[Item]) -> list[T]:
    """Items as the caller wants them."""
    try:
        return [shape.from_item(item) for item in items]
    except msgspec.ValidationError as error:
        raise WrongType(
            f"An item of {table.name} does not fit what is declared ({error}); "
            "`commonroom check` finds it."
        ) from error


def _request(connection: Connection, wanted: Sequence[tuple[Table, Key]]) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    # DynamoDB refuses a batch that names a key twice.
    for table, key in dict.fromkeys(wanted):
        one = asked.setdefault(
            connection.settings.physical(table), {"Keys": [], "ConsistentRead": True}
        )
        one["Keys"].append(key_attributes(table, key))
    return asked


def _unexpired(table: Table, item: Item | None, now: float) -> Item | None:
    gone = item is None or (table.ttl is not None and expired(item.get(table.ttl), now))
    return None if gone else item

"""Reads: items by key, pages of a partition or an index, and scans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from commonroom.store.damage import decode_items, handle_damage
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Backoff, Connection, Payload
from commonroom.store.dynamodb.expressions import (
    Placeholders,
    ReadFilter,
    key_attributes,
    read_filter,
)
from commonroom.store.dynamodb_json import (
    Attributes,
    from_attribute,
    from_attributes,
    to_attributes,
)
from commonroom.store.engine import ItemDecoder, Query, Rows, SortRange, Wanted
from commonroom.store.errors import Unavailable
from commonroom.store.values import Item, Key

T = TypeVar("T")


async def get(
    connection: Connection, table: Table, key: Key, decoder: ItemDecoder[T], now: float
) -> T | None:
    """Returns one item by its primary key, as of the last acknowledged write."""
    answer = await connection.send(
        "GetItem",
        {
            "TableName": connection.settings.table_name(table),
            "Key": key_attributes(table, key),
            "ConsistentRead": True,
        },
    )
    attributes = answer.get("Item")
    if attributes is None:
        return None
    item = from_attributes(attributes)
    if not read_filter(table, now, decoder.kinds).admits(item):
        return None
    found, damaged = decode_items(table, decoder.from_item, [item])
    if damaged:
        raise damaged[0]
    return found[0]


async def batch_get(
    connection: Connection, wanted: Sequence[tuple[Table, Key]], now: float
) -> list[Item | None]:
    """Many items by their primary keys, in the order asked."""
    found = await batch_get_attributes(connection, wanted)
    items = [
        (table, None if attributes is None else from_attributes(attributes))
        for (table, _), attributes in zip(wanted, found, strict=True)
    ]
    return [None if item is None or table.is_expired(item, now) else item for table, item in items]


async def batch_get_decoded(
    connection: Connection, wanted: Sequence[Wanted], now: float
) -> list[Any]:
    """Many things by their primary keys, in the order asked."""
    items = await batch_get(connection, [(table, key) for table, key, _ in wanted], now)
    return [
        None if item is None else _decode(table, decoder, item)
        for (table, _, decoder), item in zip(wanted, items, strict=True)
    ]


def _decode(table: Table, decoder: ItemDecoder[T], item: Item) -> T | None:
    """Returns the thing, unless it is of another kind than was asked for, or damaged."""
    if table.discriminator and item.get(table.discriminator) not in (decoder.kinds or ()):
        return None
    found, damaged = decode_items(table, decoder.from_item, [item])
    if damaged:
        handle_damage(damaged)
    return next(iter(found), None)


async def batch_get_attributes(
    connection: Connection, wanted: Sequence[tuple[Table, Key]]
) -> list[Attributes | None]:
    """Reads items in DynamoDB's form, expired ones included."""
    tables = {connection.settings.table_name(table): table for table, _ in wanted}
    found: dict[tuple[str, Key], Attributes] = {}
    unprocessed = _batch_request(connection, wanted)
    backoff = Backoff(connection.settings.seconds)
    while unprocessed:
        answer = await connection.send("BatchGetItem", {"RequestItems": unprocessed})
        for name, several in answer.get("Responses", {}).items():
            if several:
                # Time runs out only while nothing gets on: 16 MB is all that comes at once.
                backoff = Backoff(connection.settings.seconds)
            for attributes in several:
                found[tables[name].name, _key_of(tables[name], attributes)] = attributes
        unprocessed = answer.get("UnprocessedKeys") or {}
        if unprocessed and not await backoff.wait():
            raise Unavailable("DynamoDB keeps leaving a part of a batch unread.")
    return [found.get((table.name, key)) for table, key in wanted]


def _key_of(table: Table, attributes: Attributes) -> Key:
    return tuple(from_attribute(attributes[attribute.name]) for attribute in table.key)


def _batch_request(connection: Connection, wanted: Sequence[tuple[Table, Key]]) -> Payload:
    request: Payload = {}
    # DynamoDB refuses a batch that names a key twice.
    for table, key in dict.fromkeys(wanted):
        name = connection.settings.table_name(table)
        keys = request.setdefault(name, {"Keys": [], "ConsistentRead": True})["Keys"]
        keys.append(key_attributes(table, key))
    return request


async def query(
    connection: Connection, query: Query, decoder: ItemDecoder[T], now: float
) -> Rows[T]:
    """Returns one page of a partition."""
    if query.sort is not None and _empty(query.sort):
        return Rows([], None)
    visible = _filter(query, decoder, now)
    answer = await connection.send("Query", _payload(connection, query, visible))
    items = [item for item in map(from_attributes, answer["Items"]) if visible.admits(item)]
    if len(items) > query.limit:
        del items[query.limit :]
        keys = query.table.key if query.index is None else (*query.index.key, *query.table.key)
        following: Item | None = {one.name: items[-1][one.name] for one in keys}
    else:
        following = _position(answer)
    decoded, damaged = decode_items(query.table, decoder.from_item, items)
    return Rows(decoded, following, damaged)


async def scan(
    connection: Connection, table: Table, limit: int, start: Item | None, now: float
) -> Rows[Item]:
    """Returns one page of everything."""
    payload: Payload = {
        "TableName": connection.settings.table_name(table),
        "ConsistentRead": True,
        "Limit": limit,
    }
    if start is not None:
        payload["ExclusiveStartKey"] = to_attributes(start)
    answer = await connection.send("Scan", payload)
    visible = read_filter(table, now)
    items = [item for item in map(from_attributes, answer["Items"]) if visible.admits(item)]
    return Rows(items, _position(answer))


def _filter(query: Query, decoder: ItemDecoder[Any], now: float) -> ReadFilter:
    # An index that carries only keys cannot be filtered by what it does not carry.
    if query.index is not None and query.index.keys_only:
        return ReadFilter(now)
    return read_filter(query.table, now, decoder.kinds)


def _payload(connection: Connection, query: Query, visible: ReadFilter) -> Payload:
    placeholders = Placeholders()
    payload: Payload = {
        "TableName": connection.settings.table_name(query.table),
        "KeyConditionExpression": _key_condition(query, placeholders),
        # One more than fits, to know whether there is a next page without asking for it.
        "Limit": query.limit + 1,
        "ScanIndexForward": query.forward,
    }
    if query.index is None:
        payload["ConsistentRead"] = True
    else:
        payload["IndexName"] = query.index.name
    if query.start is not None:
        payload["ExclusiveStartKey"] = to_attributes(query.start)
    key = [attribute.name for attribute in _key(query)]
    if filters := list(visible.expressions(placeholders, key)):
        payload["FilterExpression"] = " AND ".join(filters)
    placeholders.fill(payload)
    return payload


def _key_condition(query: Query, placeholders: Placeholders) -> str:
    partition, *rest = _key(query)
    text = f"{placeholders.name(partition.name)} = {placeholders.value(query.partition)}"
    sort = query.sort
    # Everything begins with the empty text, which DynamoDB takes for a wrong key.
    if sort is None or (sort.sign == "begins_with" and not sort.low):
        return text
    return f"{text} AND {_sort_condition(sort, placeholders.name(rest[0].name), placeholders)}"


def _key(query: Query) -> Any:
    return query.table.key if query.index is None else query.index.key


def _sort_condition(sort: SortRange, name: str, placeholders: Placeholders) -> str:
    low = placeholders.value(sort.low)
    if sort.sign == "between":
        return f"{name} BETWEEN {low} AND {placeholders.value(sort.high)}"
    return (
        f"begins_with({name}, {low})" if sort.sign == "begins_with" else f"{name} {sort.sign} {low}"
    )


def _empty(sort: SortRange) -> bool:
    """Whether a range ends before it begins: it holds nothing, and DynamoDB would refuse it."""
    low: Any = sort.low
    return sort.sign == "between" and sort.high is not None and low > sort.high


def _position(answer: Payload) -> Item | None:
    last = answer.get("LastEvaluatedKey")
    return None if last is None else from_attributes(last)

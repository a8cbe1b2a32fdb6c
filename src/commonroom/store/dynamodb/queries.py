"""Pages of a partition, of an index's partition, or of a whole table."""

from __future__ import annotations

from typing import Any, TypeVar

from commonroom.store.attribute_values import from_attributes, to_attributes
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Connection, Payload
from commonroom.store.dynamodb.keys import position_names
from commonroom.store.dynamodb.reads import shaped
from commonroom.store.dynamodb.terms import Terms
from commonroom.store.dynamodb.visibility import Visibility, visibility
from commonroom.store.engine import Query, Rows, Shape, SortRange
from commonroom.store.values import Item

T = TypeVar("T")


async def query(connection: Connection, query: Query, shape: Shape[T], now: float) -> Rows[T]:
    """One page of a partition."""
    if query.sort is not None and _empty(query.sort):
        return Rows([], None)
    visible = _visibility(query, shape, now)
    answer = await connection.send("Query", _payload(connection, query, visible))
    items = [item for item in map(from_attributes, answer["Items"]) if visible.sees(item)]
    if len(items) > query.limit:
        del items[query.limit :]
        last = items[-1]
        following: Item | None = {
            name: last[name] for name in position_names(query.table, query.index)
        }
    else:
        following = _position(answer)
    return Rows(shaped(query.table, shape, items), following)


async def scan(
    connection: Connection, table: Table, limit: int, start: Item | None, now: float
) -> Rows[Item]:
    """One page of everything."""
    payload: Payload = {
        "TableName": connection.settings.physical(table),
        "ConsistentRead": True,
        "Limit": limit,
    }
    if start is not None:
        payload["ExclusiveStartKey"] = to_attributes(start)
    answer = await connection.send("Scan", payload)
    visible = visibility(table, now)
    items = [item for item in map(from_attributes, answer["Items"]) if visible.sees(item)]
    return Rows(items, _position(answer))


def _visibility(query: Query, shape: Shape[Any], now: float) -> Visibility:
    # An index that carries only keys cannot be filtered by what it does not carry.
    if query.index is not None and query.index.keys_only:
        return Visibility(now)
    return visibility(query.table, now, shape.kinds)


def _payload(connection: Connection, query: Query, visible: Visibility) -> Payload:
    terms = Terms()
    payload: Payload = {
        "TableName": connection.settings.physical(query.table),
        "KeyConditionExpression": _key_condition(query, terms),
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
    if filters := list(visible.expressions(terms, key)):
        payload["FilterExpression"] = " AND ".join(filters)
    terms.fill(payload)
    return payload


def _key_condition(query: Query, terms: Terms) -> str:
    partition, *rest = _key(query)
    text = f"{terms.name(partition.name)} = {terms.value(query.partition)}"
    sort = query.sort
    # Everything begins with the empty text, which DynamoDB takes for a wrong key.
    if sort is None or (sort.sign == "begins_with" and not sort.low):
        return text
    return f"{text} AND {_sort_condition(sort, terms.name(rest[0].name), terms)}"


def _key(query: Query) -> Any:
    return query.table.key if query.index is None else query.index.key


def _sort_condition(sort: SortRange, name: str, terms: Terms) -> str:
    low = terms.value(sort.low)
    if sort.sign == "between":
        return f"{name} BETWEEN {low} AND {terms.value(sort.high)}"
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

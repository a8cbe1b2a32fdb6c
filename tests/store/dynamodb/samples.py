"""Tables and small conveniences for the tests of the DynamoDB engine."""

from typing import Any

from commonroom.store.conditions import Condition, stored
from commonroom.store.declare.table import Index, Table, number
from commonroom.store.engine import AttributeChange, ItemDecoder, Query, SortRange, WriteOperation
from commonroom.store.values import Item, Key, KeyValue

shelf = Table(
    "Shelf",
    room="tests",
    partition="PK",
    sort="SK",
    discriminator="Kind",
    stream=True,
    indexes=[
        Index("ByTitle", "G1", "Title"),
        Index("ByKind", "Kind", "SK"),
        Index("KeysOnly", "G2", number("Rank"), keys_only=True),
    ],
)
timed = Table(
    "Timed",
    room="tests",
    partition="Id",
    ttl="Until",
    stream=True,
    indexes=[
        Index("ByUntil", "Group", number("Until")),
        Index("TimedKeys", "Group", keys_only=True),
    ],
)
numbered = Table("Numbered", room="tests", partition="Id", sort=number("At"))

TABLES = [shelf, timed, numbered]

PLAIN: ItemDecoder[Item] = ItemDecoder(from_blob=lambda _: {}, from_item=lambda item: item)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_900_000_000.0

    def __call__(self) -> float:
        return self.now


def of_kinds(*kinds: str) -> ItemDecoder[Item]:
    return ItemDecoder(from_blob=lambda _: {}, from_item=lambda item: item, kinds=frozenset(kinds))


def book(sort: str, **more: Any) -> Item:
    return {"PK": "p", "SK": sort, "Kind": "BOOK", **more}


def put(table: Table, item: Item, condition: Condition | None = None) -> WriteOperation:
    return WriteOperation("put", table, key(table, item), condition, item)


def update(
    table: Table, place: Key, *actions: AttributeChange, condition: Condition | None = stored
) -> WriteOperation:
    return WriteOperation("update", table, place, condition, actions=actions)


def delete(table: Table, place: Key, condition: Condition | None = None) -> WriteOperation:
    return WriteOperation("delete", table, place, condition)


def check(table: Table, place: Key, condition: Condition) -> WriteOperation:
    return WriteOperation("check", table, place, condition)


def key(table: Table, item: Item) -> Key:
    return tuple(item[attribute.name] for attribute in table.key)


def query(
    table: Table,
    partition: KeyValue,
    sort: SortRange | None = None,
    *,
    index: str | None = None,
    forward: bool = True,
    limit: int = 50,
    start: Item | None = None,
) -> Query:
    through = None if index is None else table.index(index)
    return Query(table, through, partition, sort, forward, limit, start)

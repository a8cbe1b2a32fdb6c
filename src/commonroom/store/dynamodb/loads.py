"""Putting many items at once, for imports."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.store.attribute_values import to_attributes
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Connection, Payload
from commonroom.store.dynamodb.keys import key_of
from commonroom.store.dynamodb.parallel import each
from commonroom.store.dynamodb.patience import Patience
from commonroom.store.errors import Unavailable
from commonroom.store.limits import check_whole
from commonroom.store.values import Item

CHUNK = 25
"""How many items one request may carry."""

AT_ONCE = 4


async def load(connection: Connection, table: Table, items: Sequence[Item]) -> None:
    """Puts items without conditions; of several with one key, the last stays."""
    for item in items:
        check_whole(table, item)
    last = list({key_of(table, item): item for item in items}.values())
    chunks = [last[start : start + CHUNK] for start in range(0, len(last), CHUNK)]

    async def put(chunk: list[Item]) -> None:
        requests = [{"PutRequest": {"Item": to_attributes(item)}} for item in chunk]
        await _put_all(connection, {connection.settings.physical(table): requests})

    await each(AT_ONCE, put, chunks)


async def _put_all(connection: Connection, asked: Payload) -> None:
    patience, left = _counted(connection, asked)
    while asked:
        answer = await connection.send("BatchWriteItem", {"RequestItems": asked})
        asked = answer.get("UnprocessedItems") or {}
        if _count(asked) < left:
            patience, left = _counted(connection, asked)
        if asked and not await patience.pause():
            raise Unavailable("DynamoDB keeps leaving a part of a batch unwritten.")


def _counted(connection: Connection, asked: Payload) -> tuple[Patience, int]:
    """Fresh patience, for it is lost only while nothing gets on, and what there is to do."""
    return Patience(connection.settings.seconds), _count(asked)


def _count(asked: Payload) -> int:
    return sum(len(requests) for requests in asked.values())

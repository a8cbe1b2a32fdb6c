"""Writes: transactions, all or nothing and never twice; and batches without conditions."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from commonroom.concurrency import gather_each
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Backoff, Connection, TransactionCancelled
from commonroom.store.dynamodb.errors import RETRYABLE, reason_code, validation_error
from commonroom.store.dynamodb.expressions import read_filter, required_maps
from commonroom.store.dynamodb.transactions import StoredItems, needs_swap, transact_item
from commonroom.store.dynamodb_json import from_attributes, to_attributes
from commonroom.store.engine import Operation
from commonroom.store.errors import ConditionFailed, StoreError, Unavailable, WrongType
from commonroom.store.limits import check_loaded_item
from commonroom.store.values import Item

BATCH_ITEMS = 25
"""How many items one BatchWriteItem may carry."""

CONCURRENT_BATCHES = 4


async def write(connection: Connection, operations: Sequence[Operation], now: float) -> None:
    """All operations or none.

    Operations that expressions cannot say, or that DynamoDB would compute otherwise than we do, are
    computed here from what is stored and written by compare-and-swap, tried anew when somebody else
    was quicker.
    """
    backoff = Backoff(connection.settings.seconds)
    items = [transact_item(connection, operation, now) for operation in operations]
    swaps = {index for index, item in enumerate(items) if needs_swap(operations[index], item)}
    while True:
        if swaps:
            stored = await StoredItems.read(connection, operations, now)
            for index in swaps:
                items[index] = stored.swap(index)
        payload = {
            "TransactItems": items,
            # DynamoDB knows a repeated request by this: a retry after a time-out is no second
            # write, not even a deletion of what somebody else created in between.
            "ClientRequestToken": uuid.uuid4().hex,
        }
        try:
            await connection.send("TransactWriteItems", payload)
        except TransactionCancelled as cancelled:
            swaps.add(_operation_to_swap(cancelled.reasons, operations, now))
        else:
            return
        if not await backoff.wait():
            raise Unavailable("Other writes to the same items keep getting in the way.")


def _operation_to_swap(
    reasons: list[dict[str, Any]], operations: Sequence[Operation], now: float
) -> int:
    """The operation that must be computed here, from what is stored now.

    The first reason that says something of the data, rather than of the moment, decides; where that
    is a fault of the operations themselves, its error is raised.
    """
    for index, reason in enumerate(reasons):
        code = reason_code(reason)
        if code == "ConditionalCheckFailed":
            if error := _condition_failed(index, operations[index], reason.get("Item"), now):
                raise error
            return index
        if code != "None" and code not in RETRYABLE:
            raise validation_error(str(reason.get("Message") or code))
    raise validation_error("the transaction was cancelled")


def _condition_failed(
    index: int, operation: Operation, attributes: Any, now: float
) -> StoreError | None:
    """The error for a failed condition; None where it is not the caller's, but one of ours."""
    item = from_attributes(attributes) if attributes else None
    if item is not None and not read_filter(operation.table, now).admits(item):
        item = None
    if operation.condition is not None and not operation.condition.holds(item):
        return ConditionFailed(index, item)
    for one in required_maps(operation.actions):
        if not one.holds(item):
            return WrongType(f"{one.name} is not a map, so it has no entries to change.")
    return None


async def load(connection: Connection, table: Table, items: Sequence[Item]) -> None:
    """Puts items without conditions; of several with one key, the last stays."""
    for item in items:
        check_loaded_item(table, item)
    last = list({table.key_of(item): item for item in items}.values())
    batches = [last[start : start + BATCH_ITEMS] for start in range(0, len(last), BATCH_ITEMS)]
    name = connection.settings.table_name(table)

    async def put(batch: list[Item]) -> None:
        unprocessed: list[Any] = [{"PutRequest": {"Item": to_attributes(item)}} for item in batch]
        backoff = Backoff(connection.settings.seconds)
        while unprocessed:
            before = len(unprocessed)
            answer = await connection.send("BatchWriteItem", {"RequestItems": {name: unprocessed}})
            unprocessed = answer.get("UnprocessedItems", {}).get(name, [])
            if len(unprocessed) < before:
                # Time runs out only while nothing gets on.
                backoff = Backoff(connection.settings.seconds)
            if unprocessed and not await backoff.wait():
                raise Unavailable("DynamoDB keeps leaving a part of a batch unwritten.")

    await gather_each(put, batches, limit=CONCURRENT_BATCHES)

"""Writes: transactions, all or nothing and never twice; and batches without conditions."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from commonroom.concurrency import gather_each
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Backoff, Connection, TransactionCancelled
from commonroom.store.dynamodb.errors import RETRYABLE, reason_code, validation_error
from commonroom.store.dynamodb.expressions import read_filter, required_maps, whole_numbers
from commonroom.store.dynamodb.transactions import StoredItems, needs_swap, transact_item
from commonroom.store.dynamodb_json import from_attributes, to_attributes
from commonroom.store.engine import WriteOperation
from commonroom.store.errors import ConditionFailed, Unavailable, WrongType
from commonroom.store.limits import check_loaded_item
from commonroom.store.values import Item

BATCH_ITEMS = 25
"""How many items one BatchWriteItem may carry."""

CONCURRENT_BATCHES = 4


async def write(connection: Connection, operations: Sequence[WriteOperation], now: float) -> None:
    """All operations or none.

    Operations that expressions cannot say, or that DynamoDB would compute otherwise than we do, are
    computed here from what is stored and written by compare-and-swap, tried anew when another
    writer was quicker.
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
            # write, not even a deletion of what another writer created in between.
            "ClientRequestToken": uuid.uuid4().hex,
        }
        try:
            await connection.send("TransactWriteItems", payload)
        except TransactionCancelled as cancelled:
            swaps.add(_operation_to_swap(cancelled.reasons, operations, swaps, now))
        else:
            return
        if not await backoff.wait():
            raise Unavailable("Other writes to the same items keep getting in the way.")


def _operation_to_swap(
    reasons: list[dict[str, Any]],
    operations: Sequence[WriteOperation],
    swaps: Collection[int],
    now: float,
) -> int:
    """Returns the operation that must be computed here, from what is stored now.

    The first reason that says something of the data, rather than of the moment, decides; where that
    is a failure of the operations themselves, its error is raised.
    """
    for index, reason in enumerate(reasons):
        code = reason_code(reason)
        if code == "ConditionalCheckFailed":
            operation, item = operations[index], _visible(operations[index], reason, now)
            ours = index in swaps or not all(
                one.holds(item) for one in whole_numbers(operation.actions)
            )
            if operation.condition is None or operation.condition.holds(item):
                _check_maps(operation, item)
                if ours:
                    return index
            raise ConditionFailed(index, item)
        if code != "None" and code not in RETRYABLE:
            raise validation_error(str(reason.get("Message") or code))
    raise validation_error("the transaction was cancelled")


def _visible(operation: WriteOperation, reason: dict[str, Any], now: float) -> Item | None:
    """Returns the item that made a condition fail."""
    attributes = reason.get("Item")
    item = from_attributes(attributes) if attributes else None
    return item if item is None or read_filter(operation.table, now).admits(item) else None


def _check_maps(operation: WriteOperation, item: Item | None) -> None:
    """Refuses to change entries of what is no map."""
    for one in required_maps(operation.actions):
        if not one.holds(item):
            raise WrongType(f"{one.name} is not a map, so it has no entries to change.")


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

"""Writes: transactions, all or nothing and never twice; and batches without conditions."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from commonroom.concurrency import gather_each
from commonroom.store.conditions import all_of
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Backoff, Connection, Payload, TransactionCancelled
from commonroom.store.dynamodb.errors import RETRYABLE, reason_code, validation_error
from commonroom.store.dynamodb.expressions import (
    Placeholders,
    always_true,
    condition_expression,
    key_attributes,
    read_filter,
    required_maps,
    update_expression,
)
from commonroom.store.dynamodb_json import from_attributes, to_attributes
from commonroom.store.engine import Operation
from commonroom.store.errors import ConditionFailed, StoreError, Unavailable, WrongType
from commonroom.store.limits import check_loaded_item
from commonroom.store.values import Item

BATCH_ITEMS = 25
"""How many items one BatchWriteItem may carry."""

CONCURRENT_BATCHES = 4


async def write(connection: Connection, operations: Sequence[Operation], now: float) -> None:
    """All operations or none."""
    first = operations[0]
    if len(operations) == 1 and first.condition is None and first.kind in ("put", "delete"):
        # Done twice it is the same as done once, so it needs no transaction, at twice the price.
        await connection.send(*_single_request(connection, first))
        return
    payload = {
        "TransactItems": [transact_item(connection, operation, now) for operation in operations],
        # DynamoDB knows a repeated request by this: a retry after a time-out is no second write.
        "ClientRequestToken": uuid.uuid4().hex,
    }
    try:
        await connection.send("TransactWriteItems", payload)
    except TransactionCancelled as cancelled:
        raise _cancellation_error(cancelled.reasons, operations, now) from None


def transact_item(connection: Connection, operation: Operation, now: float) -> Payload:
    """One operation as a transaction holds it."""
    table = operation.table
    placeholders = Placeholders()
    body: Payload = {"TableName": connection.settings.table_name(table)}
    kind = _fill(body, operation, placeholders)
    condition = all_of(operation.condition, *required_maps(operation.actions))
    if condition is not None:
        body["ConditionExpression"] = condition_expression(table, condition, placeholders, now)
        body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    elif kind == "ConditionCheck":
        body["ConditionExpression"] = always_true(table, placeholders)
    placeholders.fill(body)
    return {kind: body}


def _fill(body: Payload, operation: Operation, placeholders: Placeholders) -> str:
    """What the operation does, and DynamoDB's name for it."""
    if operation.kind == "put":
        body["Item"] = to_attributes(operation.item)
        return "Put"
    body["Key"] = key_attributes(operation.table, operation.key)
    if operation.kind == "delete":
        return "Delete"
    if expression := update_expression(operation.actions, placeholders):
        body["UpdateExpression"] = expression
        return "Update"
    # A check, or an update that changes nothing: only its condition is left.
    return "ConditionCheck"


def _single_request(connection: Connection, operation: Operation) -> tuple[str, Payload]:
    body: Payload = {"TableName": connection.settings.table_name(operation.table)}
    return f"{_fill(body, operation, Placeholders())}Item", body


def _cancellation_error(
    reasons: list[dict[str, Any]], operations: Sequence[Operation], now: float
) -> StoreError:
    """The first reason that says something of the data, rather than of the moment, decides."""
    for index, reason in enumerate(reasons):
        code = reason_code(reason)
        if code == "ConditionalCheckFailed":
            return _condition_failed(index, operations[index], reason.get("Item"), now)
        if code != "None" and code not in RETRYABLE:
            return validation_error(str(reason.get("Message") or code))
    return validation_error("the transaction was cancelled")


def _condition_failed(index: int, operation: Operation, attributes: Any, now: float) -> StoreError:
    item = from_attributes(attributes) if attributes else None
    if item is not None and not read_filter(operation.table, now).admits(item):
        item = None
    if operation.condition is None or operation.condition.holds(item):
        for one in required_maps(operation.actions):
            if not one.holds(item):
                return WrongType(f"{one.name} is not a map, so it has no entries to change.")
    return ConditionFailed(index, item)


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

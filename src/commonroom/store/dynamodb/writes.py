"""Writes: all or nothing, and never twice."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from commonroom.store.attribute_values import from_attributes, to_attributes
from commonroom.store.conditions import all_of
from commonroom.store.dynamodb.actions import needed_maps, update_expression
from commonroom.store.dynamodb.conditions import always, condition_expression
from commonroom.store.dynamodb.connection import Cancelled, Connection, Payload
from commonroom.store.dynamodb.faults import PASSING, code_of
from commonroom.store.dynamodb.keys import key_attributes
from commonroom.store.dynamodb.refusals import refusal
from commonroom.store.dynamodb.terms import Terms
from commonroom.store.dynamodb.visibility import visibility
from commonroom.store.engine import Operation
from commonroom.store.errors import ConditionFailed, StoreError, WrongType


async def write(connection: Connection, operations: Sequence[Operation], now: float) -> None:
    """All operations or none."""
    first = operations[0]
    if len(operations) == 1 and first.condition is None and first.kind in ("put", "delete"):
        # Done twice it is the same as done once, so it needs no transaction, at twice the price.
        await connection.send(*_alone(connection, first))
        return
    payload = {
        "TransactItems": [transact_item(connection, operation, now) for operation in operations],
        # DynamoDB knows a repeated request by this: a retry after a time-out is no second write.
        "ClientRequestToken": uuid.uuid4().hex,
    }
    try:
        await connection.send("TransactWriteItems", payload)
    except Cancelled as cancelled:
        raise _error(cancelled.reasons, operations, now) from None


def transact_item(connection: Connection, operation: Operation, now: float) -> Payload:
    """One operation as a transaction holds it."""
    table = operation.table
    terms = Terms()
    body: Payload = {"TableName": connection.settings.physical(table)}
    kind = _fill(body, operation, terms)
    condition = all_of(operation.condition, *needed_maps(operation.actions))
    if condition is not None:
        body["ConditionExpression"] = condition_expression(table, condition, terms, now)
        body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    elif kind == "ConditionCheck":
        body["ConditionExpression"] = always(table, terms)
    terms.fill(body)
    return {kind: body}


def _fill(body: Payload, operation: Operation, terms: Terms) -> str:
    """What the operation does, and DynamoDB's name for it."""
    if operation.kind == "put":
        body["Item"] = to_attributes(operation.item)
        return "Put"
    body["Key"] = key_attributes(operation.table, operation.key)
    if operation.kind == "delete":
        return "Delete"
    if expression := update_expression(operation.actions, terms):
        body["UpdateExpression"] = expression
        return "Update"
    # A check, or an update that changes nothing: only its condition is left.
    return "ConditionCheck"


def _alone(connection: Connection, operation: Operation) -> tuple[str, Payload]:
    body: Payload = {"TableName": connection.settings.physical(operation.table)}
    return f"{_fill(body, operation, Terms())}Item", body


def _error(
    reasons: list[dict[str, Any]], operations: Sequence[Operation], now: float
) -> StoreError:
    """The first reason that says something of the data, rather than of the moment, decides."""
    for index, reason in enumerate(reasons):
        code = code_of(reason)
        if code == "ConditionalCheckFailed":
            return _failed(index, operations[index], reason.get("Item"), now)
        if code != "None" and code not in PASSING:
            return refusal(str(reason.get("Message") or code))
    return refusal("the transaction was cancelled")


def _failed(index: int, operation: Operation, attributes: Any, now: float) -> StoreError:
    item = from_attributes(attributes) if attributes else None
    if item is not None and not visibility(operation.table, now).sees(item):
        item = None
    if operation.condition is None or operation.condition.holds(item):
        for one in needed_maps(operation.actions):
            if not one.holds(item):
                return WrongType(f"{one.name} is not a map, so it has no entries to change.")
    return ConditionFailed(index, item)

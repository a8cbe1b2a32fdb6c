"""Operations as a transaction holds them: as expressions, or computed here and swapped in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from commonroom.store.actions import result_of
from commonroom.store.conditions import all_of
from commonroom.store.dynamodb.connection import Connection, Payload
from commonroom.store.dynamodb.expressions import (
    Placeholders,
    adds_fractions,
    always_true,
    assignments,
    condition_expression,
    fits,
    key_attributes,
    required_maps,
    unchanged_expression,
    update_expression,
    whole_numbers,
)
from commonroom.store.dynamodb.reads import batch_get_attributes
from commonroom.store.dynamodb_json import Attributes, from_attributes, to_attributes
from commonroom.store.engine import WriteOperation
from commonroom.store.values import Item


def transact_item(connection: Connection, operation: WriteOperation, now: float) -> Payload:
    """Returns one operation by expressions, which DynamoDB applies to whatever is there then."""
    table, placeholders = operation.table, Placeholders()
    kind, body = _target(connection, operation)
    if expression := update_expression(operation.actions, placeholders):
        kind, body["UpdateExpression"] = "Update", expression
    condition = all_of(
        operation.condition, *required_maps(operation.actions), *whole_numbers(operation.actions)
    )
    if condition is not None:
        body["ConditionExpression"] = condition_expression(table, condition, placeholders, now)
        body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    elif kind == "ConditionCheck":
        body["ConditionExpression"] = always_true(table, placeholders)
    placeholders.fill(body)
    return {kind: body}


def _target(connection: Connection, operation: WriteOperation) -> tuple[str, Payload]:
    """DynamoDB's name for an operation, which is a check as long as it changes nothing."""
    table = operation.table
    body: Payload = {"TableName": connection.settings.table_name(table)}
    if operation.kind == "put":
        return "Put", body | {"Item": to_attributes(operation.item)}
    body["Key"] = key_attributes(table, operation.key)
    return "Delete" if operation.kind == "delete" else "ConditionCheck", body


def needs_swap(operation: WriteOperation, item: Payload) -> bool:
    """Whether DynamoDB would refuse an operation as it is, or add otherwise than we do."""
    (body,) = item.values()
    expressions = [body.get("UpdateExpression", ""), body.get("ConditionExpression", "")]
    return adds_fractions(operation.actions) or not all(map(fits, expressions))


@dataclass(frozen=True, slots=True)
class StoredItems:
    """What is under the keys of a write, and what its operations make of it."""

    connection: Connection
    operations: Sequence[WriteOperation]
    before: Sequence[Attributes | None]
    after: Sequence[Item | None]
    now: float

    @classmethod
    async def read(
        cls, connection: Connection, operations: Sequence[WriteOperation], now: float
    ) -> Self:
        """Reads them all and does here what the operations would do, in order.

        So the first that fails is told, whichever way it would have been written.
        """
        found = await batch_get_attributes(connection, [(one.table, one.key) for one in operations])
        before: list[Attributes | None] = []
        after: list[Item | None] = []
        for index, (operation, attributes) in enumerate(zip(operations, found, strict=True)):
            item = None if attributes is None else from_attributes(attributes)
            visible = None if item is None or operation.table.is_expired(item, now) else item
            before.append(None if visible is None else attributes)
            after.append(result_of(index, operation, visible))
        return cls(connection, operations, before, after, now)

    def swap(self, index: int) -> Payload:
        """An operation computed here, on condition that what it was computed from is unchanged."""
        operation, after = self.operations[index], self.after[index]
        placeholders = Placeholders()
        kind, body = _target(self.connection, operation)
        names = {action.name for action in operation.actions}
        if names and after is not None:
            kind, body["UpdateExpression"] = "Update", assignments(names, after, placeholders)
        if operation.condition is not None:
            names.update(operation.condition.names())
        body["ConditionExpression"] = unchanged_expression(
            operation.table, names, self.before[index], placeholders, self.now
        )
        body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        placeholders.fill(body)
        return {kind: body}

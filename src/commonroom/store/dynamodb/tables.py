"""Creating tables, and finding out which are there."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.store.declare.table import Index, Table
from commonroom.store.dynamodb.connection import Connection, Payload
from commonroom.store.dynamodb.definitions import creation, definition, index_addition
from commonroom.store.dynamodb.parallel import each
from commonroom.store.dynamodb.patience import Patience
from commonroom.store.errors import Refused, Unavailable

AT_ONCE = 10


async def missing_tables(connection: Connection, tables: Sequence[Table]) -> list[str]:
    """Which of these tables are not there, or not with every index that is declared."""
    return [table.name for table, _ in await _incomplete(connection, tables)]


async def create_tables(connection: Connection, tables: Sequence[Table]) -> list[str]:
    """Creates what is missing and says in which tables; what is there is never changed.

    A new table is complete with TTL and recovery. A table of an earlier version gets its new
    indexes, which DynamoDB fills by itself.
    """
    incomplete = await _incomplete(connection, tables)
    await each(AT_ONCE, lambda one: _complete(connection, *one), incomplete)
    return [table.name for table, _ in incomplete]


async def _incomplete(
    connection: Connection, tables: Sequence[Table]
) -> list[tuple[Table, Payload]]:
    """Tables that lack something, each with what DynamoDB says of it."""
    there = await each(AT_ONCE, lambda table: describe(connection, table), tables)
    return [
        (table, found)
        for table, found in zip(tables, there, strict=True)
        if not found or _missing_indexes(table, found)
    ]


async def describe(connection: Connection, table: Table) -> Payload:
    """What DynamoDB says of a table; empty where there is none."""
    answer = await connection.send(
        "DescribeTable",
        {"TableName": connection.settings.physical(table)},
        excused={"ResourceNotFoundException"},
    )
    found: Payload = answer.get("Table", {})
    return found


def _missing_indexes(table: Table, found: Payload) -> list[Index]:
    there = {one["IndexName"] for one in found.get("GlobalSecondaryIndexes", ())}
    return [index for index in table.indexes if index.name not in there]


async def _complete(connection: Connection, table: Table, found: Payload) -> None:
    if not found:
        await _create(connection, table)
        return
    for index in _missing_indexes(table, found):  # DynamoDB takes one at a time
        await connection.send(
            "UpdateTable",
            index_addition(table, index, connection.settings.physical(table)),
            # Another process at the same moment.
            excused={"ResourceInUseException"},
        )
        await _until_active(connection, table)


async def _create(connection: Connection, table: Table) -> None:
    # In use: an attempt of ours that went unanswered, or another process at the same moment.
    await connection.send(
        "CreateTable",
        creation(table, connection.settings.physical(table)),
        excused={"ResourceInUseException"},
    )
    await _until_active(connection, table)
    await _keep_recoverable(connection, table)
    await _let_expire(connection, table)


async def _until_active(connection: Connection, table: Table) -> None:
    patience = Patience(connection.settings.creation_seconds)
    while not await _is_active(connection, table):
        if not await patience.pause():
            name = connection.settings.physical(table)
            raise Unavailable(f"The new table {name} does not become active.")


async def _is_active(connection: Connection, table: Table) -> bool:
    found = await describe(connection, table)
    indexes = found.get("GlobalSecondaryIndexes", ())
    # An index that is being filled is not yet to be asked.
    return found.get("TableStatus") == "ACTIVE" and all(
        one.get("IndexStatus") == "ACTIVE" for one in indexes
    )


async def _keep_recoverable(connection: Connection, table: Table) -> None:
    # DynamoDB Local does not know of backups.
    await connection.send(
        "UpdateContinuousBackups",
        {
            "TableName": connection.settings.physical(table),
            "PointInTimeRecoverySpecification": definition(table)[
                "PointInTimeRecoverySpecification"
            ],
        },
        excused={"UnknownOperationException"},
    )


async def _let_expire(connection: Connection, table: Table) -> None:
    if table.ttl is None:
        return
    try:
        await connection.send(
            "UpdateTimeToLive",
            {
                "TableName": connection.settings.physical(table),
                "TimeToLiveSpecification": definition(table)["TimeToLiveSpecification"],
            },
        )
    except Refused as refused:
        if "already enabled" not in refused.detail:
            raise

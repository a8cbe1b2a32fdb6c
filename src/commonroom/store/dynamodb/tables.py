"""Creating tables, and finding out which are there."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.connection import Connection, Payload
from commonroom.store.dynamodb.definitions import creation, definition
from commonroom.store.dynamodb.parallel import each
from commonroom.store.dynamodb.patience import Patience
from commonroom.store.errors import Refused, Unavailable

AT_ONCE = 10


async def missing_tables(connection: Connection, tables: Sequence[Table]) -> list[str]:
    """Which of these tables are not there."""
    there = await each(AT_ONCE, lambda table: _status(connection, table), tables)
    return [table.name for table, status in zip(tables, there, strict=True) if status is None]


async def create_tables(connection: Connection, tables: Sequence[Table]) -> list[str]:
    """Creates what is missing, each complete with TTL and recovery, and says what it created."""
    missing = await missing_tables(connection, tables)
    wanted = [table for table in tables if table.name in missing]
    await each(AT_ONCE, lambda table: _create(connection, table), wanted)
    return missing


async def describe(connection: Connection, table: Table) -> Payload:
    """What DynamoDB says of a table; empty where there is none."""
    answer = await connection.send(
        "DescribeTable",
        {"TableName": connection.settings.physical(table)},
        excused={"ResourceNotFoundException"},
    )
    found: Payload = answer.get("Table", {})
    return found


async def _status(connection: Connection, table: Table) -> str | None:
    return (await describe(connection, table)).get("TableStatus")


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
    while await _status(connection, table) != "ACTIVE":
        if not await patience.pause():
            name = connection.settings.physical(table)
            raise Unavailable(f"The new table {name} does not become active.")


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

"""Table creation, and which tables and indexes are missing."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.concurrency import gather_each
from commonroom.store.declare.table import Index, Table
from commonroom.store.dynamodb.connection import Backoff, Connection, Payload
from commonroom.store.dynamodb.schema import (
    add_index_request,
    create_table_request,
    table_definition,
)
from commonroom.store.errors import Refused, Unavailable

CONCURRENT_TABLES = 10


async def missing_tables(connection: Connection, tables: Sequence[Table]) -> list[str]:
    """Which of these tables are not there, or not with every index that is declared."""
    return [table.name for table, _ in await _find_incomplete(connection, tables)]


async def create_tables(connection: Connection, tables: Sequence[Table]) -> list[str]:
    """Creates what is missing and says in which tables; what is there is never changed.

    A new table is complete with TTL and recovery. A table of an earlier version gets its new
    indexes, which DynamoDB fills by itself.
    """
    incomplete = await _find_incomplete(connection, tables)
    await gather_each(lambda one: _complete(connection, *one), incomplete, limit=CONCURRENT_TABLES)
    return [table.name for table, _ in incomplete]


async def _find_incomplete(
    connection: Connection, tables: Sequence[Table]
) -> list[tuple[Table, Payload]]:
    """Tables that lack something, each with what DynamoDB says of it."""
    there = await gather_each(
        lambda table: describe_table(connection, table), tables, limit=CONCURRENT_TABLES
    )
    return [
        (table, found)
        for table, found in zip(tables, there, strict=True)
        if not found or _missing_indexes(table, found)
    ]


async def describe_table(connection: Connection, table: Table) -> Payload:
    """What DynamoDB says of a table; empty where there is none."""
    answer = await connection.send(
        "DescribeTable",
        {"TableName": connection.settings.table_name(table)},
        ignore={"ResourceNotFoundException"},
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
            add_index_request(table, index, connection.settings.table_name(table)),
            # Another process at the same moment.
            ignore={"ResourceInUseException"},
        )
        await _wait_until_active(connection, table)


async def _create(connection: Connection, table: Table) -> None:
    # In use: an attempt of ours that went unanswered, or another process at the same moment.
    await connection.send(
        "CreateTable",
        create_table_request(table, connection.settings.table_name(table)),
        ignore={"ResourceInUseException"},
    )
    await _wait_until_active(connection, table)
    await _enable_recovery(connection, table)
    await _enable_ttl(connection, table)


async def _wait_until_active(connection: Connection, table: Table) -> None:
    backoff = Backoff(connection.settings.creation_seconds)
    while not await _is_active(connection, table):
        if not await backoff.wait():
            name = connection.settings.table_name(table)
            raise Unavailable(f"The new table {name} does not become active.")


async def _is_active(connection: Connection, table: Table) -> bool:
    found = await describe_table(connection, table)
    indexes = found.get("GlobalSecondaryIndexes", ())
    # An index that is being filled is not yet to be asked.
    return found.get("TableStatus") == "ACTIVE" and all(
        one.get("IndexStatus") == "ACTIVE" for one in indexes
    )


async def _enable_recovery(connection: Connection, table: Table) -> None:
    # DynamoDB Local does not know of backups.
    await connection.send(
        "UpdateContinuousBackups",
        {
            "TableName": connection.settings.table_name(table),
            "PointInTimeRecoverySpecification": table_definition(table)[
                "PointInTimeRecoverySpecification"
            ],
        },
        ignore={"UnknownOperationException"},
    )


async def _enable_ttl(connection: Connection, table: Table) -> None:
    if table.ttl is None:
        return
    try:
        await connection.send(
            "UpdateTimeToLive",
            {
                "TableName": connection.settings.table_name(table),
                "TimeToLiveSpecification": table_definition(table)["TimeToLiveSpecification"],
            },
        )
    except Refused as refused:
        if "already enabled" not in refused.detail:
            raise

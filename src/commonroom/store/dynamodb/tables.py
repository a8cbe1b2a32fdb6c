"""Table creation, upgrades of tables that are there, and which tables and indexes are missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from commonroom.concurrency import gather_each
from commonroom.store.declare.table import Index, Table
from commonroom.store.dynamodb.connection import Backoff, Connection, Payload
from commonroom.store.dynamodb.schema import (
    add_index_request,
    create_table_request,
    delete_index_request,
    index_definition,
    key_schema,
    stream_request,
    table_definition,
)
from commonroom.store.engine import TableReport
from commonroom.store.errors import NotAdditive, Refused, Unavailable

CONCURRENT_TABLES = 10


async def examine_tables(connection: Connection, tables: Sequence[Table]) -> TableReport:
    """Which of these tables are not there with every index, and which indexes are not ready."""
    there = await _describe_all(connection, tables)
    return TableReport(
        missing=[one.name for one, found in there if _lacks_something(one, found)],
        unready=[
            (table.name, index.name)
            for table, found in there
            for index in table.indexes
            if _is_there(index, found) and not _is_ready(index, found)
        ],
        counts={table.name: found.get("ItemCount", 0) for table, found in there},
    )


async def create_tables(connection: Connection, tables: Sequence[Table]) -> list[str]:
    """Creates what is missing and says in which tables; what is there is never changed.

    A new table is complete with TTL and recovery. A table of an earlier version gets its new
    indexes, which DynamoDB fills by itself, and its stream.
    """
    incomplete = await _find_incomplete(connection, tables)
    await gather_each(lambda one: _complete(connection, *one), incomplete, limit=CONCURRENT_TABLES)
    return [table.name for table, _ in incomplete]


async def upgrade_tables(
    connection: Connection, tables: Sequence[Table], report: Callable[[str], None]
) -> None:
    """Creates what is missing and changes what is otherwise, as far as no item is lost by it.

    What is no longer declared is left: servers of an earlier version may still ask for it. An
    interrupted run begins again and finds what is done.
    """
    for table, found in await _describe_all(connection, tables):
        if found:
            await _upgrade(connection, table, report)
        else:
            report(f"Creating the table {table.name}.")
            await _create(connection, table)


async def _upgrade(connection: Connection, table: Table, report: Callable[[str], None]) -> None:
    name = connection.settings.table_name(table)
    # DynamoDB changes one thing of a table at a time; one may be left from an interrupted upgrade.
    found = await _wait_until_active(connection, table, inf)
    for index in table.indexes:
        if _is_ready(index, found):
            continue
        report(f"Making the index {index.name} of {table.name}; large tables take hours.")
        if _is_there(index, found):
            await _update(connection, delete_index_request(index, name))
            await _wait_until_active(connection, table, inf)
        await _update(connection, add_index_request(index, name))
        found = await _wait_until_active(connection, table, inf)
    if _lacks_stream(table, found):
        report(f"Switching the stream of {table.name} on.")
        await _update(connection, stream_request(name))
        await _wait_until_active(connection, table, inf)
    # A table that was restored to an earlier moment has lost both.
    await _enable_ttl(connection, table)
    await _enable_recovery(connection, table)
    declared = {index.name for index in table.indexes}
    for one in found.get("GlobalSecondaryIndexes", ()):
        if one["IndexName"] not in declared:
            report(
                f"The index {one['IndexName']} of {table.name} is no longer used. Delete it when "
                "no server of an earlier version is left."
            )


async def _update(connection: Connection, request: Payload) -> None:
    # In use, or there already: another process at the same moment.
    await connection.send("UpdateTable", request, ignore={"ResourceInUseException"})


async def _find_incomplete(
    connection: Connection, tables: Sequence[Table]
) -> list[tuple[Table, Payload]]:
    """Tables that lack something, each with what DynamoDB says of it."""
    return [
        (table, found)
        for table, found in await _describe_all(connection, tables)
        if _lacks_something(table, found)
    ]


async def _describe_all(
    connection: Connection, tables: Sequence[Table]
) -> list[tuple[Table, Payload]]:
    """What DynamoDB says of each table; refuses one that has another key than is declared."""
    there = await gather_each(
        lambda table: describe_table(connection, table), tables, limit=CONCURRENT_TABLES
    )
    for table, found in zip(tables, there, strict=True):
        if found and "KeySchema" in found and found["KeySchema"] != key_schema(table.key):
            raise NotAdditive(
                f"The table {found['TableName']} has another primary key than is declared. Export "
                "everything with the version that made it, and import that into new tables."
            )
    return list(zip(tables, there, strict=True))


async def describe_table(connection: Connection, table: Table) -> Payload:
    """Returns what DynamoDB says of a table; empty where there is none."""
    answer = await connection.send(
        "DescribeTable",
        {"TableName": connection.settings.table_name(table)},
        ignore={"ResourceNotFoundException"},
    )
    found: Payload = answer.get("Table", {})
    return found


def _lacks_something(table: Table, found: Payload) -> bool:
    return not found or bool(_missing_indexes(table, found)) or _lacks_stream(table, found)


def _lacks_stream(table: Table, found: Payload) -> bool:
    return table.stream and not found.get("StreamSpecification", {}).get("StreamEnabled")


def _missing_indexes(table: Table, found: Payload) -> list[Index]:
    return [index for index in table.indexes if not _is_there(index, found)]


def _is_there(index: Index, found: Payload) -> bool:
    return bool(_found_index(index, found))


def _is_ready(index: Index, found: Payload) -> bool:
    """Whether an index can be asked, and is as it is declared."""
    there = _found_index(index, found)
    wanted = index_definition(index)
    return there.get("IndexStatus") == "ACTIVE" and all(
        there.get(part) == wanted[part] for part in wanted
    )


def _found_index(index: Index, found: Payload) -> Payload:
    for one in found.get("GlobalSecondaryIndexes", ()):
        if one["IndexName"] == index.name:
            there: Payload = one
            return there
    return {}


async def _complete(connection: Connection, table: Table, found: Payload) -> None:
    if not found:
        await _create(connection, table)
        return
    for index in _missing_indexes(table, found):  # DynamoDB takes one at a time
        await connection.send(
            "UpdateTable",
            add_index_request(index, connection.settings.table_name(table)),
            # Another process at the same moment.
            ignore={"ResourceInUseException"},
        )
        await _wait_until_active(connection, table)
    if _lacks_stream(table, found):
        await _update(connection, stream_request(connection.settings.table_name(table)))
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


async def _wait_until_active(
    connection: Connection, table: Table, seconds: float | None = None
) -> Payload:
    """Returns what DynamoDB says of a table as soon as nothing of it is being made any more."""
    backoff = Backoff(connection.settings.creation_seconds if seconds is None else seconds)
    while not _is_active(found := await describe_table(connection, table)):
        if not await backoff.wait():
            name = connection.settings.table_name(table)
            raise Unavailable(f"The new table {name} does not become active.")
    return found


def _is_active(found: Payload) -> bool:
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

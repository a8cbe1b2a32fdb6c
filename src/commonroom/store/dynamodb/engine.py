"""The engine on DynamoDB."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar
from uuid import uuid4

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb import reads, writes
from commonroom.store.dynamodb.connection import Connection, DynamoSettings
from commonroom.store.dynamodb.streams import Streams
from commonroom.store.dynamodb.tables import create_tables, examine_tables, upgrade_tables
from commonroom.store.engine import (
    Changes,
    Clock,
    ItemDecoder,
    Query,
    Rows,
    Shard,
    TableReport,
    Wanted,
    WriteOperation,
)
from commonroom.store.errors import NotSupported, Refused
from commonroom.store.upgrades.incomplete import Incomplete
from commonroom.store.values import Item, Key

T = TypeVar("T")


class DynamoEngine:
    """Everything in DynamoDB, or in what speaks its language and has its transactions."""

    name = "dynamodb"
    retention_seconds = 24 * 3600.0
    trims_streams = False

    def __init__(self, connection: Connection, clock: Clock = time.time) -> None:
        self.incomplete = Incomplete()
        self._connection = connection
        self._clock = clock
        self._streams = Streams(connection)
        self._changed = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def get(self, table: Table, key: Key, decoder: ItemDecoder[T]) -> T | None:
        """Returns one item by its primary key, read consistently."""
        return await reads.get(self._connection, table, key, decoder, self._clock())

    async def batch_get(self, wanted: Sequence[tuple[Table, Key]]) -> list[Item | None]:
        """Up to 100 items, in the order asked, each read consistently."""
        return await reads.batch_get(self._connection, wanted, self._clock())

    async def batch_get_decoded(self, wanted: Sequence[Wanted]) -> list[Any]:
        """Many things by their primary keys, in the order asked."""
        return await reads.batch_get_decoded(self._connection, wanted, self._clock())

    async def query(self, query: Query, decoder: ItemDecoder[T]) -> Rows[T]:
        """Returns one page of a partition; of a table consistently, of an index not."""
        if self.incomplete.kinds and query.index is not None:
            self.incomplete.check(query.table, query.index, decoder.kinds)
        return await reads.query(self._connection, query, decoder, self._clock())

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """Returns one page of everything."""
        return await reads.scan(self._connection, table, limit, start, self._clock())

    def change_number(self) -> None:
        """None: DynamoDB does not number what happens to all of its tables."""

    def streams_with_news(self, since: int | None) -> None:
        """None: each stream has to be read."""

    async def write(self, operations: Sequence[WriteOperation]) -> None:
        """All operations or none."""
        await writes.write(self._connection, operations, self._clock())
        if any(operation.table.stream for operation in operations):
            self._wake()

    async def load(self, table: Table, items: Sequence[Item]) -> None:
        """Puts many items at once, in batches."""
        await writes.load(self._connection, table, items)

    async def create_tables(self, tables: Sequence[Table]) -> list[str]:
        """Creates what is missing and waits until it can be used."""
        return await create_tables(self._connection, tables)

    async def missing_tables(self, tables: Sequence[Table]) -> list[str]:
        """Returns which of these tables are not there, or lack an index."""
        return (await examine_tables(self._connection, tables)).missing

    async def examine_tables(self, tables: Sequence[Table]) -> TableReport:
        """Whether these tables and their indexes are there and can be asked."""
        return await examine_tables(self._connection, tables)

    async def upgrade_tables(self, tables: Sequence[Table], report: Callable[[str], None]) -> None:
        """Makes every additive change of tables and waits for it, however long it takes."""
        await upgrade_tables(self._connection, tables, report)

    async def sweep(self, limit: int) -> int:  # noqa: ARG002 - there is nothing to limit
        """Nothing: DynamoDB deletes what has expired by itself."""
        return 0

    async def trim(self, table: Table, shard: str, seen: Sequence[str]) -> None:
        """Nothing: DynamoDB keeps its streams for a day, and lets nobody change them."""

    async def reclaim_space(self) -> None:
        """Nothing: there is no file."""

    async def shards(self, table: Table) -> list[Shard]:
        """Returns the parts of a table's stream, parents before children."""
        return await self._streams.shards(table)

    async def changes(self, table: Table, shard: str, after: str | None, limit: int) -> Changes:
        """Records of a shard after a position."""
        return await self._streams.changes(table, shard, after, limit)

    async def wait_for_changes(self, seconds: float, seen: int | None = None) -> None:  # noqa: ARG002 - it has no change numbers
        """Returns at once after a write of this process; of others' DynamoDB tells nobody."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    def new_worker_name(self) -> str:
        """Returns a name that nobody else has."""
        return uuid4().hex

    def has_worker_ended(self, worker: str) -> bool:  # noqa: ARG002 - on whichever machine it is
        """False: nobody can tell."""
        return False

    async def close(self) -> None:
        """Lets go of all connections."""
        await self._streams.close()
        await self._connection.close()

    def _wake(self) -> None:
        """Wakes those who wait now; later ones wait for the next change."""
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()


async def connect(settings: DynamoSettings, clock: Clock = time.time) -> DynamoEngine:
    """Returns an engine whose credentials are there and whose endpoint has what it takes."""
    connection = Connection(settings)
    try:
        await _check_transactions(connection)
    except BaseException:
        await connection.close()
        raise
    return DynamoEngine(connection, clock)


async def _check_transactions(connection: Connection) -> None:
    """Asks for an empty transaction, which a server that has transactions refuses."""
    settings = connection.settings
    try:
        await connection.send(
            "TransactWriteItems", {"TransactItems": []}, seconds=settings.connect_seconds
        )
    except Refused:
        return
    except NotSupported:
        pass
    raise NotSupported(
        f"{settings.address} has no transactions, which Commonroom cannot do without; "
        "DynamoDB and DynamoDB Local have them."
    )

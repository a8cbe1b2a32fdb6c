"""The embedded engine: one SQLite file, in process, durable, shared by several processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

import apsw

from commonroom.store.declare.fingerprint import Fingerprint
from commonroom.store.declare.table import Table
from commonroom.store.embedded import disk_space, streams
from commonroom.store.embedded.change_watch import ChangeWatch
from commonroom.store.embedded.checksums import add_checksums
from commonroom.store.embedded.data_file import Durability, check_integrity, connect, file_errors
from commonroom.store.embedded.migrations import check_states, migrate, missing_tables
from commonroom.store.embedded.reads import Reader
from commonroom.store.embedded.schema import TableSql
from commonroom.store.embedded.worker_locks import WorkerLocks
from commonroom.store.embedded.write_queue import WriteQueue, call_in_loop
from commonroom.store.embedded.writes import Tables, WriteTransaction
from commonroom.store.engine import (
    Changes,
    Clock,
    ItemDecoder,
    Query,
    Rows,
    Shard,
    StreamNews,
    TableReport,
    Wanted,
    WriteOperation,
)
from commonroom.store.limits import check_loaded_item
from commonroom.store.upgrades.incomplete import Incomplete
from commonroom.store.upgrades.tables import upgrades
from commonroom.store.values import Item, Key

T = TypeVar("T")

LOG_PAGES = 4000
"""How long the log may grow, 16 MB, until a commit copies it back into the file.

That takes several times as long as the commit; a page that was written often is copied once.
"""


class EmbeddedEngine:
    """Everything in one file."""

    name = "embedded"
    is_writable = True
    retention_seconds = streams.KEPT_SECONDS
    trims_streams = True

    def __init__(
        self,
        path: Path,
        tables: Sequence[Table],
        *,
        durability: Durability = "FULL",
        clock: Clock = time.time,
        baseline: Mapping[str, Fingerprint] | None = None,
    ) -> None:
        self.path = path
        self.incomplete = Incomplete()
        self._clock = clock
        # In every file: it says what the others are complete for.
        every = dict.fromkeys([*tables, upgrades])
        self._tables = Tables({table.name: TableSql(table) for table in every})
        writing = connect(path, durability)
        writing.pragma("wal_autocheckpoint", LOG_PAGES)
        add_checksums(writing)
        disk_space.enable_incremental_vacuum(writing)
        migration = migrate(writing, list(self._tables.values()), baseline)
        self._created = migration.created
        self.incomplete.update(every, migration.states)
        self._seen = writing.pragma("data_version")
        self._transaction: WriteTransaction | None = None
        """Of the commit that is being made, and was checked: nobody else can write meanwhile."""
        self._reading = connect(path, durability)
        self._reader = Reader(path, self._reading, self._tables, clock)
        self._watch = ChangeWatch(self._reader.change_number)
        self._queue = WriteQueue(path, writing, self._after_commit)
        self._worker_locks = WorkerLocks(path)

    async def get(self, table: Table, key: Key, decoder: ItemDecoder[T]) -> T | None:
        """Returns one item by its primary key."""
        return self._reader.get(table, key, decoder)

    async def batch_get(self, wanted: Sequence[tuple[Table, Key]]) -> list[Item | None]:
        """Several items in the order asked, of one moment."""
        return self._reader.batch(wanted)

    async def batch_get_decoded(self, wanted: Sequence[Wanted]) -> list[Any]:
        """Several things in the order asked, of one moment."""
        return self._reader.batch_decoded(wanted)

    async def query(self, query: Query, decoder: ItemDecoder[T]) -> Rows[T]:
        """Returns one page of a partition."""
        if self.incomplete.kinds and query.index is not None:
            self.incomplete.check(query.table, query.index, decoder.kinds)
        return self._reader.query(query, decoder)

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """Returns one page of everything."""
        return self._reader.scan(table, limit, start)

    def change_number(self) -> int:
        """Another number after every commit to the file, of any process."""
        return self._reader.change_number()

    def streams_with_news(self, since: int | None) -> StreamNews:
        """Which streams have records beyond a place in all of them: one look at the file."""
        return self._reader.streams_with_news(since)

    async def write(self, operations: Sequence[WriteOperation]) -> None:
        """All operations or none, durable when it returns."""

        def work(connection: apsw.Connection) -> None:
            self._begin(connection).apply(operations)

        # One operation is refused before it writes anything, so only several need a savepoint.
        await self._queue.run(work, savepoint=len(operations) > 1)

    async def load(self, table: Table, items: Sequence[Item]) -> None:
        """Puts many items in one commit."""

        def work(connection: apsw.Connection) -> None:
            transaction = self._begin(connection)
            sql = self._tables[table.name]
            for item in items:
                check_loaded_item(table, item)
                key = table.key_of(item)
                before = transaction.stored(sql, key, even_damaged=True)
                transaction.put(sql, key, before, item)

        await self._queue.run(work)

    def _begin(self, connection: apsw.Connection) -> WriteTransaction:
        """Begins to write, unless another process has upgraded the file: it would be spoilt."""
        if self._transaction is None:
            seen = connection.pragma("data_version")  # another one after others have written
            if seen != self._seen:
                check_states(connection, self._tables.values())
            self._seen = seen
            self._transaction = WriteTransaction(connection, self._tables, self._clock())
        return self._transaction

    async def create_tables(self, tables: Sequence[Table]) -> list[str]:
        """Says once which of these were made when the file was opened, which is when they are."""
        made = [table.name for table in tables if table.name in self._created]
        self._created = [name for name in self._created if name not in made]
        return made

    async def missing_tables(self, tables: Sequence[Table]) -> list[str]:
        """Returns which of these tables the file does not have."""
        with file_errors(self.path):
            return missing_tables(self._reading, [TableSql(table) for table in tables])

    async def examine_tables(self, tables: Sequence[Table]) -> TableReport:
        """Returns which of these tables are missing; an index is there as soon as its table is."""
        return TableReport(await self.missing_tables(tables), [])

    async def upgrade_tables(self, tables: Sequence[Table], _: Callable[[str], None]) -> None:
        """Nothing: opening the file has done it."""

    async def sweep(self, limit: int) -> int:
        """Deletes what has expired."""
        return await self._queue.run(
            lambda connection: streams.sweep(connection, self._tables, self._clock(), limit)
        )

    async def trim(self, table: Table, shard: str, seen: Sequence[str]) -> None:
        """Deletes the records that everybody has seen."""
        upto = min(map(int, seen))
        with file_errors(self.path):
            found = streams.has_records(self._reading, table, shard, upto)
        if found:
            await self._queue.run(lambda connection: streams.trim(connection, table, shard, upto))

    async def reclaim_space(self) -> None:
        """Frees unused space, and leaves nothing readable that was deleted."""

        def run() -> None:
            with (
                file_errors(self.path),
                closing(connect(self.path, create=False)) as connection,
                suppress(apsw.BusyError),  # others write for long; the next time, then
            ):
                disk_space.reclaim_space(connection, self.path, self._clock())

        await asyncio.to_thread(run)

    async def shards(self, table: Table) -> list[Shard]:
        """Returns the parts of a table's stream."""
        return streams.shards(table)

    async def changes(self, table: Table, shard: str, after: str | None, limit: int) -> Changes:
        """Records of a shard after a position."""
        return self._reader.changes(table, shard, after, limit)

    async def wait_for_changes(self, seconds: float, seen: int | None = None) -> None:
        """Returns at once after a write of this process, and soon after another's."""
        await self._watch.wait(seconds, seen)

    async def check_integrity(self) -> None:
        """Reads the whole file, in a thread of its own, and refuses it where it is damaged."""

        def check() -> None:
            with closing(connect(self.path, create=False)) as connection:
                check_integrity(connection, self.path)

        await asyncio.to_thread(check)

    def new_worker_name(self) -> str:
        """Returns the name of a new worker, whose lock the system frees when this process ends."""
        return self._worker_locks.take()

    def has_worker_ended(self, worker: str) -> bool:
        """Whether a worker's lock is free."""
        return self._worker_locks.has_ended(worker)

    async def close(self) -> None:
        """Finishes what waits to be written, then lets go of the file."""
        await asyncio.to_thread(self._queue.close)
        self._worker_locks.close()
        self._reading.close()

    def _after_commit(self) -> None:
        self._transaction = None
        if self._watch.loop is not None:
            call_in_loop(self._watch.loop, self._watch.look)

"""The embedded engine: one SQLite file, in process, durable, shared by several processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import apsw

from commonroom.store.declare.table import Table
from commonroom.store.embedded import space, stream
from commonroom.store.embedded.apply import Apply, Tables
from commonroom.store.embedded.files import Durability, check_integrity, connect
from commonroom.store.embedded.migrate import migrate, missing
from commonroom.store.embedded.reads import Reads
from commonroom.store.embedded.schema import TableSql
from commonroom.store.embedded.writer import Writer, tell
from commonroom.store.engine import Changes, Clock, Operation, Query, Rows, Shape, Shard
from commonroom.store.limits import check_whole
from commonroom.store.values import Item, Key

T = TypeVar("T")

OTHERS_SECONDS = 0.5
"""How often to look for what other processes wrote; what this one wrote is known at once."""


class EmbeddedEngine:
    """Everything in one file."""

    name = "embedded"

    def __init__(
        self,
        path: Path,
        tables: Sequence[Table],
        *,
        durability: Durability = "FULL",
        clock: Clock = time.time,
    ) -> None:
        self.path = path
        self._clock = clock
        self._tables = Tables({table.name: TableSql(table) for table in tables})
        self._changed = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        writing = connect(path, durability)
        space.make_incremental(writing)
        self._created = migrate(writing, self._tables.values())
        self._reading = connect(path, durability)
        self._reads = Reads(path, self._reading, self._tables, clock)
        self._writer = Writer(path, writing, self._after_commit)

    async def get(self, table: Table, key: Key, shape: Shape[T]) -> T | None:
        """One item by its primary key."""
        return self._reads.get(table, key, shape)

    async def batch_get(self, wanted: Sequence[tuple[Table, Key]]) -> list[Item | None]:
        """Several items in the order asked, of one moment."""
        return self._reads.batch(wanted)

    async def query(self, query: Query, shape: Shape[T]) -> Rows[T]:
        """One page of a partition."""
        return self._reads.query(query, shape)

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """One page of everything."""
        return self._reads.scan(table, limit, start)

    def change_number(self) -> int:
        """Another number after every commit to the file, of any process."""
        return self._reads.change_number()

    async def write(self, operations: Sequence[Operation]) -> None:
        """All operations or none, durable when it returns."""

        def work(connection: apsw.Connection) -> None:
            Apply(connection, self._tables, self._clock()).all(operations)

        # One operation is refused before it writes anything, so only several need a savepoint.
        await self._writer.do(work, savepoint=len(operations) > 1)

    async def load(self, table: Table, items: Sequence[Item]) -> None:
        """Puts many items in one commit."""
        names = [attribute.name for attribute in table.key]

        def work(connection: apsw.Connection) -> None:
            apply = Apply(connection, self._tables, self._clock())
            sql = self._tables[table.name]
            for item in items:
                check_whole(table, item)
                key = tuple(item[name] for name in names)
                apply.put(sql, key, apply.stored(sql, key), item)

        await self._writer.do(work)

    async def create_tables(self, tables: Sequence[Table]) -> list[str]:
        """Says once which of these were made when the file was opened, which is when they are."""
        made = [table.name for table in tables if table.name in self._created]
        self._created = [name for name in self._created if name not in made]
        return made

    async def missing_tables(self, tables: Sequence[Table]) -> list[str]:
        """Which of these tables the file does not have."""
        return missing(self._reading, [TableSql(table) for table in tables])

    async def sweep(self, limit: int) -> int:
        """Deletes what has expired."""
        return await self._writer.do(
            lambda connection: stream.sweep(connection, self._tables, self._clock(), limit)
        )

    async def trim(self, table: Table, shard: str, seen: Sequence[str]) -> None:
        """Deletes the records that everybody has seen."""
        upto = min(map(int, seen))
        if stream.has_seen(self._reading, table, shard, upto):
            await self._writer.do(lambda connection: stream.trim(connection, table, shard, upto))

    async def tidy(self) -> None:
        """Gives free space back, and leaves nothing readable that was deleted."""

        def run() -> None:
            connection = connect(self.path, create=False)
            try:
                space.tidy(connection, self.path, self._clock())
            except apsw.BusyError:
                return  # others write for long; the next time, then
            finally:
                connection.close()

        await asyncio.to_thread(run)

    async def shards(self, table: Table) -> list[Shard]:
        """The parts of a table's stream."""
        return stream.shards(table)

    async def changes(self, table: Table, shard: str, after: str | None, limit: int) -> Changes:
        """Records of a shard after a position."""
        return self._reads.changes(table, shard, after, limit)

    async def wait_for_changes(self, seconds: float) -> None:
        """Returns at once after a write of this process, and soon after another's."""
        self._loop = asyncio.get_running_loop()
        with suppress(TimeoutError):
            async with asyncio.timeout(min(seconds, OTHERS_SECONDS)):
                await self._changed.wait()

    async def check_integrity(self) -> None:
        """Reads the whole file, in a thread of its own, and refuses it where it is damaged."""

        def check() -> None:
            connection = connect(self.path, create=False)
            try:
                check_integrity(connection, self.path)
            finally:
                connection.close()

        await asyncio.to_thread(check)

    async def close(self) -> None:
        """Finishes what waits to be written, then lets go of the file."""
        await asyncio.to_thread(self._writer.close)
        self._reading.close()

    def _after_commit(self) -> None:
        if self._loop is not None:
            tell(self._loop, self._wake)

    def _wake(self) -> None:
        """Wakes whoever waits now; whoever comes later waits for the next change."""
        waiting, self._changed = self._changed, asyncio.Event()
        waiting.set()

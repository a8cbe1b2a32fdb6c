"""An engine that does what engines may do to us: all of it legal, none of it welcome.

Indexes lag behind, other writers get in the way, requests are throttled, answers get lost after the
write happened, and stream records come late or again. Every kind can be switched on by itself, and
the same seed does the same things in the same order.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Self, TypeVar

from commonroom.store.declare.table import Table
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import (
    ChangeRecord,
    Changes,
    Clock,
    Engine,
    ItemDecoder,
    Query,
    Rows,
    Shard,
    TableReport,
    Wanted,
    WriteOperation,
)
from commonroom.store.errors import Unavailable
from commonroom.store.limits import BATCH
from commonroom.store.values import Item, Key
from tests.support.competing_writers import raise_version
from tests.support.lagging_indexes import LaggingIndexes

T = TypeVar("T")

Rival = Callable[[Engine, Sequence[WriteOperation]], Awaitable[bool]]
"""Somebody who writes just before a conditional write does; says whether they wrote anything."""

REMEMBERED = 50


@dataclass(frozen=True, slots=True)
class Hostility:
    """How likely each bad thing is, whenever it can happen: from 0, never, to 1, always."""

    lag: int = 0
    """How many later operations it may take until indexes show a change."""
    conflicts: float = 0.0
    throttled_reads: float = 0.0
    throttled_writes: float = 0.0
    lost_answers: float = 0.0
    late_records: float = 0.0
    repeated_records: float = 0.0


EVERYTHING = Hostility(
    lag=6,
    conflicts=0.2,
    throttled_reads=0.1,
    throttled_writes=0.15,
    lost_answers=0.15,
    late_records=0.3,
    repeated_records=0.3,
)


@asynccontextmanager
async def hostile_file(
    folder: Path,
    tables: Sequence[Table],
    *,
    seed: int,
    hostility: Hostility = EVERYTHING,
    clock: Clock = time.time,
) -> AsyncIterator[HostileEngine]:
    """A hostile engine on a data file of its own, for tests of what is built on the store."""
    inner = EmbeddedEngine(folder / "data.db", tables, durability="OFF", clock=clock)
    engine = await HostileEngine.around(
        inner, tables, folder, seed=seed, hostility=hostility, clock=clock
    )
    try:
        yield engine
    finally:
        await engine.close()


class HostileEngine:
    """Any engine, made hostile. All who write must go through it: it does not see other writers."""

    def __init__(
        self,
        inner: Engine,
        *,
        seed: int,
        hostility: Hostility = EVERYTHING,
        rival: Rival = raise_version,
        shadow: Engine | None = None,
    ) -> None:
        self.name = inner.name
        self.incomplete = inner.incomplete
        self.retention_seconds = inner.retention_seconds
        self.trims_streams = inner.trims_streams
        self.inner = inner
        self.happened: Counter[str] = Counter()
        """How often each bad thing was done."""
        self._hostility = hostility
        self._rival = rival
        # One for each kind, so that switching one off does not change what the others do.
        self._chances = {kind: Random(f"{seed}/{kind}") for kind in Hostility.__slots__}
        self._indexes = (
            None if shadow is None else LaggingIndexes(shadow, self._chances["lag"], hostility.lag)
        )
        self._images = asyncio.Lock()
        self._delivered: defaultdict[tuple[str, str], list[ChangeRecord]] = defaultdict(list)

    @classmethod
    async def around(
        cls,
        inner: Engine,
        tables: Sequence[Table],
        folder: Path,
        *,
        seed: int,
        clock: Clock,
        hostility: Hostility = EVERYTHING,
        rival: Rival = raise_version,
    ) -> Self:
        """A hostile engine whose indexes lag, which takes a copy of the data beside it."""
        shadow = EmbeddedEngine(folder / "lagging.db", tables, durability="OFF", clock=clock)
        for table in tables:
            start: Item | None = None
            while True:
                rows = await inner.scan(table, limit=1000, start=start)
                await shadow.load(table, rows.items)
                start = rows.next
                if start is None:
                    break
        return cls(inner, seed=seed, hostility=hostility, rival=rival, shadow=shadow)

    async def settle(self) -> None:
        """Time enough for the indexes to show everything."""
        if self._indexes is not None:
            await self._indexes.catch_up()

    # Reading

    async def get(self, table: Table, key: Key, decoder: ItemDecoder[T]) -> T | None:
        """One item, or no answer."""
        await self._before_read()
        return await self.inner.get(table, key, decoder)

    async def batch_get(self, wanted: Sequence[tuple[Table, Key]]) -> list[Item | None]:
        """Several items, or no answer."""
        await self._before_read()
        return await self.inner.batch_get(wanted)

    async def batch_get_decoded(self, wanted: Sequence[Wanted]) -> list[Any]:
        """The same, decoded."""
        await self._before_read()
        return await self.inner.batch_get_decoded(wanted)

    async def query(self, query: Query, decoder: ItemDecoder[T]) -> Rows[T]:
        """A page; of an index, perhaps as it was a while ago."""
        await self._before_read()
        if query.index is None or self._indexes is None:
            return await self.inner.query(query, decoder)
        if self._indexes.behind:
            self.happened["lag"] += 1
        return await self._indexes.shadow.query(query, decoder)

    async def scan(self, table: Table, *, limit: int, start: Item | None = None) -> Rows[Item]:
        """A page of everything, or no answer."""
        await self._before_read()
        return await self.inner.scan(table, limit=limit, start=start)

    async def _before_read(self) -> None:
        await self._tick()
        if self._happens("throttled_reads"):
            raise Unavailable("Throttled: nothing was read.")

    # Writing

    async def write(self, operations: Sequence[WriteOperation]) -> None:
        """All or none, perhaps after somebody else's write, perhaps without saying so."""
        await self._tick()
        if self._happens("throttled_writes"):
            raise Unavailable("Throttled: nothing was written.")
        if any(operation.condition is not None for operation in operations):
            await self._let_rival_go_first(operations)
        await self.inner.write(operations)
        await self._changed([(one.table, one.key) for one in operations if one.kind != "check"])
        if self._happens("lost_answers"):
            raise Unavailable("No answer in time: nobody knows whether this was written.")

    async def load(self, table: Table, items: Sequence[Item]) -> None:
        """Puts many items."""
        await self._tick()
        await self.inner.load(table, items)
        names = [attribute.name for attribute in table.key]
        await self._changed([(table, tuple(item[name] for name in names)) for item in items])

    async def _let_rival_go_first(self, operations: Sequence[WriteOperation]) -> None:
        if not self._chance("conflicts"):
            return
        if await self._rival(self.inner, operations):
            self.happened["conflicts"] += 1
            await self._changed([(operation.table, operation.key) for operation in operations])

    async def _changed(self, places: Sequence[tuple[Table, Key]]) -> None:
        if self._indexes is None:
            return
        # One at a time, so that of two images of an item the later one is noted later.
        async with self._images:
            for first in range(0, len(places), BATCH):
                some = places[first : first + BATCH]
                for place, image in zip(some, await self.inner.batch_get(some), strict=True):
                    self._indexes.note(*place, image)

    # Streams

    async def shards(self, table: Table) -> list[Shard]:
        """The parts of a table's stream."""
        return await self.inner.shards(table)

    async def changes(self, table: Table, shard: str, after: str | None, limit: int) -> Changes:
        """Records in order, some of them later than they could come, some of them again."""
        found = await self.inner.changes(table, shard, after, limit)
        if found.records and self._happens("late_records"):
            kept = found.records[: self._chances["late_records"].randrange(len(found.records))]
            found = Changes(kept, kept[-1].position if kept else after, trimmed=found.trimmed)
        delivered = self._delivered[table.name, shard]
        again = self._again(delivered, after, limit - len(found.records))
        known = {record.position for record in delivered}
        delivered += [record for record in found.records if record.position not in known]
        # Several may read at several places; what comes again has come to each of them before.
        delivered.sort(key=lambda record: int(record.position))
        del delivered[:-REMEMBERED]
        return Changes([*again, *found.records], found.position, found.ended, found.trimmed)

    def _again(
        self, delivered: list[ChangeRecord], after: str | None, most: int
    ) -> list[ChangeRecord]:
        """The last few records up to a position, once more."""
        place = next((n for n, record in enumerate(delivered) if record.position == after), None)
        if place is None or most < 1 or not self._happens("repeated_records"):
            return []
        count = self._chances["repeated_records"].randint(1, min(most, place + 1))
        return delivered[place + 1 - count : place + 1]

    async def wait_for_changes(self, seconds: float, seen: int | None = None) -> None:
        """Returns soon after something changed."""
        await self.inner.wait_for_changes(seconds, seen)

    # What nobody disturbs

    async def create_tables(self, tables: Sequence[Table]) -> list[str]:
        """Creates what is missing."""
        return await self.inner.create_tables(tables)

    async def missing_tables(self, tables: Sequence[Table]) -> list[str]:
        """Which of these tables are not there."""
        return await self.inner.missing_tables(tables)

    async def examine_tables(self, tables: Sequence[Table]) -> TableReport:
        """Whether these tables are there as declared."""
        return await self.inner.examine_tables(tables)

    async def upgrade_tables(self, tables: Sequence[Table], report: Callable[[str], None]) -> None:
        """Makes every additive change."""
        await self.inner.upgrade_tables(tables, report)

    async def trim(self, table: Table, shard: str, seen: Sequence[str]) -> None:
        """As the engine under it."""
        await self.inner.trim(table, shard, seen)

    async def reclaim_space(self) -> None:
        """As the engine under it."""
        await self.inner.reclaim_space()

    async def sweep(self, limit: int) -> int:
        """Deletes what has expired."""
        return await self.inner.sweep(limit)

    def change_number(self) -> int | None:
        """The engine's own."""
        return self.inner.change_number()

    def streams_with_news(self, since: int | None) -> None:
        """None: records may be held back, so each stream has to be read."""

    def new_worker_name(self) -> str:
        """As the engine under it."""
        return self.inner.new_worker_name()

    def has_worker_ended(self, worker: str) -> bool:
        """As the engine under it."""
        return self.inner.has_worker_ended(worker)

    async def close(self) -> None:
        """Lets go of both engines."""
        if self._indexes is not None:
            await self._indexes.shadow.close()
        await self.inner.close()

    async def _tick(self) -> None:
        if self._indexes is not None:
            await self._indexes.tick()

    def _chance(self, kind: str) -> bool:
        likely: float = getattr(self._hostility, kind)
        return self._chances[kind].random() < likely

    def _happens(self, kind: str) -> bool:
        happens = self._chance(kind)
        self.happened[kind] += happens
        return happens

"""Progress of consumers, as it is stored: who has changes to handle, and whether they get fewer."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import TypeAlias, TypeVar

from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.engine import Shard
from commonroom.store.errors import DamagedItem
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.shard import BATCH
from commonroom.store.streams.tables import ParkedChange, ShardState, consumers

E = TypeVar("E", bound=Entity)

PAGE = 500
STEP_SECONDS = 0.25
IDLE_SECONDS = 3.0
"""After so long without a sign of work nobody is at it, and nobody is waited for again."""
MAX_SECONDS = 60.0
"""How long it is waited in all, where consumers go on and more is to do all the time."""
MAX_BATCHES = 100
"""How many batches are looked through for a change that a consumer wants."""

ShardStates: TypeAlias = dict[str, list[ShardState]]
"""The stored places of consumers, by their names."""


class ConsumerProgress:
    """Lets a check wait for consumers: until they have handled every change, or nobody works."""

    def __init__(self, store: Store, followers: Sequence[Consumer]) -> None:
        self._store = store
        self._consumers = followers
        self._shards: dict[str, list[Shard]] = {}
        self._seen: tuple[object, ...] | None = None
        self._idle = self._waited = 0.0

    async def wait(self) -> bool:
        """Waits a moment; False where no consumer is behind, or none of them continues."""
        if self._idle >= IDLE_SECONDS or self._waited >= MAX_SECONDS:
            return False
        places, parked = await self._read()
        if not await self._behind(places, parked):
            return False
        seen = (places, parked)
        at_work = any(_is_at_work(one) for some in places.values() for one in some)
        self._idle = 0.0 if at_work or seen != self._seen else self._idle + STEP_SECONDS
        self._seen = seen
        self._waited += STEP_SECONDS
        await asyncio.sleep(STEP_SECONDS)
        return True

    async def is_behind(self) -> bool:
        """Whether a consumer has changes to handle, or to try again."""
        return bool(await self._behind(*await self._read()))

    async def _read(self) -> tuple[ShardStates, dict[str, int]]:
        """Returns where consumers are, and how often what waits for them was tried."""
        names = {one.name for one in self._consumers}
        places: defaultdict[str, list[ShardState]] = defaultdict(list)
        tries: defaultdict[str, int] = defaultdict(int)
        async for one in stored_progress(self._store, ShardState, ParkedChange):
            if isinstance(one, ShardState):
                if one.consumer in names:
                    places[one.consumer].append(one)
            elif isinstance(one, ParkedChange) and one.consumer in names and not one.aside:
                tries[one.consumer] += 1 + one.attempts
        return places, tries

    async def _behind(self, places: ShardStates, parked: dict[str, int]) -> bool:
        if parked:
            return True
        groups: defaultdict[tuple[Table, str, str | None], list[Consumer]] = defaultdict(list)
        for consumer in self._consumers:
            states = {(one.stream, one.shard): one for one in places.get(consumer.name, ())}
            for table in consumer.tables:
                for shard in await self._shards_of(table):
                    state = states.get((table.name, shard.id))
                    if state is None or not state.finished:
                        position = None if state is None else state.position
                        groups[table, shard.id, position].append(consumer)
        for (table, shard_id, position), some in groups.items():
            if await self._want_more(table, shard_id, position, some):
                return True
        return False

    async def _want_more(
        self, table: Table, shard: str, position: str | None, some: Sequence[Consumer]
    ) -> bool:
        """Whether one of these wants a record after a position."""
        for _ in range(MAX_BATCHES):
            batch = await self._store.engine.changes(table, shard, position, BATCH)
            if any(one.entity_of(record) for one in some for record in batch.records):
                return True
            if not batch.records:
                return False
            position = batch.position
        return True

    async def _shards_of(self, table: Table) -> list[Shard]:
        if table.name not in self._shards:
            self._shards[table.name] = await self._store.engine.shards(table)
        return self._shards[table.name]


async def stored_progress(store: Store, *kinds: type[E]) -> AsyncIterator[E]:
    """Yields everything of these kinds that is stored of consumers; what is damaged is left out."""
    start = None
    while True:
        rows = await store.engine.scan(consumers, limit=PAGE, start=start)
        for item in rows.items:
            for kind in kinds:
                if kind.schema.matches(item):
                    try:
                        yield kind.from_item(item)
                    except DamagedItem:
                        continue
        start = rows.next
        if start is None:
            return


def _is_at_work(state: ShardState) -> bool:
    return state.owner is not None and (state.leased_until or 0.0) > time.time()

"""The worker: runs consumers wherever there is something to do, and deletes what has expired."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Sequence
from uuid import uuid4

from commonroom.store.damage import tolerating_damage
from commonroom.store.declare.table import Table
from commonroom.store.engine import Clock, Shard
from commonroom.store.errors import StoreError
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.lease import Lease, LeaseLost
from commonroom.store.streams.shard import ShardProcessor
from commonroom.store.streams.tables import ParkedChange, ShardState, parked_changes, shard_states

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 60.0
SWEEP_ITEMS = 1000


class Worker:
    """Runs consumers in this process; any number of workers may run, on any number of machines."""

    def __init__(
        self,
        store: Store,
        consumers: Sequence[Consumer],
        *,
        lease_seconds: float = 30.0,
        idle_seconds: float = 1.0,
        clock: Clock = time.time,
    ) -> None:
        self._store = store
        self._consumers = consumers
        self._lease_seconds = lease_seconds
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._owner = uuid4().hex
        self._swept_at = clock()
        self._stopping = False

    async def run(self) -> None:
        """Works until `stop` is called; trouble with the store is waited out."""
        while not self._stopping:
            try:
                handled = await self.once()
                await self._sweep()
            except StoreError:
                logger.exception("The store is in trouble; the worker goes on when it is back.")
                await asyncio.sleep(self._idle_seconds)
                continue
            if not handled:
                await self._store.engine.wait_for_changes(self._idle_seconds)

    def stop(self) -> None:
        """Lets `run` end after what it is at."""
        self._stopping = True

    async def once(self) -> int:
        """One round over all consumers and shards; says how many changes were handled."""
        return sum([await self._round(consumer) for consumer in self._consumers])

    async def drain(self) -> int:
        """Rounds until one has nothing to do; what waits for another try is left waiting."""
        total = 0
        while handled := await self.once():
            total += handled
        return total

    async def _round(self, consumer: Consumer) -> int:
        # A damaged record of its own is no reason to stop; `doctor` and `check` tell of it.
        with tolerating_damage():
            states = {
                (state.stream, state.shard): state
                async for state in self._store.all(shard_states(consumer=consumer.name))
            }
            parked: dict[tuple[str, str], list[ParkedChange]] = {}
            async for one in self._store.all(parked_changes(consumer=consumer.name)):
                parked.setdefault((one.stream, one.shard), []).append(one)
        handled = 0
        for table in consumer.tables:
            shards = await self._store.engine.shards(table)
            for shard in _ready(table, shards, states):
                state = states.get((table.name, shard.id)) or ShardState(
                    consumer=consumer.name, stream=table.name, shard=shard.id
                )
                waiting = parked.get((table.name, shard.id), [])
                handled += await self._process(consumer, table, state, waiting)
        return handled

    async def _process(
        self, consumer: Consumer, table: Table, state: ShardState, parked: list[ParkedChange]
    ) -> int:
        if not await self._has_work(table, state, parked):
            return 0
        lease = Lease(self._store, state, self._owner, self._lease_seconds, self._clock)
        if not await lease.take():
            return 0
        # What waits is read again, now that nobody else can change it.
        with tolerating_damage():
            mine = [
                one
                async for one in self._store.all(parked_changes(consumer=consumer.name))
                if (one.stream, one.shard) == (table.name, state.shard)
            ]
        try:
            processor = ShardProcessor(
                self._store, consumer, table, lease, parked=mine, clock=self._clock
            )
            return await processor.run()
        except LeaseLost:
            logger.warning("%s: another worker took shard %s over.", consumer.name, state.shard)
            return 0

    async def _has_work(self, table: Table, state: ShardState, parked: list[ParkedChange]) -> bool:
        """Looks before it takes a lease, so that an idle worker writes nothing."""
        if any(one.next_at <= self._clock() for one in parked):
            return True
        peeked = await self._store.engine.changes(table, state.shard, state.position, 1)
        return bool(peeked.records) or peeked.ended

    async def _sweep(self) -> None:
        """After the consumers, so that no record is thrown away that they have not seen."""
        if self._clock() - self._swept_at < SWEEP_SECONDS:
            return
        swept = SWEEP_ITEMS
        while swept == SWEEP_ITEMS:
            swept = await self._store.engine.sweep(SWEEP_ITEMS)
        await self._trim()
        await self._store.engine.reclaim_space()
        self._swept_at = self._clock()

    async def _trim(self) -> None:
        """What every consumer has seen, the stream need not hold any longer."""
        reached: dict[tuple[str, str], list[str]] = {}
        for consumer in self._consumers:
            async for state in self._store.all(shard_states(consumer=consumer.name)):
                if state.position is not None:
                    reached.setdefault((state.stream, state.shard), []).append(state.position)
        tables = [table for consumer in self._consumers for table in consumer.tables]
        followers = Counter(table.name for table in tables)
        by_name = {table.name: table for table in tables}
        for (name, shard), seen in reached.items():
            if len(seen) == followers[name]:
                await self._store.engine.trim(by_name[name], shard, seen)


def _ready(
    table: Table, shards: Sequence[Shard], states: dict[tuple[str, str], ShardState]
) -> list[Shard]:
    """The shards to work at: not finished, and with no parent that is not."""
    there = {shard.id for shard in shards}

    def finished(shard: str) -> bool:
        state = states.get((table.name, shard))
        return state is not None and state.finished

    return [
        shard
        for shard in shards
        if not finished(shard.id)
        and (shard.parent is None or shard.parent not in there or finished(shard.parent))
    ]

"""The worker: runs consumers wherever there is something to do, and deletes what has expired."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from uuid import uuid4

from commonroom.store.engine import Clock
from commonroom.store.errors import StoreError
from commonroom.store.limits import OPERATIONS
from commonroom.store.operations import delete
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.gaps import Gaps, Repair
from commonroom.store.streams.lease import Holder, LeaseLost
from commonroom.store.streams.pace import Pace
from commonroom.store.streams.reader import Job, StreamReader
from commonroom.store.streams.shard import WAIT_SECONDS, ShardConsumer
from commonroom.store.streams.tables import ShardState, parked_changes, shard_states
from commonroom.store.streams.trimming import trim_streams

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 60.0
SWEEP_ITEMS = 1000
SHARDS_SECONDS = 300.0
"""How often the lists of shards are read anew; a shard that has ended is noticed at once."""
PARKED_SECONDS = 60.0
"""How often it is read what waits where other workers are at work."""
JOBS_AT_ONCE = 16


class Worker:
    """Runs consumers in this process; any number of workers may run, on any number of machines."""

    def __init__(
        self,
        store: Store,
        consumers: Sequence[Consumer],
        *,
        lease_seconds: float = 30.0,
        clock: Clock = time.time,
        monotonic: Clock = time.monotonic,
        repair: Repair | None = None,
        on_change: Callable[[], None] | None = None,
    ) -> None:
        self._store = store
        self._consumers = consumers
        self._clock = clock
        self._monotonic = monotonic
        self._on_change = on_change
        holder = Holder(uuid4().hex, lease_seconds, clock, monotonic)
        tables = {table.name: table for consumer in consumers for table in consumer.tables}
        self._readers = [
            StreamReader(store, table, [one for one in consumers if table in one.tables], holder)
            for table in tables.values()
        ]
        self._gaps = Gaps(store, consumers, repair, clock)
        self._pace = Pace(monotonic)
        self._is_open = False
        self._change_number: int | None = None
        self._listed_at = self._loaded_at = monotonic()
        self._polled_at = self._swept_at = clock()
        self._slots = asyncio.Semaphore(JOBS_AT_ONCE)
        self._jobs: set[asyncio.Task[int]] = set()
        self._repairing: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Works until `stop` is called; trouble with the store is waited out."""
        try:
            while not self._stopping.is_set():
                try:
                    await self._poll()
                    await self._sweep()
                    pause = self._pause()
                except StoreError:
                    logger.exception("The store is in trouble; the worker goes on when it is back.")
                    pause = WAIT_SECONDS
                await self._rest(pause)
        finally:
            await self._close()

    def stop(self) -> None:
        """Lets `run` end after what it is at."""
        self._stopping.set()

    async def once(self) -> int:
        """One round over all consumers and shards; says how many changes were handled."""
        return sum(await self._round())

    async def drain(self) -> int:
        """Rounds until one has nothing to do; what waits for another try is left waiting."""
        total = 0
        while handled := await self._round():
            total += sum(handled)
        return total

    async def _round(self) -> list[int]:
        """Polls, and waits for all that this starts; says how many changes each has handled."""
        jobs = await self._poll()
        handled: list[int] = []
        for ended in await asyncio.gather(*jobs, return_exceptions=True):
            if isinstance(ended, BaseException):
                raise ended
            handled.append(ended)
        return handled

    async def _poll(self) -> list[asyncio.Task[int]]:
        """Reads what is new, and starts whoever has something to do."""
        await self._open()
        await self._load_unknown_parked()
        number, now = self._store.engine.change_number(), self._clock()
        jobs: dict[ShardConsumer, Job] = {}
        is_unchanged = number is not None and number == self._change_number
        for reader in self._readers:
            jobs |= {job[0]: job for job in reader.due(now)}
            if is_unchanged and reader.is_idle:
                continue
            if reader.needs_shards:
                await reader.list_shards()
            jobs |= {job[0]: job for job in await reader.poll()}
        self._change_number, self._polled_at = number, now
        if any(batch is not None for _, batch in jobs.values()):
            self._note_activity()
        return [self._start(job) for job in jobs.values()]

    def _start(self, job: Job) -> asyncio.Task[int]:
        place, _ = job
        place.is_busy = True
        task = asyncio.create_task(self._handle(job))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return task

    async def _handle(self, job: Job) -> int:
        place, batch = job
        try:
            async with self._slots:
                return await place.handle(batch)
        except LeaseLost:
            name = place.consumer.name
            logger.warning("%s: another worker took shard %s over.", name, place.shard)
            return 0
        finally:
            place.is_busy = False

    def _note_activity(self) -> None:
        self._pace.quicken()
        if self._on_change is not None:
            self._on_change()

    def _pause(self) -> float:
        """How long nothing is to be done, as far as is known."""
        pause = self._pace.pause(sum(reader.open_shards for reader in self._readers))
        if any(place.is_waiting for place in self._places()):
            pause = min(pause, WAIT_SECONDS)
        retries = [place.next_retry for place in self._places() if place.next_retry is not None]
        return max(0.0, min([pause, *(at - self._clock() for at in retries)]))

    async def _rest(self, seconds: float) -> None:
        """Waits until something changes, somebody is done or it is time to look."""
        changed = asyncio.create_task(self._store.engine.wait_for_changes(seconds))
        stopping = asyncio.create_task(self._stopping.wait())
        waiting = {changed, stopping, *self._jobs}
        began = self._monotonic()
        try:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            changed.cancel()
        for task in done:
            self._settle(task)
        if changed in done and self._monotonic() - began < seconds / 2:
            self._pace.quicken()

    def _settle(self, task: asyncio.Task[object]) -> None:
        """Trouble with the store is waited out; a mistake of ours is not."""
        try:
            task.result()
        except StoreError as error:
            logger.warning("The store is in trouble; changes are handled again.", exc_info=error)

    async def _close(self) -> None:
        """Lets what is under way end, or ends it where this is cancelled, and gives leases back."""
        if self._repairing is not None:
            self._repairing.cancel()
        try:
            while self._jobs:
                await asyncio.wait(self._jobs)
        finally:
            for task in self._jobs:
                task.cancel()
            await asyncio.gather(*self._jobs, return_exceptions=True)
            for place in self._places():
                await place.release()

    async def _open(self) -> None:
        """Reads, at the start, how far every consumer had come and what waits for it."""
        if self._is_open:
            return
        await self._list_shards()
        await self._gaps.load()
        for consumer in self._consumers:
            states = [one async for one in self._store.all(shard_states(consumer=consumer.name))]
            unlisted = [
                state
                for reader in self._readers_of(consumer)
                for state in reader.resume(consumer, states)
            ]
            await self._gaps.start(consumer.name, is_new=not states)
            if not all(state.finished for state in unlisted):
                await self._gaps.note_trimmed(consumer.name)
            await self._forget(unlisted)
            await self._load_parked(consumer)
        self._is_open = True

    async def _forget(self, states: Sequence[ShardState]) -> None:
        for start in range(0, len(states), OPERATIONS):
            await self._store.write(*map(delete, states[start : start + OPERATIONS]))

    async def _load_parked(self, consumer: Consumer) -> None:
        asked = parked_changes(consumer=consumer.name)
        # After the checkpoints: whoever parks something later also takes a turn at the lease.
        parked = [one async for one in self._store.all(asked)]
        for reader in self._readers_of(consumer):
            reader.set_parked(consumer, parked)

    async def _load_unknown_parked(self) -> None:
        """Learns, now and then, what waits where another worker was: it may have died since."""
        if self._monotonic() - self._loaded_at < PARKED_SECONDS:
            return
        places = [one for one in self._places() if not (one.parked.is_known or one.is_busy)]
        for consumer in self._consumers:
            if any(place.consumer is consumer for place in places):
                await self._load_parked(consumer)
        self._loaded_at = self._monotonic()

    async def _list_shards(self) -> None:
        for reader in self._readers:
            await reader.list_shards()
        self._listed_at = self._monotonic()

    async def _sweep(self) -> None:
        """After the consumers, so that no record is thrown away that they have not seen."""
        now = self._clock()
        if abs(now - self._swept_at) < SWEEP_SECONDS:
            return
        await self._open()
        await self._save_progress()
        swept = SWEEP_ITEMS
        while swept == SWEEP_ITEMS:
            swept = await self._store.engine.sweep(SWEEP_ITEMS)
        if self._store.engine.trims_streams:
            await trim_streams(self._store, [reader.table for reader in self._readers], now)
        await self._store.engine.reclaim_space()
        if self._monotonic() - self._listed_at >= SHARDS_SECONDS:
            await self._list_shards()
        self._swept_at = now

    async def _save_progress(self) -> None:
        """Stores how far all have looked and what they have missed, where that is new."""
        for place in self._places():
            await place.save_position()
            if place.has_missed:
                await self._gaps.note_trimmed(place.consumer.name)
                place.has_missed = False
        for consumer in self._consumers:
            places = [place for place in self._places() if place.consumer is consumer]
            if all(place.is_at_end or place.is_finished for place in places):
                await self._gaps.note_followed([consumer.name], self._polled_at)
        if self._gaps.unrepaired and (self._repairing is None or self._repairing.done()):
            self._repairing = asyncio.create_task(self._repair())

    async def _repair(self) -> None:
        try:
            await self._gaps.repair()
        except StoreError:
            logger.exception("The data could not be checked; it is tried again.")

    def _readers_of(self, consumer: Consumer) -> list[StreamReader]:
        return [reader for reader in self._readers if reader.table in consumer.tables]

    def _places(self) -> Iterable[ShardConsumer]:
        return [place for reader in self._readers for place in reader.places]

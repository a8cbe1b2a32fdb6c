"""The worker: runs consumers wherever there is something to do, and deletes what has expired."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from commonroom.store.engine import Clock
from commonroom.store.errors import StoreError
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.gaps import Gaps, Repair
from commonroom.store.streams.group import ConsumerGroup
from commonroom.store.streams.lease import Holder, LeaseLost
from commonroom.store.streams.pace import Pace
from commonroom.store.streams.reader import Job
from commonroom.store.streams.shard import WAIT_SECONDS
from commonroom.store.streams.trimming import trim_streams

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 60.0
SWEEP_ITEMS = 1000
JOBS_AT_ONCE = 16
MIN_PAUSE = 0.2
"""Between two rounds where reading costs requests; DynamoDB allows five a second for a shard."""


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
        self._clock = clock
        self._monotonic = monotonic
        self._on_change = on_change
        self._gaps = Gaps(store, consumers, repair, clock)
        name, has_ended = store.engine.new_worker_name(), store.engine.has_worker_ended
        holder = Holder(name, lease_seconds, clock, monotonic, has_ended)
        self._group = ConsumerGroup(store, consumers, holder, self._gaps)
        self._pace = Pace(monotonic)
        self._swept_at = clock()
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
                    if self._group.trouble is not None:
                        raise self._group.trouble
                    await self._sweep()
                    await self._rest(self._pause())
                except StoreError:
                    logger.exception(
                        "The store is unavailable; the worker resumes when it is back."
                    )
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._stopping.wait(), WAIT_SECONDS)
            while self._jobs:
                await asyncio.wait(self._jobs)
                self._settle_jobs()
        finally:
            await self._close()

    def stop(self) -> None:
        """Lets `run` end after what it is at."""
        self._stopping.set()

    async def once(self) -> int:
        """Does one round over all consumers and shards; returns how many changes were handled."""
        return sum(await self._round())

    async def drain(self) -> int:
        """Rounds until one has nothing to do; what waits for another try is left waiting."""
        total = 0
        while handled := await self._round():
            total += sum(handled)
        return total

    async def _round(self) -> list[int]:
        """Polls, and waits for all that this starts; returns how many changes each has handled."""
        handled: list[int] = []
        jobs = await self._poll()
        self._jobs.difference_update(jobs)
        for ended in await asyncio.gather(*jobs, return_exceptions=True):
            if isinstance(ended, BaseException):
                raise ended
            handled.append(ended)
        if self._group.trouble is not None:
            raise self._group.trouble
        return handled

    async def _poll(self) -> list[asyncio.Task[int]]:
        """Reads what is new, and starts the consumers that have something to do."""
        jobs = await self._group.poll()
        if any(batch is not None for _, batch in jobs):
            self._pace.quicken()
            if self._on_change is not None:
                self._on_change()
        return [self._start(job) for job in jobs]

    def _start(self, job: Job) -> asyncio.Task[int]:
        """In a task of its own, so that one that takes long holds nobody up."""
        job[0].is_busy = True
        task = asyncio.create_task(self._handle(job))
        self._jobs.add(task)
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

    def _pause(self) -> float:
        """Returns how long there is nothing to do, as far as is known."""
        places = self._group.places
        if self._group.change_number is None:
            pause = self._pace.pause(sum(reader.open_shards for reader in self._group.readers))
        else:
            pause = SWEEP_SECONDS  # whatever is written ends it
        if any(place.is_waiting for place in places):
            pause = min(pause, WAIT_SECONDS)
        retries = [at for place in places if len(place.parked) and (at := place.next_retry)]
        return max(0.0, min([pause, *(at - self._clock() for at in retries)]))

    async def _rest(self, seconds: float) -> None:
        """Waits until something changes, a consumer is done, or it is time to look."""
        changed = asyncio.create_task(
            self._store.engine.wait_for_changes(seconds, self._group.change_number)
        )
        stopping = asyncio.create_task(self._stopping.wait())
        began = self._monotonic()
        try:
            waiting: set[asyncio.Task[object]] = {changed, stopping, *self._jobs}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if changed.done():
                changed.result()
        finally:
            stopping.cancel()
            changed.cancel()
        self._settle_jobs()
        rested = self._monotonic() - began
        if rested < seconds / 2:
            self._pace.quicken()  # this process wrote something, or was at work
        if self._store.engine.change_number() is None and not self._stopping.is_set():
            await asyncio.sleep(min(seconds, MIN_PAUSE) - rested)

    def _settle_jobs(self) -> None:
        """Trouble with the store is waited out; a mistake of ours is not."""
        for job in [job for job in self._jobs if job.done()]:
            self._jobs.discard(job)
            try:
                job.result()
            except StoreError as error:
                logger.warning("The store is unavailable; changes wait.", exc_info=error)

    async def _close(self) -> None:
        """Ends what is still under way, and gives all leases back."""
        if self._repairing is not None:
            self._repairing.cancel()
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        await self._group.close()

    async def _sweep(self) -> None:
        """After the consumers, so that no record is thrown away that they have not seen."""
        now = self._clock()
        if abs(now - self._swept_at) < SWEEP_SECONDS:
            return
        await self._group.open()
        await self._group.save_progress()
        swept = SWEEP_ITEMS
        while swept == SWEEP_ITEMS:
            swept = await self._store.engine.sweep(SWEEP_ITEMS)
        if self._store.engine.trims_streams:
            await trim_streams(self._store, [reader.table for reader in self._group.readers], now)
        await self._store.engine.reclaim_space()
        self._swept_at = now
        if self._gaps.needs_repair and (self._repairing is None or self._repairing.done()):
            # Beside the consumers, who go on meanwhile; what fails is tried again.
            self._repairing = asyncio.create_task(self._gaps.repair())

"""The worker: runs consumers wherever there is something to do, and deletes what has expired."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from commonroom.store.engine import Clock
from commonroom.store.errors import StoreError
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.gaps import Gaps, Repair
from commonroom.store.streams.group import ConsumerGroup
from commonroom.store.streams.lease import Holder
from commonroom.store.streams.loop_share import LoopShare
from commonroom.store.streams.pace import Pace
from commonroom.store.streams.reader import Job
from commonroom.store.streams.shard import WAIT_SECONDS
from commonroom.store.streams.trimming import trim_streams

logger = logging.getLogger(__name__)

T = TypeVar("T")

SWEEP_SECONDS = 60.0
SWEEP_ITEMS = 1000
JOBS_AT_ONCE = 16
MIN_PAUSE = 0.2
"""Between two rounds where reading costs requests; DynamoDB allows five a second for a shard."""
MIN_PAUSE_IN_FILE = 0.02
"""Between two rounds where it does not: what many write at once is looked at together."""
SAVE_SECONDS = 0.2
"""How long checkpoints may wait, so that those of several rounds are stored in one write."""


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
        share: LoopShare | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._monotonic = monotonic
        self._on_change = on_change
        self._share = share
        """What it may take of the loop where it runs beside pages; None where it is alone."""
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
        self._woken = asyncio.Event()
        """Whether it is to stop, or there may be more for one who was at work."""
        self._unsaved_since: float | None = None

    async def run(self) -> None:
        """Works until `stop` is called; trouble with the store is waited out."""
        # Where it is known at once that a worker has ended, its leases hold nobody up.
        self._group.keeps_leases = self._store.engine.change_number() is not None
        try:
            while not self._stopping.is_set():
                self._woken.clear()
                try:
                    await self._shared(self._poll())
                    if self._group.trouble is not None:
                        raise self._group.trouble
                    await self._save_checkpoints()
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
        self._woken.set()

    async def once(self) -> int:
        """Does one round over all consumers and shards; returns how many changes were handled."""
        handled = sum(await self._round())
        await self._group.release()
        return handled

    async def drain(self) -> int:
        """Rounds until one has nothing to do; what waits for another try is left waiting."""
        total = 0
        while (handled := await self._round()) or self._group.has_unread:
            total += sum(handled)
        await self._group.release()
        return total

    async def _round(self) -> list[int]:
        """Polls, and waits for all that this starts; returns how many changes each has handled.

        Checkpoints are stored at once: nobody knows when the next round is.
        """
        jobs = await self._poll()
        self._jobs.difference_update(jobs)
        ended = await asyncio.gather(*jobs, return_exceptions=True)
        self._unsaved_since = None
        await self._group.save_checkpoints()
        for one in ended:
            if isinstance(one, BaseException):
                raise one
        if self._group.trouble is not None:
            raise self._group.trouble
        return [one for one in ended if isinstance(one, int)]

    async def _poll(self) -> list[asyncio.Task[int]]:
        """Reads what is new, and starts the consumers that have something to do."""
        jobs = await self._group.poll()
        if any(batch is not None for _, batch in jobs):
            self._pace.quicken()
            if self._on_change is not None:
                self._on_change()
        # Those that have to wait for a slot may be quicker elsewhere.
        slots = max(0, JOBS_AT_ONCE - len(self._jobs))
        await self._group.take([place for place, _ in jobs[:slots]])
        return [self._start(job) for job in jobs]

    def _start(self, job: Job) -> asyncio.Task[int]:
        """In a task of its own, so that one that takes long holds nobody up."""
        job[0].is_busy = True
        task = asyncio.create_task(self._shared(self._handle(job)))
        self._jobs.add(task)
        return task

    async def _handle(self, job: Job) -> int:
        place, batch = job
        try:
            async with self._slots:
                return await place.handle(batch)
        finally:
            place.is_busy = False
            self._group.note_done(place)
            if self._unsaved_since is None or not place.is_settled:
                self._woken.set()
            if self._unsaved_since is None:
                self._unsaved_since = self._monotonic()

    async def _shared(self, work: Awaitable[T]) -> T:
        """Does some work in the part of the loop's time that it may take."""
        return await (work if self._share is None else self._share.work(work))

    def _pause(self) -> float:
        """Returns how long there is nothing to do, as far as is known."""
        if self._group.change_number is None:
            pause = self._pace.pause(sum(reader.open_shards for reader in self._group.readers))
        else:
            pause = SWEEP_SECONDS  # whatever is written ends it
        if self._group.has_unread:
            pause = 0.0
        places = self._group.unsettled()
        if any(place.is_waiting for place in places):
            pause = min(pause, WAIT_SECONDS)
        if self._unsaved_since is not None:
            pause = min(pause, self._unsaved_since + SAVE_SECONDS - self._monotonic())
        retries = [at for place in places if (at := place.next_retry)]
        return max(0.0, min([pause, *(at - self._clock() for at in retries)]))

    async def _rest(self, seconds: float) -> None:
        """Waits until something changes, a consumer has more to do, or it is time to look."""
        changed = asyncio.create_task(
            self._store.engine.wait_for_changes(seconds, self._group.change_number)
        )
        woken = asyncio.create_task(self._woken.wait())
        began = self._monotonic()
        try:
            await asyncio.wait([changed, woken], return_when=asyncio.FIRST_COMPLETED)
            if changed.done():
                changed.result()
        finally:
            woken.cancel()
            changed.cancel()
        self._settle_jobs()
        rested = self._monotonic() - began
        if rested < seconds / 2:
            self._pace.quicken()  # this process wrote something, or was at work
        if not self._stopping.is_set():
            is_file = self._store.engine.change_number() is not None
            least = MIN_PAUSE_IN_FILE if is_file else MIN_PAUSE
            await asyncio.sleep(min(seconds, least) - rested)

    async def _save_checkpoints(self) -> None:
        """Stores how far consumers have come, once that has waited for long enough."""
        since = self._unsaved_since
        if since is not None and self._monotonic() - since >= SAVE_SECONDS:
            self._unsaved_since = None
            await self._group.save_checkpoints()

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

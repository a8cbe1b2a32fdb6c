"""The scheduler: runs what is due; any number of processes may run one."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from msgspec.structs import asdict, replace

from commonroom.errors import CommonroomError
from commonroom.moments import is_future, iso, seconds
from commonroom.store import ConditionFailed, Entity, Store, StoreError, delete, put, stored
from commonroom.store.damage import tolerating_damage
from commonroom.store.engine import Clock
from commonroom.store.errors import BeingUpgraded
from commonroom.store.streams import RetryPolicy
from commonroom.store.streams.consumer import error_text
from commonroom.timers.tables import BUCKETS, FailedTimer, Timer, waiting_timers

logger = logging.getLogger(__name__)

Handler = Callable[[Store, Timer, float], Awaitable[float | None]]
"""Does what a timer is for and may do so twice; returns the moment to be called again, or None."""

BATCH = 50
POLL_SECONDS = 5.0
"""How late a timer may be that was set for sooner than anybody looks, while things happen."""
QUIET_POLLS = 12
"""After so many of these it is looked although nothing is known to have happened.

On DynamoDB a timer may be so late that another process set for sooner, without a change of anything
that has a stream.
"""
HANDLER_SECONDS = 60.0
LEASE_SECONDS = 90.0
"""How long a timer is out of the others' sight while it is done: longer than a handler may take."""
MIN_DELAY_SECONDS = 1.0
"""How soon a handler may be called again: asking for the past would keep all else waiting."""
KEPT_SECONDS = 30 * 24 * 3600
RETRY_POLICY = RetryPolicy(first_delay=10.0, longest_delay=3600.0, max_attempts=12)

WAITING_BY_BUCKET = [waiting_timers(bucket=f"due#{number}") for number in range(BUCKETS)]


class UnknownTimerKind(CommonroomError):
    """A timer of a kind that has no handler here, such as one set by a newer version."""


class Scheduler:
    """Runs the handlers of due timers in this process.

    A timer is moved out of sight before it is done, so no two processes do it at once; where the
    process ends before it is done, it is due again a while later. Handlers may therefore run twice.
    """

    def __init__(
        self,
        store: Store,
        handlers: Mapping[str, Handler],
        *,
        retry_policy: RetryPolicy = RETRY_POLICY,
        clock: Clock = time.time,
    ) -> None:
        self._store = store
        self._handlers = handlers
        self._retry_policy = retry_policy
        self._clock = clock
        self._stopping = asyncio.Event()
        self._woken = asyncio.Event()
        self._next: float | None = None
        """When the earliest timer is due that was seen and is not due yet."""
        self._latest = math.inf
        """The latest moment that the clock has shown; before the first look nobody knows."""

    async def run(self) -> None:
        """Works until `stop` is called; trouble with the store is waited out."""
        while not self._stopping.is_set():
            self._woken.clear()
            number, tried = None, 0
            try:
                number = self._store.engine.change_number()
                await self.follow_clock()
                tried = await self.once()
            except StoreError:
                logger.exception("The store is unavailable; timers resume when it is back.")
                self._next = None
                self._woken.set()
            if not tried:
                await self._sleep(number)

    def stop(self) -> None:
        """Lets `run` end after what it is at."""
        self._stopping.set()
        self._woken.set()

    def wake(self) -> None:
        """Lets it look soon: something happened, and timers may have been set with it."""
        self._woken.set()

    async def once(self) -> int:
        """Does what is due, the earliest first; returns how many timers were tried."""
        tried = 0
        for timer in await self._due():
            if self._stopping.is_set():
                break
            tried += await self._run_timer(timer)
        return tried

    async def follow_clock(self) -> None:
        """At the start, and where the clock is set back, lets timers wait as long as was meant."""
        now, latest = self._clock(), self._latest
        self._latest = now if is_future(latest, now) else max(now, latest)
        if not is_future(latest, now):
            return
        for bucket in WAITING_BY_BUCKET:
            with tolerating_damage():
                waiting = [one async for one in self._store.all(bucket)]
            for one in waiting:
                set_at = None if one.set_at is None else seconds(one.set_at)
                if set_at is not None and is_future(set_at, now):
                    due = now + max(0.0, one.moment - set_at)
                    await self._replace(one, replace(one, due_at=iso(due), set_at=iso(now)))

    async def _due(self) -> list[Timer]:
        """One look at the fronts of all buckets; only where something is due, a longer one."""
        now = self._clock()
        # A damaged timer holds no other up; `doctor` and `check` tell of it.
        with tolerating_damage() as damaged:
            first = await self._store.merged(WAITING_BY_BUCKET, limit=1)
            self._next = first.items[0].moment if first.items else None
            if not damaged and (self._next is None or self._next > now):
                return []
            page = await self._store.merged(WAITING_BY_BUCKET, limit=BATCH)
        return [timer for timer in page.items if timer.moment <= now]

    async def _sleep(self, number: int | None) -> None:
        """Waits until the next timer is due, or until others may have been set."""
        await self._wait(self._stopping)
        for _ in range(QUIET_POLLS - 1):
            now = self._store.engine.change_number()
            is_changed = now is not None and now != number
            is_due = self._next is not None and self._next <= self._clock()
            if is_changed or is_due or self._woken.is_set():
                return
            await self._wait(self._woken)

    async def _wait(self, event: asyncio.Event) -> None:
        left = POLL_SECONDS if self._next is None else self._next - self._clock()
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, min(left, POLL_SECONDS))):
                await event.wait()

    async def _run_timer(self, timer: Timer) -> bool:
        """Does a timer, unless another process is at it; what its handler raises stays with it."""
        now = self._clock()
        due_at = iso(now + LEASE_SECONDS)
        held = replace(timer, due_at=due_at, set_at=iso(now), tries=timer.tries + 1)
        if not await self._replace(timer, held):
            return False
        try:
            again = await self._handle(timer)
        except Exception as error:
            await self._failed(held, error)
        else:
            await self._finish(held, again)
        return True

    async def _handle(self, timer: Timer) -> float | None:
        handler = self._handlers.get(timer.kind)
        if handler is None:
            raise UnknownTimerKind(f"Nothing here knows what to do for “{timer.kind}”.")
        async with asyncio.timeout(HANDLER_SECONDS):
            return await handler(self._store, timer, self._clock())

    async def _finish(self, held: Timer, again: float | None) -> None:
        if again is None:
            await self._store.write(delete(held))
        else:
            now = self._clock()
            due_at = iso(max(again, now + MIN_DELAY_SECONDS))
            await self._replace(held, replace(held, due_at=due_at, set_at=iso(now), tries=0))

    async def _failed(self, held: Timer, error: Exception) -> None:
        now = self._clock()
        if held.tries < self._retry_policy.max_attempts or isinstance(error, BeingUpgraded):
            logger.warning("A timer for %s failed; it is tried again.", held.kind, exc_info=error)
            due_at = iso(now + self._retry_policy.delay_after(held.tries))
            await self._replace(held, replace(held, due_at=due_at, set_at=iso(now)))
            return
        logger.error("A timer for %s was given up.", held.kind, exc_info=error)
        kept = {name: value for name, value in asdict(held).items() if name != "set_at"}
        fields = {**kept, "error": error_text(error), "given_up_at": iso(now)}
        await self._replace(held, FailedTimer(**fields, ttl=int(now) + KEPT_SECONDS))

    async def _replace(self, timer: Timer, to: Entity) -> bool:
        """Puts something in a timer's place; False where it is gone from there."""
        there = [put(to, if_=stored)]
        if to.ref.key != timer.ref.key:
            there = [delete(timer, if_=stored), put(to)]
        try:
            await self._store.write(*there)
        except ConditionFailed:
            return False
        return True

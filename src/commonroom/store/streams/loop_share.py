"""The loop's share: what follows from writes leaves the pages beside it most of the time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from types import coroutine
from typing import Any, TypeVar

from commonroom.store.engine import Clock

T = TypeVar("T")

PART = 1 / 3
"""Of the event loop's time, what is worked at may take so much in the long run."""
SAVED_SECONDS = 0.02
"""How much may be worked at once after a quiet time: what follows from a few writes."""

MIN_REST_SECONDS = 0.001
"""No rest is shorter: a loop counts in these."""


class LoopShare:
    """A part of an event loop's time, for which everything that is worked at waits its turn.

    The time of each step is measured by the clock on the wall: others wait for all of it.
    """

    def __init__(
        self,
        clock: Clock = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._left = SAVED_SECONDS
        """What may be worked now; less than nothing where it was more than its part."""
        self._counted_at = clock()
        self._turns = asyncio.Lock()

    @coroutine
    def work(self, work: Awaitable[T]) -> Generator[Any, Any, T]:
        """Does the work, and rests between its steps for as long as it has taken too much."""
        steps = work.__await__()
        value: Any = None
        error: BaseException | None = None
        while True:
            if error is None and self._count() < 0:
                try:
                    yield from self._rest().__await__()
                except BaseException as stopped:
                    error = stopped
            began = self._clock()
            try:
                awaited = steps.send(value) if error is None else steps.throw(error)
            except StopIteration as ended:
                result: T = ended.value
                return result
            finally:
                self._left -= self._clock() - began
            value = error = None
            try:
                value = yield awaited
            except BaseException as thrown:
                error = thrown

    async def _rest(self) -> None:
        """Waits until there is time left: one after the other, so that not all go on at once."""
        async with self._turns:
            while (left := self._count()) < 0:
                await self._sleep(max(MIN_REST_SECONDS, -left / PART))

    def _count(self) -> float:
        now = self._clock()
        self._left = min(SAVED_SECONDS, self._left + (now - self._counted_at) * PART)
        self._counted_at = now
        return self._left

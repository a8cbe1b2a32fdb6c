"""Trying again: pauses that grow with jitter, until the time is up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Iterator

from aiodynamo.models import DecorelatedJitterRetry, RetryConfig, RetryTimeout

PAUSES = DecorelatedJitterRetry(base_delay_secs=0.05, max_delay_secs=1)


class Patience:
    """How much longer to try."""

    __slots__ = ("_pauses", "_until")

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._pauses: Iterator[float] | None = None

    async def pause(self) -> bool:
        """Waits a little before the next attempt; False, at once, when the time is up."""
        left = self._until - time.monotonic()
        if left <= 0:
            return False
        self._pauses = self._pauses or iter(PAUSES.delays())
        await asyncio.sleep(min(left, next(self._pauses)))
        return True


class OneAttempt(RetryConfig):
    """Keeps aiodynamo from trying again by itself: `Connection` alone decides about that."""

    def delays(self) -> Iterable[float]:
        return ()

    def attempts(self) -> AsyncIterator[None]:
        # Not an async generator: one that is left half-way costs the event loop a task to close.
        return _Once()


class _Once(AsyncIterator[None]):
    __slots__ = ("_done",)

    def __init__(self) -> None:
        self._done = False

    async def __anext__(self) -> None:
        if self._done:
            raise RetryTimeout
        self._done = True

"""What TMDB answered lately, in the store, for all processes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from commonroom.catalog.tables import CachedResponse, cached_response
from commonroom.catalog.tmdb.errors import Failed
from commonroom.catalog.tmdb.questions import Question
from commonroom.moments import iso
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.store import Store, put

logger = logging.getLogger(__name__)

A = TypeVar("A", bound=Struct)

SECONDS = 1.0
"""What takes longer than this is quicker asked of TMDB."""


class Kept(Struct, Generic[A], frozen=True):
    """An answer, and how many seconds ago it was given."""

    answer: A
    age: float = 0.0


class Cache:
    """Remembers answers for as long as they are good; where it cannot, nothing else fails."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._circuit_breaker = CircuitBreaker()

    async def find(self, question: Question[A]) -> Kept[A] | None:
        """What was answered lately, if it was kept."""
        found: CachedResponse | None = None
        if self._circuit_breaker.allows():
            async with self._bearing_failure():
                found = await self._store.get(cached_response(cache_key=question.key))
        if found is None:
            return None
        with suppress(Failed):  # another version of Commonroom may have kept something else
            answer = question.read(found.response_data.encode())
            return Kept(answer, self._clock() - (found.ttl - question.seconds))
        return None

    async def keep(self, question: Question[A], answer: A) -> Kept[A]:
        """Remembers what was answered just now."""
        now = int(self._clock())
        if self._circuit_breaker.allows():
            response = CachedResponse(
                cache_key=question.key,
                response_data=msgspec.json.encode(answer).decode(),
                cached_at=iso(now),
                ttl=now + question.seconds,
            )
            async with self._bearing_failure():
                await self._store.write(put(response))
        return Kept(answer)

    @asynccontextmanager
    async def _bearing_failure(self) -> AsyncIterator[None]:
        """Goes on whatever becomes of the store, and leaves it alone when it keeps failing."""
        try:
            async with asyncio.timeout(SECONDS):
                yield
        except Exception as error:  # engines also raise errors of the libraries they stand on
            if self._circuit_breaker.failed():
                logger.warning("Answers of TMDB cannot be kept for now: %r", error)
        else:
            self._circuit_breaker.succeeded()

"""The TMDB client, which leaves TMDB alone when it is in trouble; and a cache before it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from commonroom.moments import is_future, iso
from commonroom.outgoing.caches import SingleFlight
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import Fetcher, FetchLimits, OutgoingError, OutgoingResponse
from commonroom.rate_limits import Rate, RateLimiter
from commonroom.store import Store, put, unmarked
from commonroom.titles.tables import CachedResponse
from commonroom.titles.tmdb.requests import TmdbRequest
from commonroom.titles.tmdb.responses import (
    Failed,
    NotThere,
    Resting,
    TmdbUnavailable,
    TokenRefused,
)

logger = logging.getLogger(__name__)
R = TypeVar("R", bound=Struct)

LIMITS = FetchLimits(
    seconds=3.0,
    connect_seconds=2.0,
    largest=4_000_000,
    types=frozenset({"application/json"}),
)
RATE = Rate(burst=10, per_minute=30 * 60)
"""Together no more than the forty in a second from which on TMDB may refuse."""
USUAL_PAUSE = 10
MAX_PAUSE = 600

BATCH = 8
MAX_IN_FLIGHT = 300
CACHE_SECONDS = 1.0
"""What takes the cache longer than this is quicker asked of TMDB."""


class TmdbClient:
    """TMDB itself."""

    def __init__(
        self,
        fetcher: Fetcher,
        address: str,
        key: str,
        *,
        limits: FetchLimits = LIMITS,
        circuit_breaker: CircuitBreaker | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._address = address
        self._headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
        self._limits = limits
        self._circuit_breaker = circuit_breaker or CircuitBreaker()
        self._rate_limiter = RateLimiter(RATE)

    async def send(self, request: TmdbRequest[R]) -> R:
        """Sends a request, unless TMDB is being left alone."""
        if not self._circuit_breaker.allows():
            raise Resting("TMDB is paused for a while after errors.")
        await asyncio.sleep(self._rate_limiter.reserve())
        try:
            response = await self._fetcher.get(
                f"{self._address}/{request.target}", headers=self._headers, limits=self._limits
            )
            found = self._read(request, response)
        except (OutgoingError, Failed) as error:
            self._circuit_breaker.failed()
            raise Failed(error.detail) from None
        self._circuit_breaker.succeeded()
        return found

    def _read(self, request: TmdbRequest[R], response: OutgoingResponse) -> R:
        match response.status:
            case 200:
                return request.read(response.body)
            case 401 | 403:
                self._circuit_breaker.open_for(MAX_PAUSE)
                raise TokenRefused("TMDB refuses the access token of COMMONROOM_TMDB_KEY.")
            case 429:
                seconds = _retry_after(response)
                self._circuit_breaker.open_for(seconds)
                raise TmdbUnavailable(f"TMDB asks to wait {seconds} seconds.")
            case status if status >= 500:
                raise Failed(f"TMDB responds with status {status}.")
        self._circuit_breaker.succeeded()
        raise NotThere("TMDB does not know this film.")


def _retry_after(response: OutgoingResponse) -> int:
    """Returns how long TMDB wants to be left alone; not for longer than is bearable."""
    seconds = response.headers.get("retry-after", "").strip()
    is_number = seconds.isascii() and seconds.isdigit() and len(seconds) < 10
    return min(max(int(seconds) if is_number else USUAL_PAUSE, 1), MAX_PAUSE)


class Cached(Struct, Generic[R], frozen=True):
    """A response, and how many seconds ago it was given."""

    response: R
    age: float = 0.0


class ResponseCache:
    """Keeps responses for as long as they are good; where it cannot, nothing else fails."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._circuit_breaker = CircuitBreaker()

    async def get(self, request: TmdbRequest[R]) -> Cached[R] | None:
        """Returns the response to a request, if it was cached."""
        found: CachedResponse | None = None
        if self._circuit_breaker.allows():
            async with self._tolerate_failure():
                # Not `get`: a page that reads several things by key reads this with them.
                (found,) = await self._store.batch_get([CachedResponse.at(cache_key=request.key)])
        if found is None:
            return None
        with suppress(Failed):  # another version of Commonroom may have cached something else
            cached_at, now = found.ttl - request.seconds, self._clock()
            response = request.read(found.response_data.encode())
            return None if is_future(cached_at, now) else Cached(response, now - cached_at)
        return None

    async def put(self, request: TmdbRequest[R], response: R) -> Cached[R]:
        """Caches a response that was given just now."""
        now = int(self._clock())
        if self._circuit_breaker.allows():
            cached = CachedResponse(
                cache_key=request.key,
                response_data=msgspec.json.encode(response).decode(),
                cached_at=iso(now),
                ttl=now + request.seconds,
            )
            async with self._tolerate_failure():
                with unmarked():
                    await self._store.write(put(cached))
        return Cached(response)

    @asynccontextmanager
    async def _tolerate_failure(self) -> AsyncIterator[None]:
        """Continues whatever becomes of the store, and leaves it alone when it keeps failing."""
        try:
            async with asyncio.timeout(CACHE_SECONDS):
                yield
        except Exception as error:  # engines also raise errors of the libraries they stand on
            if self._circuit_breaker.failed():
                logger.warning("Responses of TMDB cannot be cached for now: %r", error)
        else:
            self._circuit_breaker.succeeded()


class CachedClient:
    """Responses from the cache, or else from TMDB; the same request is sent once at a time."""

    def __init__(self, client: TmdbClient, cache: ResponseCache) -> None:
        self._client = client
        self._cache = cache
        self._at_once = asyncio.Semaphore(BATCH)
        self._single_flight: SingleFlight[Cached[Any]] = SingleFlight(MAX_IN_FLIGHT)

    async def send(self, request: TmdbRequest[R]) -> Cached[R]:
        """The response to a request; who stops waiting leaves it to the others, and the cache."""
        try:
            return await self._single_flight.run(request.key, partial(self._find, request))
        except OutgoingError as error:
            raise TmdbUnavailable(error.detail) from None

    async def close(self) -> None:
        """Stops what is being asked."""
        await self._single_flight.close()

    async def _find(self, request: TmdbRequest[R]) -> Cached[R]:
        cached = await self._cache.get(request)
        if cached is not None:
            return cached
        async with self._at_once:
            response = await self._client.send(request)
        return await self._cache.put(request, response)

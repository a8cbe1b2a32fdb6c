"""Posters of films: fetched once from TMDB and kept, so that no page loads them from elsewhere."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path

from commonroom.outgoing.caches import PICTURE_TYPES, PictureCache, SingleFlight, picture_type
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import Fetcher, Limits, OutgoingError, TookTooLong, Unreachable
from commonroom.settings import Settings

ADDRESS = "https://image.tmdb.org/t/p/w342"
LIMITS = Limits(seconds=5.0, largest=500_000, types=PICTURE_TYPES)
AT_ONCE = 4
MOST_IN_FLIGHT = 100

POSTER_PATH = re.compile(r"/[A-Za-z0-9]{8,64}\.(jpg|png|webp)")
"""A film's `poster_path`; the only shape that becomes the name of a file or part of an address."""


class Posters:
    """Pictures by the `poster_path` of a film."""

    def __init__(self, folder: Path, fetcher: Fetcher | None, address: str = ADDRESS) -> None:
        self._cache = PictureCache(folder)
        self._fetcher = fetcher
        self._address = address
        self._circuit_breaker = CircuitBreaker()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._single_flight: SingleFlight[bytes | None] = SingleFlight(MOST_IN_FLIGHT)

    @classmethod
    def of(cls, settings: Settings, fetcher: Fetcher) -> Posters:
        """From TMDB; only those that were kept where there is no key."""
        return cls(settings.data / "posters", fetcher if settings.tmdb_key else None)

    async def poster(self, path: str) -> bytes | None:
        """A poster; None where there is none to be had, and the page draws one."""
        if not POSTER_PATH.fullmatch(path):
            return None
        kept = await asyncio.to_thread(self._cache.get, path[1:])
        if kept is not None or self._fetcher is None:
            return kept
        try:
            return await self._single_flight.run(path, partial(self._fetch, self._fetcher, path))
        except OutgoingError:
            return None

    async def close(self) -> None:
        """Gives up what is being fetched."""
        await self._single_flight.close()

    async def _fetch(self, fetcher: Fetcher, path: str) -> bytes | None:
        async with self._at_once:
            if not self._circuit_breaker.allows():
                return None
            try:
                response = await fetcher.get(f"{self._address}{path}", limits=LIMITS)
            except (Unreachable, TookTooLong):
                self._circuit_breaker.failed()
                raise
        if response.status >= 500:
            self._circuit_breaker.failed()
            return None
        self._circuit_breaker.succeeded()
        if response.status != 200 or picture_type(response.body) is None:
            return None
        await asyncio.to_thread(self._cache.put, path[1:], response.body)
        return response.body

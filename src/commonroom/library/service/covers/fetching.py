"""Asking somebody's server for a picture, and leaving servers alone that keep failing."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from commonroom.library.service.covers.sizes import Thumbnails
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.errors import OutgoingError, TookTooLong, Unreachable
from commonroom.outgoing.fetcher import Fetcher, Limits
from commonroom.outgoing.ttl_cache import TtlCache

PICTURES = frozenset({"image/jpeg", "image/jpg", "image/png", "image/webp", "image/gif"})
LIMITS = Limits(seconds=5.0, largest=5_000_000, types=PICTURES)
REDIRECTS = 3
"""Open Library, for one, sends on to where the Internet Archive keeps a cover."""
AT_ONCE = 4
TOO_MANY = 429
MOST_HOSTS = 200
MOST_MISSING = 5000
MISSING_SECONDS = 3600.0
FAILED_SECONDS = 60.0


class _NoPicture(Exception):
    """There is none to be had, for so many seconds at least."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


class PictureServers:
    """Everybody's servers of pictures, each by itself."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._at_once = asyncio.Semaphore(AT_ONCE)
        # Pictures take much room while they are unpacked: one at a time.
        self._unpacking = asyncio.Semaphore(1)
        self._circuit_breakers: TtlCache[CircuitBreaker] = TtlCache(MOST_HOSTS)
        self._missing: TtlCache[bool] = TtlCache(MOST_MISSING)

    def is_missing(self, address: str) -> bool:
        """Whether there was no picture at an address when it was last asked, not long ago."""
        return self._missing.get(address) is not None

    async def picture(self, address: str) -> Thumbnails | None:
        """The picture at an address in all sizes; None where there is none to be had."""
        try:
            async with self._at_once:
                data = await self._fetched(address, self._circuit_breaker(address))
            return await self._unpacked(data)
        except _NoPicture as none:
            self._missing.put(address, True, none.seconds)
            return None

    async def _fetched(self, address: str, circuit_breaker: CircuitBreaker) -> bytes:
        if not circuit_breaker.allows():
            raise _NoPicture(0.0)
        try:
            answer = await self._fetcher.get(address, limits=LIMITS, redirects=REDIRECTS)
        except (Unreachable, TookTooLong):
            circuit_breaker.failed()
            raise _NoPicture(FAILED_SECONDS) from None
        except OutgoingError:  # not public, too large, or something else than a picture
            raise _NoPicture(MISSING_SECONDS) from None
        if answer.status >= 500 or answer.status == TOO_MANY:
            circuit_breaker.failed()
            raise _NoPicture(FAILED_SECONDS)
        circuit_breaker.succeeded()
        if answer.status != 200:
            raise _NoPicture(MISSING_SECONDS)
        return answer.body

    async def _unpacked(self, data: bytes) -> Thumbnails:
        from commonroom.library.service.covers.thumbnails import thumbnails

        async with self._unpacking:
            made = await asyncio.to_thread(thumbnails, data)
        if made is None:
            raise _NoPicture(MISSING_SECONDS)
        return made

    def _circuit_breaker(self, address: str) -> CircuitBreaker:
        host = urlsplit(address).hostname or ""
        circuit_breaker = self._circuit_breakers.get(host) or CircuitBreaker()
        self._circuit_breakers.put(host, circuit_breaker, MISSING_SECONDS)
        return circuit_breaker

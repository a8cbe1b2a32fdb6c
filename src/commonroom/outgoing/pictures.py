"""Pictures at addresses that people entered: fetched when first looked at, and kept small."""

from __future__ import annotations

import asyncio
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from commonroom.outgoing.caches import PictureCache, SingleFlight, TtlCache
from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import (
    Fetcher,
    FetchLimits,
    OutgoingError,
    TookTooLong,
    Unreachable,
)
from commonroom.sealed_tokens import SignedTokens
from commonroom.settings import Settings, secrets_of

Size: TypeAlias = Literal["small", "large"]
Thumbnails: TypeAlias = dict[Size, bytes]

BOXES: dict[Size, tuple[int, int]] = {"large": (600, 900), "small": (240, 360)}
"""For a page of its own and for a list, on screens with two dots where others have one."""


PURPOSE = "library covers"
"""What the key is derived for that signs names for those with an account."""
OPEN_PURPOSE = "pictures on open pages"
"""For names on pages that guests see: what stands in a library is not for them."""
ADDRESSES = "/pictures"
PICTURES = frozenset({"image/jpeg", "image/jpg", "image/png", "image/webp", "image/gif"})
LIMITS = FetchLimits(seconds=5.0, largest=5_000_000, types=PICTURES)
REDIRECTS = 3
"""Open Library, for one, sends on to where the Internet Archive keeps a cover."""
BATCH = 4
TOO_MANY = 429
MAX_HOSTS = 200
MAX_MISSING = 5000
MISSING_SECONDS = 3600.0
FAILED_SECONDS = 60.0
MAX_KEPT = 6000
"""Files, two for each picture: about 180 MB."""
MAX_IN_FLIGHT = 200
PATIENCE = 8.0
"""How long a page waits for a picture; it is fetched all the same, and there the next time."""


def file_name(address: str, size: Size) -> str:
    """Returns what the picture at an address is kept as."""
    return f"{sha256(address.encode()).hexdigest()[:40]}-{size}.webp"


class PictureNames:
    """Signs and opens the names of an installation; all of its machines agree on them."""

    def __init__(self, settings: Settings, purpose: str = PURPOSE) -> None:
        self._settings = settings
        self._purpose = purpose

    def name(self, address: str) -> str:
        """Returns the name of the picture at an address."""
        return self._tokens.sign(address)

    def address(self, name: str) -> str | None:
        """Returns what a name means; None where it was not given here."""
        return self._tokens.open(name)

    @cached_property
    def _tokens(self) -> SignedTokens:
        """Made when the first is needed."""
        return SignedTokens(secrets_of(self._settings).derived(self._purpose))


class _NoPicture(Exception):
    """There is none to be had, for so many seconds at least."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


class PictureServers:
    """Everybody's servers of pictures, each by itself."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._at_once = asyncio.Semaphore(BATCH)
        # Pictures take much room while they are unpacked: one at a time.
        self._unpacking = asyncio.Semaphore(1)
        self._circuit_breakers: TtlCache[CircuitBreaker] = TtlCache(MAX_HOSTS)
        self._missing: TtlCache[bool] = TtlCache(MAX_MISSING)

    def is_missing(self, address: str) -> bool:
        """Whether there was no picture at an address when it was last asked, not long ago."""
        return self._missing.get(address) is not None

    async def picture(self, address: str) -> Thumbnails | None:
        """Returns the picture at an address in all sizes; None where there is none to be had."""
        try:
            async with self._at_once:
                data = await self._fetch(address, self._circuit_breaker(address))
            return await self._unpack(data)
        except _NoPicture as none:
            self._missing.put(address, True, none.seconds)
            return None

    async def _fetch(self, address: str, circuit_breaker: CircuitBreaker) -> bytes:
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

    async def _unpack(self, data: bytes) -> Thumbnails:
        from commonroom.outgoing.thumbnails import thumbnails

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


class FetchedPictures:
    """Pictures by their addresses; only names that were given here lead to one."""

    def __init__(
        self,
        folder: Path,
        names: PictureNames,
        fetcher: Fetcher | None,
        open_names: PictureNames | None = None,
    ) -> None:
        self._folder = PictureCache(folder, most=MAX_KEPT)
        self._names = names
        self._open_names = open_names or names
        self._fetcher = fetcher
        self._servers = None if fetcher is None else PictureServers(fetcher)
        self._single_flight: SingleFlight[Thumbnails | None] = SingleFlight(MAX_IN_FLIGHT)

    @classmethod
    def of(cls, settings: Settings) -> FetchedPictures:
        """Returns those of an installation."""
        fetcher = Fetcher.for_user_addresses() if settings.covers else None
        open_names = PictureNames(settings, OPEN_PURPOSE)
        return cls(settings.data / "covers", PictureNames(settings), fetcher, open_names)

    def name(self, picture_url: str | None) -> str | None:
        """Returns what a picture is asked for by; None where there is none to ask for."""
        if picture_url is None or self._servers is None:
            return None
        return self._names.name(picture_url)

    def address(self, picture_url: str | None, size: Size = "small") -> str | None:
        """Returns where pages that are open to guests show a picture; None where one is drawn."""
        if picture_url is None or self._servers is None:
            return None
        return f"{ADDRESSES}/{size}/{self._open_names.name(picture_url)}"

    async def picture(self, name: str, size: Size) -> bytes | None:
        """Returns a picture; None where there is none to be had, and the page has drawn one."""
        return await self._picture(self._names.address(name), size, fetches=True)

    async def open_picture(self, name: str, size: Size, *, fetches: bool) -> bytes | None:
        """Returns a picture of a page that is open to guests, for whom nothing is fetched."""
        return await self._picture(self._open_names.address(name), size, fetches=fetches)

    async def _picture(self, address: str | None, size: Size, *, fetches: bool) -> bytes | None:
        if address is None or self._servers is None:
            return None
        cached = await asyncio.to_thread(self._folder.get, file_name(address, size))
        if cached is not None or not fetches or self._servers.is_missing(address):
            return cached
        fetched = partial(self._fetch, self._servers, address)
        try:
            async with asyncio.timeout(PATIENCE):
                made = await self._single_flight.run(address, fetched)
        except (OutgoingError, TimeoutError):
            return None
        return None if made is None else made[size]

    async def close(self) -> None:
        """Stops what is being fetched."""
        await self._single_flight.close()
        if self._fetcher is not None:
            await self._fetcher.close()

    async def _fetch(self, servers: PictureServers, address: str) -> Thumbnails | None:
        made = await servers.picture(address)
        for size, picture in (made or {}).items():
            await asyncio.to_thread(self._folder.put, file_name(address, size), picture)
        return made

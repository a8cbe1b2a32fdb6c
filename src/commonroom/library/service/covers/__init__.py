"""Covers: pictures of items, fetched when they are first looked at, and kept small."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

from commonroom.library.service.covers.fetching import PictureServers
from commonroom.library.service.covers.sealing import Seal
from commonroom.library.service.covers.sizes import BOXES, Size, Thumbnails, file_name
from commonroom.outgoing.errors import OutgoingError
from commonroom.outgoing.fetcher import Fetcher
from commonroom.outgoing.picture_cache import PictureCache
from commonroom.outgoing.single_flight import SingleFlight
from commonroom.settings import Settings

MOST_KEPT = 6000
"""Files, two for each picture: about 180 MB."""
MOST_IN_FLIGHT = 200
PATIENCE = 8.0
"""How long a page waits for a picture; it is fetched all the same, and there the next time."""


class Covers:
    """Pictures by the `picture_url` of items; only names that were given here lead to one."""

    def __init__(self, folder: Path, seal: Seal, fetcher: Fetcher | None) -> None:
        self._folder = PictureCache(folder, most=MOST_KEPT)
        self._seal = seal
        self._fetcher = fetcher
        self._servers = None if fetcher is None else PictureServers(fetcher)
        self._single_flight: SingleFlight[Thumbnails | None] = SingleFlight(MOST_IN_FLIGHT)

    @classmethod
    def of(cls, settings: Settings) -> Covers:
        """Those of an installation."""
        fetcher = Fetcher.for_user_addresses() if settings.covers else None
        return cls(settings.data / "covers", Seal(settings), fetcher)

    def name(self, picture_url: str | None) -> str | None:
        """What a cover is asked for by; None where there is none to ask for."""
        if picture_url is None or self._servers is None:
            return None
        return self._seal.name(picture_url)

    async def cover(self, name: str, size: Size) -> bytes | None:
        """A cover; None where there is none to be had, and the page has drawn one."""
        address = self._seal.address(name)
        if address is None or self._servers is None:
            return None
        kept = await asyncio.to_thread(self._folder.get, file_name(address, size))
        if kept is not None or self._servers.is_missing(address):
            return kept
        fetched = partial(self._fetched, self._servers, address)
        try:
            async with asyncio.timeout(PATIENCE):
                made = await self._single_flight.run(address, fetched)
        except (OutgoingError, TimeoutError):
            return None
        return None if made is None else made[size]

    async def close(self) -> None:
        """Gives up what is being fetched."""
        await self._single_flight.close()
        if self._fetcher is not None:
            await self._fetcher.close()

    async def _fetched(self, servers: PictureServers, address: str) -> Thumbnails | None:
        made = await servers.picture(address)
        for size, picture in (made or {}).items():
            await asyncio.to_thread(self._folder.put, file_name(address, size), picture)
        return made


__all__ = ["BOXES", "Covers", "Seal", "Size"]

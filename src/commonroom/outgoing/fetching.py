"""The guarded fetcher: the one way out to other people's servers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from commonroom.outgoing.answers import Answer, Limits, Request
from commonroom.outgoing.errors import TookTooLong, Unreachable
from commonroom.outgoing.network import Network
from commonroom.settings import Settings

if TYPE_CHECKING:
    from commonroom.outgoing.asking import Asking

MOST_REDIRECTS = 3
USUAL = Limits()


class Fetcher:
    """Asks public servers by https, within limits; and those whom the operator named, as they are.

    What it needs is loaded with the first request: many houses never ask anybody.
    """

    def __init__(self, trusted: Iterable[str] = (), network: Network | None = None) -> None:
        self._trusted = tuple(trusted)
        self._network = network or Network()
        self._asking: Asking | None = None
        self._closed = False

    @classmethod
    def of(cls, settings: Settings) -> Fetcher:
        """For the services that the operator named, wherever they are."""
        return cls([settings.tmdb_address, settings.open_library_address])

    @classmethod
    def for_user_addresses(cls) -> Fetcher:
        """For addresses that people gave: it trusts nobody.

        A server that the operator named for another purpose is none of theirs to speak to.
        """
        return cls()

    async def get(
        self,
        address: str,
        *,
        headers: Mapping[str, str] | None = None,
        limits: Limits = USUAL,
        redirects: int = 0,
    ) -> Answer:
        """Asks for what is at an address; follows so many redirects, each by the same rules."""
        request = Request(headers=headers or {}, limits=limits)
        return await self._ask(address, request, min(redirects, MOST_REDIRECTS))

    async def post(
        self,
        address: str,
        body: bytes,
        *,
        headers: Mapping[str, str] | None = None,
        limits: Limits = USUAL,
    ) -> Answer:
        """Sends something to an address; where the answer sends on to is not followed."""
        request = Request(method="POST", headers=headers or {}, body=body, limits=limits)
        return await self._ask(address, request, 0)

    async def close(self) -> None:
        """Lets go of all connections; nothing is asked afterwards."""
        self._closed = True
        if self._asking is not None:
            await self._asking.close()

    async def _ask(self, address: str, request: Request, redirects: int) -> Answer:
        if self._closed:
            raise Unreachable("Commonroom is shutting down.")
        try:
            async with asyncio.timeout(request.limits.seconds):
                return await self._opened().ask(address, request, redirects)
        except TimeoutError:
            raise TookTooLong(
                f"A response took longer than {request.limits.seconds:g} seconds."
            ) from None

    def _opened(self) -> Asking:
        if self._asking is None:
            from commonroom.outgoing.asking import Asking

            self._asking = Asking(self._trusted, self._network)
        return self._asking

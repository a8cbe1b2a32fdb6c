"""The HTTP client: the one way out to other people's servers, guarded and within limits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from commonroom.settings import Settings

if TYPE_CHECKING:
    from commonroom.outgoing.address_guard import Network
    from commonroom.outgoing.transport import Transport
from typing import ClassVar

from commonroom.errors import CommonroomError

MAX_REDIRECTS = 3


class OutgoingError(CommonroomError):
    """The base of all errors about requests that go out."""

    status: ClassVar[int] = 503
    title = "Another server is not available"


class NotPublic(OutgoingError):
    """The address is none that Commonroom asks: not https, not public, or not an address."""

    status: ClassVar[int] = 422
    title = "This address is not allowed"


class Unreachable(OutgoingError):
    """The server cannot be reached, or its answer is none."""


class TookTooLong(OutgoingError):
    """The answer did not come in time."""


class TooLarge(OutgoingError):
    """The answer is larger than was asked for."""


class OtherType(OutgoingError):
    """The answer is of another type than was asked for."""


class FetchLimits(Struct, frozen=True, kw_only=True):
    """How large a response may be, and how long it is waited for."""

    seconds: float = 10.0
    """For everything together: names, connecting, redirects, the whole body."""
    connect_seconds: float = 5.0
    largest: int = 1_000_000
    """Bytes, decompressed."""
    types: frozenset[str] = frozenset()
    """Of which content type a success must be; empty for whichever."""


class OutgoingRequest(Struct, frozen=True, kw_only=True):
    """What is sent, apart from where to."""

    method: str = "GET"
    headers: Mapping[str, str] = {}
    body: bytes | None = None
    limits: FetchLimits = FetchLimits()


class OutgoingResponse(Struct, frozen=True):
    """What a server answered, whatever its status."""

    status: int
    headers: Mapping[str, str]
    """By name in small letters."""
    body: bytes


DEFAULT_LIMITS = FetchLimits()


class Fetcher:
    """Asks public servers by https, within limits; and those whom the operator named, as they are.

    What it needs is loaded with the first request: many houses never ask anybody.
    """

    def __init__(self, trusted: Iterable[str] = (), network: Network | None = None) -> None:
        self._trusted = tuple(trusted)
        self._network = network
        self._transport: Transport | None = None
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
        limits: FetchLimits = DEFAULT_LIMITS,
        redirects: int = 0,
    ) -> OutgoingResponse:
        """Sends a GET request; follows so many redirects, each by the same rules."""
        request = OutgoingRequest(headers=headers or {}, limits=limits)
        return await self._send(address, request, min(redirects, MAX_REDIRECTS))

    async def post(
        self,
        address: str,
        body: bytes,
        *,
        headers: Mapping[str, str] | None = None,
        limits: FetchLimits = DEFAULT_LIMITS,
    ) -> OutgoingResponse:
        """Sends a POST request; a redirect is not followed."""
        request = OutgoingRequest(method="POST", headers=headers or {}, body=body, limits=limits)
        return await self._send(address, request, 0)

    async def send(self, address: str, request: OutgoingRequest) -> OutgoingResponse:
        """Sends a request of any method; a redirect is not followed."""
        return await self._send(address, request, 0)

    async def close(self) -> None:
        """Closes all connections; nothing is sent afterwards."""
        self._closed = True
        if self._transport is not None:
            await self._transport.close()

    async def _send(
        self, address: str, request: OutgoingRequest, redirects: int
    ) -> OutgoingResponse:
        if self._closed:
            raise Unreachable("Commonroom is shutting down.")
        try:
            async with asyncio.timeout(request.limits.seconds):
                return await self._opened().send(address, request, redirects)
        except TimeoutError:
            raise TookTooLong(
                f"A response took longer than {request.limits.seconds:g} seconds."
            ) from None

    def _opened(self) -> Transport:
        if self._transport is None:
            from commonroom.outgoing.address_guard import Network
            from commonroom.outgoing.transport import Transport

            self._transport = Transport(self._trusted, self._network or Network())
        return self._transport

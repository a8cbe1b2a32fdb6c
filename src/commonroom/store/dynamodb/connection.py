"""Connection to DynamoDB: settings, signed requests, retries with backoff, typed errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, TypeAlias

import aiohttp
from aiodynamo.client import Client
from aiodynamo.http.types import Request, RequestFailed, Response
from aiodynamo.models import DecorelatedJitterRetry, RetryConfig, RetryTimeout
from yarl import URL

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.credentials import find_credentials
from commonroom.store.dynamodb.errors import (
    CANCELLED,
    FAILURES,
    FailedAttempt,
    parse_failure,
    store_error,
)
from commonroom.store.errors import Unavailable

Payload: TypeAlias = dict[str, Any]

LARGE = 2**20
"""From here on aiohttp wants to send a body in pieces, so that others get their turn."""

DELAYS = DecorelatedJitterRetry(base_delay_secs=0.05, max_delay_secs=1)


@dataclass(frozen=True, slots=True)
class DynamoSettings:
    """What an engine on DynamoDB is to know; credentials come from the environment."""

    region: str
    prefix: str = ""
    """What every table's name begins with, so that one account can hold several houses."""
    endpoint: str | None = None
    """Another address than the region's own, such as DynamoDB Local's."""
    instance_role: bool = False
    """Whether to ask the EC2 instance for credentials; nothing else ever asks it."""
    seconds: float = 10.0
    """How long a request is tried again before the engine gives up."""
    attempt_seconds: float = 5.0
    """How long one attempt may take; the last one may go that far beyond `seconds`."""
    connect_seconds: float = 3.0
    """How long the first request is tried, so that a wrong endpoint is known soon."""
    creation_seconds: float = 300.0
    """How long new tables may take to become active."""

    @property
    def address(self) -> str:
        """The address that requests go to."""
        return self.endpoint or f"https://dynamodb.{self.region}.amazonaws.com"

    def table_name(self, table: Table) -> str:
        """Returns a table's name in the database."""
        return self.prefix + table.name


class HttpClient:
    """The connection pool that aiodynamo sends its requests over, by aiohttp."""

    def __init__(self, seconds: float) -> None:
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=seconds),
            connector=aiohttp.TCPConnector(keepalive_timeout=50),
            # Unpacking costs more than the network that packing saves; cookies mean nothing here.
            headers={"Accept-Encoding": "identity"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    @property
    def closed(self) -> bool:
        """Whether it has let go of its connections."""
        return self._session.closed

    async def __call__(self, request: Request) -> Response:
        """Sends a request of aiodynamo's and reads the whole answer."""
        body = request.body
        data = BytesIO(body) if body is not None and len(body) >= LARGE else body
        try:
            async with self._session.request(
                request.method, request.url, headers=request.headers, data=data
            ) as response:
                return Response(response.status, await response.read())
        except aiohttp.ClientError as error:
            raise RequestFailed(error) from error

    async def close(self) -> None:
        """Lets go of the connections."""
        await self._session.close()


class Backoff:
    """Pauses between attempts that grow with jitter, until the time is up."""

    __slots__ = ("_delays", "_until", "_until_by_calendar")

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        # A machine that slept wakes up with the first clock where it was; by the second it knows
        # that DynamoDB may have forgotten the token of what it would send again.
        self._until_by_calendar = time.time() + seconds
        self._delays: Iterator[float] | None = None

    async def wait(self) -> bool:
        """Waits a little before the next attempt; False, at once, when the time is up."""
        left = min(self._until - time.monotonic(), self._until_by_calendar - time.time())
        if left <= 0:
            return False
        self._delays = self._delays or iter(DELAYS.delays())
        await asyncio.sleep(min(left, next(self._delays)))
        return True


class NoRetry(RetryConfig):
    """Keeps aiodynamo from retrying by itself: `Connection` alone decides about that."""

    def delays(self) -> Iterable[float]:
        return ()

    def attempts(self) -> AsyncIterator[None]:
        # Not an async generator: one that is left half-way costs the event loop a task to close.
        return _SingleAttempt()


class _SingleAttempt(AsyncIterator[None]):
    __slots__ = ("_done",)

    def __init__(self) -> None:
        self._done = False

    async def __anext__(self) -> None:
        if self._done:
            raise RetryTimeout
        self._done = True


class TransactionCancelled(Exception):
    """A transaction that was cancelled for good, with the reason for each of its operations."""

    def __init__(self, reasons: list[dict[str, Any]]) -> None:
        super().__init__(reasons)
        self.reasons = reasons


class Connection:
    """One pool of connections to one endpoint."""

    def __init__(self, settings: DynamoSettings) -> None:
        self.settings = settings
        self.credentials = find_credentials(instance_role=settings.instance_role)
        endpoint = _url(settings.endpoint) if settings.endpoint else None
        self.http = HttpClient(settings.attempt_seconds)
        self._client = Client(
            self.http, self.credentials, settings.region, endpoint, throttle_config=NoRetry()
        )

    async def send(
        self,
        action: str,
        payload: Payload,
        *,
        seconds: float | None = None,
        ignore: Collection[str] = (),
    ) -> Payload:
        """Sends a request, with retries while they may help, and returns the answer.

        A failure with a code to ignore is an answer too, an empty one.
        """
        if self.http.closed:
            raise Unavailable("The connection to DynamoDB has been closed.")
        backoff = Backoff(self.settings.seconds if seconds is None else seconds)
        while True:
            try:
                return await self._client.send_request(action=action, payload=payload)
            except FAILURES as error:
                failure = parse_failure(error)
                if failure.code in ignore:
                    return {}
                if not self._may_retry(failure) or not await backoff.wait():
                    raise self._store_error(failure, payload) from error

    async def close(self) -> None:
        """Lets go of the connections."""
        await self.http.close()

    def _may_retry(self, failure: FailedAttempt) -> bool:
        if failure.code == "ExpiredTokenException":
            return self.credentials.invalidate()
        return failure.retryable

    def _store_error(self, failure: FailedAttempt, payload: Payload) -> Exception:
        if failure.code == CANCELLED and not failure.retryable:
            return TransactionCancelled(failure.reasons)
        return store_error(failure, self.settings.address, set(_tables(payload)))


def _url(endpoint: str) -> URL:
    try:
        url = URL(endpoint)
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise Unavailable(f"{endpoint} is no address of a DynamoDB: it should be http(s)://host.")
    return url


def _tables(payload: Mapping[str, Any]) -> Iterator[str]:
    if "TableName" in payload:
        yield payload["TableName"]
    yield from payload.get("RequestItems", ())
    for operation in payload.get("TransactItems", ()):
        for body in operation.values():
            yield body["TableName"]

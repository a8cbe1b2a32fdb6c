"""Requests to OpenSearch: by its HTTP API, through the guarded client, with retries and limits."""

from __future__ import annotations

import asyncio
import random
from base64 import b64encode
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import (
    Fetcher,
    FetchLimits,
    OutgoingError,
    OutgoingRequest,
    OutgoingResponse,
)
from commonroom.search.index import SearchUnavailable

JSON, NDJSON = "application/json", "application/x-ndjson"
BUSY = frozenset({429, 502, 503, 504})
"""What passes by itself; nothing was done, or it may be done again."""
ATTEMPTS = 4
FIRST_PAUSE, MAX_PAUSE = 0.2, 5.0
READING = FetchLimits(seconds=3.0, connect_seconds=2.0, largest=10_000_000)
WRITING = FetchLimits(seconds=30.0, connect_seconds=5.0, largest=10_000_000)
REST_SECONDS = 10.0
"""How long it is left alone after it kept failing."""


class OpenSearchReply(Struct, frozen=True):
    """What OpenSearch answered: a success, that something is not there, or a conflict."""

    status: int
    body: dict[str, Any]

    @property
    def is_missing(self) -> bool:
        """Whether the index or document is not there."""
        return self.status == 404

    @property
    def is_conflict(self) -> bool:
        """Whether another process was quicker."""
        return self.status == 409


class OpenSearchClient:
    """One OpenSearch, as one user."""

    def __init__(self, fetcher: Fetcher, address: str, login: str) -> None:
        self._fetcher = fetcher
        self._address = address
        self._headers = {}
        if login:
            token = b64encode(login.encode()).decode()
            self._headers["Authorization"] = f"Basic {token}"
        self._circuit_breaker = CircuitBreaker(seconds=REST_SECONDS)

    async def read(
        self, method: str, path: str, body: object = None, **parameters: str
    ) -> OpenSearchReply:
        """Sends a request, quickly or not at all: a person waits for it."""
        if not self._circuit_breaker.allows():
            raise SearchUnavailable("OpenSearch did not respond just now, and is left alone.")
        request = self._request(method, body, READING)
        return await self._send(path, request, parameters, attempts=2)

    async def write(
        self, method: str, path: str, body: object = None, **parameters: str
    ) -> OpenSearchReply:
        """Changes something, in a way that may be repeated; waits where OpenSearch is busy."""
        request = self._request(method, body, WRITING)
        return await self._send(path, request, parameters, attempts=ATTEMPTS)

    async def create(self, index: str, body: object) -> None:
        """Makes an index, unless another process just did."""
        await self.write("PUT", f"/{index}", body)

    async def close(self) -> None:
        """Lets go of connections."""
        await self._fetcher.close()

    def _request(self, method: str, body: object, limits: FetchLimits) -> OutgoingRequest:
        headers, content = dict(self._headers), None
        if isinstance(body, bytes):
            headers["Content-Type"], content = NDJSON, body
        elif body is not None:
            headers["Content-Type"], content = JSON, msgspec.json.encode(body)
        return OutgoingRequest(method=method, headers=headers, body=content, limits=limits)

    async def _send(
        self, path: str, request: OutgoingRequest, parameters: Mapping[str, str], *, attempts: int
    ) -> OpenSearchReply:
        query = f"?{urlencode(parameters)}" if parameters else ""
        pause, failure = FIRST_PAUSE, SearchUnavailable("OpenSearch was not asked.")
        for attempt in range(attempts):
            if attempt:
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
                pause = min(2 * pause, MAX_PAUSE)
            try:
                response = await self._fetcher.send(f"{self._address}{path}{query}", request)
            except OutgoingError as error:
                self._circuit_breaker.failed()
                failure = SearchUnavailable(f"OpenSearch cannot be asked: {error.detail}")
                continue
            if response.status not in BUSY:
                self._circuit_breaker.succeeded()
                return _answer(response)
            self._circuit_breaker.failed()
            failure = SearchUnavailable(f"OpenSearch is busy ({response.status}).")
        raise failure


def _answer(response: OutgoingResponse) -> OpenSearchReply:
    try:
        body = msgspec.json.decode(response.body, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise SearchUnavailable("OpenSearch gives an answer that is none.") from error
    if response.status in (401, 403):
        raise SearchUnavailable(f"OpenSearch refuses the login ({response.status}).")
    if error_type(body) == "resource_already_exists_exception":
        return OpenSearchReply(409, body)
    answer = OpenSearchReply(response.status, body)
    if response.status >= 300 and not (answer.is_missing or answer.is_conflict):
        raise SearchUnavailable(f"OpenSearch refuses a request: {error_type(body)}.")
    return answer


def error_type(body: Mapping[str, Any]) -> str:
    """Returns what kind of error an answer tells of; never what it quotes."""
    error = body.get("error")
    return str(error.get("type")) if isinstance(error, dict) else "no reason is given"

"""Visitors who ask a server for one thing again and again, over connections that stay open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

CONNECTIONS = 16
SECONDS = 30.0
"""How long a round may take at most."""


class Visitor(asyncio.Protocol):
    """One connection, which asks again as soon as it was answered."""

    def __init__(self, request: bytes, expected: bytes = b"") -> None:
        self._request = request
        self._expected = expected
        """The body that every answer must have, if it is known."""
        self._received = b""
        self._size = 0
        self._left = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keeps the connection."""
        self._transport = cast("asyncio.Transport", transport)

    async def ask(self, times: int) -> bytes:
        """Asks so many times, one after the other; gives the body of the last answer."""
        self._left = times
        self._last: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._transport.write(self._request)
        return await self._last

    def data_received(self, data: bytes) -> None:
        """Takes a part of an answer, or all of it; all answers have the same size."""
        self._received += data
        if not self._size:
            self._size = _size(self._received)
        if self._size and len(self._received) >= self._size:
            answer, self._received = self._received, b""
            self._left -= 1
            self._look_at(answer)

    def _look_at(self, answer: bytes) -> None:
        if not answer.startswith(b"HTTP/1.1 200 ") or not answer.endswith(self._expected):
            self._fail(f"Another answer than the first: {answer[:500]!r}")
        elif self._left:
            self._transport.write(self._request)
        else:
            self._last.set_result(answer.partition(b"\r\n\r\n")[2])

    def connection_lost(self, error: Exception | None) -> None:
        """Says so where somebody waits for an answer."""
        if self._left:
            self._fail(f"The server closed the connection: {error}")

    def close(self) -> None:
        """Lets go of the connection."""
        self._transport.close()

    def _fail(self, why: str) -> None:
        if not self._last.done():
            self._last.set_exception(ConnectionError(why))


class Visitors:
    """Many at once; `body` is what the first of them was answered."""

    def __init__(self, body: bytes, visitors: Sequence[Visitor]) -> None:
        self.body = body
        self._visitors = visitors

    async def ask(self, times: int) -> None:
        """So many requests in all, shared evenly."""
        each = times // len(self._visitors)
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(*(visitor.ask(each) for visitor in self._visitors))

    def close(self) -> None:
        """Lets go of all connections."""
        for visitor in self._visitors:
            visitor.close()


async def visitors(
    port: int, path: str, cookie: str = "", *, alike: bool = True, most: int = CONNECTIONS
) -> Visitors:
    """Visitors of a server on loopback, which has answered once.

    Answers may differ in a sealed cursor of one length, where they need not be `alike`.
    """
    body = await answered(port, path, cookie)
    expected = body if alike else b""
    made = [await _connected(port, _request(path, cookie), expected) for _ in range(most)]
    return Visitors(body, made)


async def answered(port: int, path: str, cookie: str = "") -> bytes:
    """The body of one answer."""
    visitor = await _connected(port, _request(path, cookie))
    try:
        async with asyncio.timeout(SECONDS):
            return await visitor.ask(1)
    finally:
        visitor.close()


async def _connected(port: int, request: bytes, expected: bytes = b"") -> Visitor:
    loop = asyncio.get_running_loop()
    _, visitor = await loop.create_connection(lambda: Visitor(request, expected), "127.0.0.1", port)
    return visitor


def _request(path: str, cookie: str) -> bytes:
    head = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
    head += [f"Cookie: {cookie}"] if cookie else []
    return "\r\n".join([*head, "", ""]).encode()


def _size(received: bytes) -> int:
    """How many bytes an answer has in all; 0 as long as its head is not whole."""
    head, ended, _ = received.partition(b"\r\n\r\n")
    fields = dict(line.lower().partition(b":")[::2] for line in head.split(b"\r\n"))
    return len(head) + len(ended) + int(fields.get(b"content-length", 0)) if ended else 0

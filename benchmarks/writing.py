"""Writers who ask a server for changes over one connection, and wait for what follows from them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from benchmarks.serving import Serving

SECONDS = 60.0
"""How long one answer, or what follows from some, may take at most."""
QUIET_SECONDS, QUIET_PROCESSOR = 0.3, 0.003
"""A server that has worked no longer than this for so long is done with what follows."""


class Wanted(Struct, frozen=True):
    """A change that a server is asked for."""

    method: str
    path: str
    body: object = None


class Writer:
    """One connection, over which one change is asked for after the other."""

    def __init__(
        self, server: Serving, changes: Iterator[Wanted], cookie: str, prefix: str = ""
    ) -> None:
        self._server = server
        self._changes = changes
        self._cookie = cookie
        self._prefix = prefix

    async def open(self) -> None:
        """Connects."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._server.port)

    async def ask(self, times: int) -> bytes:
        """Asks for so many changes, and waits until all has followed; gives the last answer."""
        answer = b""
        async with asyncio.timeout(SECONDS):
            for _ in range(times):
                answer = await self._ask(next(self._changes))
            await settled(self._server)
        return answer

    def close(self) -> None:
        """Lets go of the connection."""
        self._writer.close()

    async def _ask(self, wanted: Wanted) -> bytes:
        body = b"" if wanted.body is None else msgspec.json.encode(wanted.body)
        head = [
            f"{wanted.method} {self._prefix}{wanted.path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Accept: application/json",
            f"Cookie: {self._cookie}",
            f"Content-Length: {len(body)}",
        ]
        if body:
            head.append("Content-Type: application/json")
        self._writer.write("\r\n".join([*head, "", ""]).encode() + body)
        said = await self._reader.readuntil(b"\r\n\r\n")
        status, *lines = said.split(b"\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in lines if line)
        answer = await self._reader.readexactly(int(fields.get(b"content-length", 0)))
        if not status.startswith(b"HTTP/1.1 20"):
            raise ConnectionError(f"{wanted.path} was answered {status!r} {answer[:500]!r}")
        return answer


async def settled(server: Serving) -> None:
    """Waits until a server has done all that follows from what it was asked for."""
    worked = QUIET_PROCESSOR
    while worked >= QUIET_PROCESSOR:
        before = server.cpu_seconds()
        await asyncio.sleep(QUIET_SECONDS)
        worked = server.cpu_seconds() - before

"""Attacks on a server's connections: many of them, silent, half-sent, never read, or live.

Each takes a host and a port, is bounded in number and time, and gives its figures.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

Connection: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

BATCH = 100
"""How many connect at the same time, so that the system's own queue is not what is measured."""
ANSWER_SECONDS = 60.0

SILENT = b""
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HALF_BODY = (
    b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nemail="
)


async def hold(host: str, port: int, *, number: int, sent: bytes, seconds: float) -> dict[str, Any]:
    """Opens so many connections that send this and no more; does the server let go of them?

    Asks for `/health/live` while all of them are open.
    """
    async with connections(host, port, number) as held:
        for _, writer in held:
            writer.write(sent)
        health = await status_of(host, port, "/health/live")
        began = time.monotonic()
        ends = await asyncio.gather(*(_answer_until_closed(one, seconds) for one in held))
    return {
        "opened": len(held),
        "health": health,
        "closed": sum(end is not None for end in ends),
        "answered": dict(Counter(_status(end) for end in ends if end)),
        "seconds": round(time.monotonic() - began, 1),
    }


async def drip(
    host: str, port: int, *, number: int, part: bytes, pause: float, seconds: float
) -> dict[str, Any]:
    """Sends bodies a few bytes at a time, never to their end; does the server let go of them?"""

    async def send_slowly(writer: asyncio.StreamWriter) -> None:
        while not writer.is_closing():
            writer.write(part)
            await asyncio.sleep(pause)

    async with connections(host, port, number) as held:
        for _, writer in held:
            writer.write(HALF_BODY.replace(b": 100", b": 5000"))
        dripping = [asyncio.create_task(send_slowly(writer)) for _, writer in held]
        health = await status_of(host, port, "/health/live")
        ends = await asyncio.gather(*(_answer_until_closed(one, seconds) for one in held))
        for one in dripping:
            one.cancel()
        await asyncio.gather(*dripping, return_exceptions=True)
    return {
        "opened": len(held),
        "health": health,
        "closed": sum(end is not None for end in ends),
        "answered": dict(Counter(_status(end) for end in ends if end)),
    }


async def open_live_pages(
    host: str,
    port: int,
    path: str,
    *,
    number: int,
    headers: Sequence[Mapping[str, str]] = ({},),
) -> dict[str, Any]:
    """Opens so many live pages, with these headers in turn; what is each of them answered?

    Asks for `/health/live` and an ordinary page while all of them are open.
    """
    async with connections(host, port, number) as held:
        for place, (_, writer) in enumerate(held):
            writer.write(request(path, headers[place % len(headers)]))
        heads = await asyncio.gather(*(_head(reader) for reader, _ in held))
        health = await status_of(host, port, "/health/live")
        page = await status_of(host, port, "/sign-in")
    return {
        "opened": len(held),
        "answered": dict(Counter(map(_status, heads))),
        "retry_after": sorted({one for head in heads if (one := _retry_after(head)) is not None}),
        "health": health,
        "page": page,
    }


@asynccontextmanager
async def connections(host: str, port: int, number: int) -> AsyncIterator[list[Connection]]:
    """So many open connections."""
    made: list[Connection] = []
    try:
        for start in range(0, number, BATCH):
            some = range(start, min(start + BATCH, number))
            made += await asyncio.gather(*(asyncio.open_connection(host, port) for _ in some))
        yield made
    finally:
        for _, writer in made:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in made), return_exceptions=True)


def request(path: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> bytes:
    """A request without a body, over a connection that stays open."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join([*lines, "", ""]).encode()


async def status_of(
    host: str, port: int, path: str, headers: Mapping[str, str] | None = None
) -> int:
    """What one more request is answered; 0 where it is not within a minute."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS), connections(host, port, 1) as ((one),):
            reader, writer = one
            writer.write(request(path, headers))
            return _status(await _head(reader))
    except (TimeoutError, OSError):
        return 0


async def _head(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(ANSWER_SECONDS):
        return await reader.readuntil(b"\r\n\r\n")


async def _answer_until_closed(connection: Connection, seconds: float) -> bytes | None:
    """All that a server answers until it closes; None where it does not within these seconds."""
    try:
        async with asyncio.timeout(seconds):
            return await connection[0].read()
    except TimeoutError:
        return None
    except ConnectionError:
        return b""


def _status(answer: bytes) -> int:
    parts = answer.split(b" ", 2)
    return int(parts[1]) if len(parts) > 1 else 0


def _retry_after(head: bytes) -> int | None:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"retry-after:"):
            return int(line.partition(b":")[2])
    return None

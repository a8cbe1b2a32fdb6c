"""Attacks on the edges of the server: odd paths, odd hosts, and uploads that break off.

Each is bounded, speaks to a running server by plain sockets, and returns its figures.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

Figures: TypeAlias = dict[str, int]
Route: TypeAlias = tuple[str, str]
"""A method, and a path with its parameters in braces as routes write them."""

ODD_SEGMENTS = (
    b"%C3%A9%F0%9F%8E%AC",  # non-ASCII, as browsers send it
    "é🎬".encode(),  # non-ASCII, as no browser sends it
    b"%FF%C3%28",  # no UTF-8
    b"%ED%A0%80",  # a lone surrogate
    b"abc%0d%0aX-Injected:%201",
    b"a%0ab%0bc%0cd%85e%E2%80%A8f",  # whatever may end a line
    b"%00",
    b"a%00b",
    b"%1b[31mred",
    b"%2f%2fevil.example",
    b"%2e%2e%2f%2e%2e",
    b"..",
    b"%E2%80%AEgpj.exe",  # right to left
    b"{}%7Bshort_id%7D%25s%25",
    b"%23%3f%26%3d%3b%5c",
    b"%20%20",
    b"%",
    b"x" * 5000,
)
ODD_QUERIES = (
    b"%FF=%FF",
    b"a=%0d%0aX-Injected:1&a=%00&a=%1b[2J",
    b"cursor=%ED%A0%80&next=%2f%2fevil.example&q=%E2%80%AE",
    b"limit=1e999&limit=-1&page=" + b"9" * 400,
    b"&&==&%&=%",
    "q=é".encode(),
)
ODD_HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"Cookie", b"session=\xff\xfe; theme=\xe9; said=%00; ;;=; acting_as=\xe9"),
    (b"Cookie", b"session=" + b"a" * 6000),
    (b"Authorization", b"Bearer \xff\xe9"),
    (b"Accept-Language", b"\xff;q=nan, de;q=1e999, *;q=-"),
    (b"X-Forwarded-For", b"\xe9, ::::, 999.1.1.1"),
    (b"X-Request-Id", b"\x1b]0;title\x07"),
    (b"X-Acting-As-Member", b"\xff" * 300),
    (b"Content-Type", b"multipart/form-data; boundary=\xff"),
    (b"If-None-Match", b'W/"\xff, ,' + b"x" * 3000),
    (b"Range", b"bytes=-1-,9"),
    (b"Idempotency-Key", b"\xff" * 20),
    (b"User-Agent", b"\xff\xe9" + b"u" * 3000),
)
ODD_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND")
ODD_HOSTS = (
    b"evil.example",
    b"evil.example:8400",
    b"127.0.0.1.evil.example",
    b"localhost.evil.example",
    b"evil.example#localhost",
    b"user@localhost",
    b"\xff\xe9",
    b"a b",
    b"",
    b"[::1",
    b"x" * 3000,
)

_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")


class Asked(NamedTuple):
    """One request as it goes over the wire."""

    method: str
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()
    host: bytes | None = None

    def raw(self, host: str, port: int) -> bytes:
        """All its bytes; a request that is no read has an empty form as its body."""
        named = f"{host}:{port}".encode() if self.host is None else self.host
        lines = [b"%b %b HTTP/1.1" % (self.method.encode(), self.target), b"Host: " + named]
        lines += [b"%b: %b" % header for header in self.headers]
        if self.method not in ("GET", "HEAD", "OPTIONS", "TRACE"):
            lines.append(b"Content-Length: 0")
        return b"\r\n".join(lines) + b"\r\n\r\n"


def odd_requests(
    routes: Sequence[Route],
    places: Mapping[str, str],
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> Iterator[Asked]:
    """Every route with every odd text in each of its parameters, and one in every other segment.

    Parameters that are not odd are filled from `places`.
    """
    for number, (method, path) in enumerate(routes):
        segments = path.strip("/").split("/")
        filled = [_filled(one, places) for one in segments]
        for place, segment in enumerate(segments):
            odd: Sequence[bytes] = ODD_SEGMENTS
            if not _PARAMETER.fullmatch(segment):
                odd = (ODD_SEGMENTS[(number + place) % len(ODD_SEGMENTS)],)
            for one in odd:
                target = b"/" + b"/".join([*filled[:place], one, *filled[place + 1 :]])
                yield Asked(method, target, headers)
        yield from _oddly(number, b"/" + b"/".join(filled), headers)


def _oddly(number: int, target: bytes, headers: tuple[tuple[bytes, bytes], ...]) -> Iterator[Asked]:
    """Reads of a route with an odd query and odd headers, and one by an odd method."""
    for step in range(2):
        query = ODD_QUERIES[(number + step) % len(ODD_QUERIES)]
        header = ODD_HEADERS[(2 * number + step) % len(ODD_HEADERS)]
        yield Asked("GET", target + b"?" + query, headers)
        yield Asked("GET", target, (*headers, header))
    strange = target + b"/" + ODD_SEGMENTS[number % len(ODD_SEGMENTS)]
    yield Asked(ODD_METHODS[number % len(ODD_METHODS)], strange, headers)


def _filled(segment: str, places: Mapping[str, str]) -> bytes:
    return _PARAMETER.sub(lambda found: places.get(found[1], "1"), segment).encode()


async def odd_paths(
    host: str, port: int, requests: Iterable[Asked], *, connections: int = 4
) -> Figures:
    """Asks all of it over a few connections; counts answers by status, and what got none."""
    figures: Counter[str] = Counter()
    waiting = iter(requests)
    await asyncio.gather(*(_ask_all(host, port, waiting, figures) for _ in range(connections)))
    return dict(figures)


async def odd_hosts(host: str, port: int, paths: Sequence[str] = ("/",)) -> Figures:
    """Asks for each path under every odd name; counts answers by status."""
    requests = [Asked("GET", path.encode(), (), name) for path in paths for name in ODD_HOSTS]
    return await odd_paths(host, port, requests, connections=1)


async def aborted_posts(
    host: str, port: int, paths: Sequence[str] = ("/sign-in",), *, times: int = 20
) -> Figures:
    """Begins uploads and goes away in the middle, half of them by a reset."""
    for number in range(times):
        path = paths[number % len(paths)]
        kind = "json" if path.startswith("/api/") else "x-www-form-urlencoded"
        _, writer = await asyncio.open_connection(host, port)
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 5000\r\n"
            f"Content-Type: application/{kind}\r\n\r\nemail=a".encode()
        )
        await writer.drain()
        await asyncio.sleep(0.02)
        if number % 2:
            writer.transport.abort()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    return {"aborted": times}


async def _ask_all(host: str, port: int, waiting: Iterator[Asked], figures: Counter[str]) -> None:
    streams: _Streams | None = None
    for asked in waiting:
        if streams is None:
            streams = _Streams(*await asyncio.open_connection(host, port))
        status, goes_on = await streams.ask(asked.raw(host, port), head=asked.method == "HEAD")
        figures["requests"] += 1
        figures[f"{status // 100}xx" if status else "dropped"] += 1
        figures[str(status)] += 1
        if not goes_on:
            await streams.close()
            streams = None
    if streams is not None:
        await streams.close()


class _Streams:
    """A connection, with just enough HTTP to know where an answer ends."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def ask(self, raw: bytes, *, head: bool) -> tuple[int, bool]:
        """Sends a request; gives its status, 0 for none, and whether the connection goes on."""
        try:
            self._writer.write(raw)
            async with asyncio.timeout(60):
                return await self._answer(head=head)
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            return 0, False

    async def _answer(self, *, head: bool) -> tuple[int, bool]:
        first, *lines = (await self._reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        status = int(first.split()[1])
        headers = dict(line.partition(b": ")[::2] for line in lines if line)
        goes_on = headers.get(b"connection") != b"close"
        if head or status in (204, 304):
            return status, goes_on
        if b"content-length" in headers:
            await self._reader.readexactly(int(headers[b"content-length"]))
            return status, goes_on
        if headers.get(b"content-type", b"").startswith(b"text/event-stream"):
            return status, False
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            await self._reader.readexactly(size + 2)
        await self._reader.readexactly(2)
        return status, goes_on

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()

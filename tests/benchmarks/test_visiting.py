from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from benchmarks.visiting import CONNECTIONS, answered, visitors

Answer = Callable[[int], bytes]


class Standin:
    """A server that answers the n-th request as it is told to, in two parts."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[bytes] = []
        self.connections: list[asyncio.Task[None] | None] = []
        self._answer = answer

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until the other side or an answer of nothing ends it."""
        self.connections.append(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while answer := await self._next(reader):
                writer.write(answer[:10])
                await writer.drain()
                writer.write(answer[10:])
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def _next(self, reader: asyncio.StreamReader) -> bytes:
        self.requests.append(await reader.readuntil(b"\r\n\r\n"))
        return self._answer(len(self.requests))


@asynccontextmanager
async def standin(answer: Answer) -> AsyncIterator[tuple[Standin, int]]:
    """The server and its port."""
    made = Standin(answer)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    async with server:
        yield made, server.sockets[0].getsockname()[1]
    await asyncio.wait([task for task in made.connections if task is not None], timeout=10)


def fine(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


class TestVisitors:
    async def test_ask_as_often_as_they_are_told(self) -> None:
        async with standin(lambda _: fine(b"hello")) as (server, port):
            several = await visitors(port, "/things?limit=1", "session=secret")
            await several.ask(10 * CONNECTIONS)
            several.close()
        assert several.body == b"hello"
        assert len(server.requests) == 1 + 10 * CONNECTIONS
        assert set(server.requests) == {
            b"GET /things?limit=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n"
            b"Cookie: session=secret\r\n\r\n"
        }

    @pytest.mark.parametrize(
        "other",
        [fine(b"world"), b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello", b""],
    )
    async def test_notice_when_one_answer_is_not_like_the_first(self, other: bytes) -> None:
        async with standin(lambda number: other if number == 40 else fine(b"hello")) as (_, port):
            several = await visitors(port, "/")
            with pytest.raises(ConnectionError):
                await several.ask(10 * CONNECTIONS)
            several.close()

    async def test_take_answers_of_one_length_where_they_need_not_be_alike(self) -> None:
        async with standin(lambda number: fine(b"%05d" % number)) as (server, port):
            several = await visitors(port, "/", alike=False)
            await several.ask(10 * CONNECTIONS)
            several.close()
        assert len(server.requests) == 1 + 10 * CONNECTIONS


class TestOneAnswer:
    async def test_has_a_body(self) -> None:
        async with standin(lambda _: fine(b"hello")) as (_, port):
            assert await answered(port, "/") == b"hello"

    async def test_must_be_good(self) -> None:
        refusal = b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n"
        async with standin(lambda _: refusal) as (_, port):
            with pytest.raises(ConnectionError, match="401"):
                await answered(port, "/")

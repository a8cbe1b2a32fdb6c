"""The fetcher, with a server that the operator named: what is sent, and what is taken."""

from __future__ import annotations

import asyncio
import gzip
import socket
import subprocess
import sys
import traceback
import tracemalloc
import zlib
from contextlib import ExitStack
from secrets import token_hex

import pytest
from aiohttp import web

from commonroom import __version__
from commonroom.outgoing.fetcher import (
    FetchLimits,
    NotPublic,
    OtherType,
    OutgoingError,
    TookTooLong,
    TooLarge,
    Unreachable,
)
from commonroom.settings import Settings
from tests.outgoing.conftest import Fetchers
from tests.outgoing.servers import Handler, serving
from tests.support.dynamodb_local import free_port

SMALL = FetchLimits(largest=1000)
SHORT = FetchLimits(seconds=0.2)


def replies(body: bytes = b"", status: int = 200, **headers: str) -> Handler:
    """Always the same answer."""

    async def handler(request: web.Request) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(body=body, status=status, headers=named)

    return handler


def streams(*pieces: bytes, **headers: str) -> Handler:
    """An answer whose length nobody knows beforehand."""

    async def handler(request: web.Request) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        response = web.StreamResponse(headers=named)
        await response.prepare(request)
        for piece in pieces:
            await response.write(piece)
        return response

    return handler


class TestAsking:
    async def test_an_answer_has_a_status_headers_and_a_body(self, fetchers: Fetchers) -> None:
        async with serving(replies(b"here", 418, X_Kind="Teapot")) as server:
            answer = await fetchers(server.address).get(f"{server.address}/a?b=c%7Cd")
        assert (answer.status, answer.headers["x-kind"], answer.body) == (418, "Teapot", b"here")
        (asked,) = server.asked
        assert (asked.method, asked.path, dict(asked.query)) == ("GET", "/a", {"b": "c|d"})
        assert asked.headers["User-Agent"] == f"Commonroom/{__version__}"

    async def test_headers_and_a_body_are_sent(self, fetchers: Fetchers) -> None:
        async def echo(request: web.Request) -> web.StreamResponse:
            return web.Response(body=await request.read(), headers={"X-Was": request.headers["T"]})

        async with serving(echo) as server:
            answer = await fetchers(server.address).post(
                server.address, b"\x00\xff", headers={"T": "60"}
            )
        assert (answer.body, answer.headers["x-was"]) == (b"\x00\xff", "60")
        assert server.asked[0].method == "POST"

    async def test_no_cookie_is_ever_given_back(self, fetchers: Fetchers) -> None:
        async with serving(replies(Set_Cookie="track=me")) as server:
            fetcher = fetchers(server.address)
            for _ in range(2):
                await fetcher.get(server.address)
        assert not any("Cookie" in request.headers for request in server.asked)

    async def test_proxies_of_the_environment_are_not_used(
        self, fetchers: Fetchers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
        async with serving(replies(b"directly")) as server:
            assert (await fetchers(server.address).get(server.address)).body == b"directly"

    async def test_after_it_is_closed_nobody_is_asked(self, fetchers: Fetchers) -> None:
        async with serving(replies()) as server:
            fetcher = fetchers(server.address)
            await fetcher.get(server.address)
            await fetcher.close()
            with pytest.raises(Unreachable, match="shutting down"):
                await fetcher.get(server.address)
        assert len(server.asked) == 1

    async def test_closing_one_that_never_asked_anybody_is_fine(self, fetchers: Fetchers) -> None:
        await fetchers().close()

    async def test_that_of_an_installation_trusts_the_tmdb_of_its_settings(
        self, fetchers: Fetchers
    ) -> None:
        async with serving(replies(b"films")) as server:
            fetcher = fetchers().of(Settings(tmdb_address=f"{server.address}/3"))
            try:
                assert (await fetcher.get(f"{server.address}/3/movie/1")).body == b"films"
            finally:
                await fetcher.close()

    async def test_a_name_that_is_no_address_names_nobody(self, fetchers: Fetchers) -> None:
        fetcher = fetchers("http://films.example:port/3", "nonsense", "")
        with pytest.raises(NotPublic):
            await fetcher.get("http://films.example:port/3")
        with pytest.raises(NotPublic):
            await fetcher.get("nonsense")


class TestLimits:
    async def test_a_body_may_be_as_large_as_the_limit(self, fetchers: Fetchers) -> None:
        for handler in (replies(b"x" * 1000), streams(b"x" * 999, b"x")):
            async with serving(handler) as server:
                answer = await fetchers(server.address).get(server.address, limits=SMALL)
                assert len(answer.body) == 1000

    async def test_and_not_a_byte_larger(self, fetchers: Fetchers) -> None:
        for handler in (replies(b"x" * 1001), streams(b"x" * 1000, b"x")):
            async with serving(handler) as server:
                with pytest.raises(TooLarge, match=r"1,000 bytes"):
                    await fetchers(server.address).get(server.address, limits=SMALL)

    async def test_what_has_no_end_is_not_read_to_its_end(self, fetchers: Fetchers) -> None:
        gone = asyncio.Event()

        async def endless(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse()
            await response.prepare(request)
            try:
                while True:
                    await response.write(b"x" * 10_000)
            finally:
                gone.set()

        async with serving(endless) as server:
            with pytest.raises(TooLarge):
                await fetchers(server.address).get(server.address, limits=SMALL)
            await asyncio.wait_for(gone.wait(), 30)

    async def test_a_packed_body_is_unpacked(self, fetchers: Fetchers) -> None:
        packed = gzip.compress(b"unpacked")
        for handler in (
            replies(packed, Content_Encoding="gzip"),
            streams(*(bytes([one]) for one in packed), Content_Encoding="gzip"),
        ):
            async with serving(handler) as server:
                assert (await fetchers(server.address).get(server.address)).body == b"unpacked"

    async def test_the_limit_counts_what_is_unpacked(self, fetchers: Fetchers) -> None:
        async with serving(replies(gzip.compress(bytes(1000)), Content_Encoding="gzip")) as server:
            answer = await fetchers(server.address).get(server.address, limits=SMALL)
            assert answer.body == bytes(1000)
        async with serving(replies(gzip.compress(bytes(1001)), Content_Encoding="gzip")) as server:
            with pytest.raises(TooLarge):
                await fetchers(server.address).get(server.address, limits=SMALL)

    async def test_what_is_beyond_the_limit_is_never_unpacked(self, fetchers: Fetchers) -> None:
        packed = gzip.compress(bytes(50_000_000))
        async with serving(replies(packed, Content_Encoding="gzip")) as server:
            fetcher = fetchers(server.address)
            await fetcher.post(server.address, b"", limits=FetchLimits(largest=60_000_000))
            tracemalloc.start()
            try:
                with pytest.raises(TooLarge):
                    await fetcher.get(server.address, limits=FetchLimits(largest=2 * len(packed)))
                assert tracemalloc.get_traced_memory()[1] < 5_000_000
            finally:
                tracemalloc.stop()

    async def test_a_body_that_is_said_to_be_too_large_is_not_waited_for(
        self, fetchers: Fetchers
    ) -> None:
        done = asyncio.Event()

        async def announced(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Length": "1001"})
            await response.prepare(request)
            await done.wait()
            return response

        async with serving(announced) as server:
            with pytest.raises(TooLarge):
                await fetchers(server.address).get(server.address, limits=SMALL)
            done.set()

    @pytest.mark.parametrize(
        "packed", [gzip.compress(b"x" * 100)[:-9], b"not packed"], ids=["cut off", "not packed"]
    )
    async def test_a_packed_body_that_is_broken_is_refused(
        self, fetchers: Fetchers, packed: bytes
    ) -> None:
        async with serving(replies(packed, Content_Encoding="gzip")) as server:
            with pytest.raises(Unreachable):
                await fetchers(server.address).get(server.address)

    async def test_a_packed_body_of_nothing_is_nothing(self, fetchers: Fetchers) -> None:
        async with serving(replies(b"", 201, Content_Encoding="gzip")) as server:
            assert (await fetchers(server.address).get(server.address)).body == b""

    async def test_other_ways_of_packing_are_refused(self, fetchers: Fetchers) -> None:
        async with serving(replies(zlib.compress(b"x"), Content_Encoding="deflate")) as server:
            with pytest.raises(OtherType):
                await fetchers(server.address).get(server.address)

    async def test_a_success_must_be_of_the_type_that_was_asked_for(
        self, fetchers: Fetchers
    ) -> None:
        only = FetchLimits(types=frozenset({"image/png"}))
        async with serving(replies(b"x", Content_Type="text/html; charset=utf-8")) as server:
            with pytest.raises(OtherType):
                await fetchers(server.address).get(server.address, limits=only)
        async with serving(replies(b"x", 404, Content_Type="text/html")) as server:
            assert (await fetchers(server.address).get(server.address, limits=only)).status == 404
        async with serving(replies(b"x", Content_Type="image/png")) as server:
            assert (await fetchers(server.address).get(server.address, limits=only)).body == b"x"


class TestFailing:
    async def test_nobody_there(self, fetchers: Fetchers) -> None:
        address = f"http://127.0.0.1:{free_port()}"
        with pytest.raises(Unreachable):
            await fetchers(address).get(address)

    async def test_a_server_that_takes_no_connection_in_time(self, fetchers: Fetchers) -> None:
        with socket.create_server(("127.0.0.1", 0), backlog=0) as full, ExitStack() as waiting:
            for _ in range(5):  # nobody accepts them, so the queue of the system is full
                one = waiting.enter_context(socket.socket())
                one.setblocking(False)
                one.connect_ex(full.getsockname())
            address = f"http://127.0.0.1:{full.getsockname()[1]}"
            with pytest.raises(TookTooLong, match="did not respond in time"):
                await fetchers(address).get(address, limits=FetchLimits(connect_seconds=0.2))

    async def test_no_answer_in_time(self, fetchers: Fetchers) -> None:
        done = asyncio.Event()

        async def late(request: web.Request) -> web.StreamResponse:
            await done.wait()
            return web.Response()

        async with serving(late) as server:
            with pytest.raises(TookTooLong):
                await fetchers(server.address).get(server.address, limits=SHORT)
            done.set()

    async def test_a_body_that_comes_drop_by_drop(self, fetchers: Fetchers) -> None:
        async def dripping(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse()
            await response.prepare(request)
            while True:
                await response.write(b".")
                await asyncio.sleep(0.01)

        async with serving(dripping) as server:
            with pytest.raises(TookTooLong):
                await fetchers(server.address).get(server.address, limits=SHORT)

    async def test_a_body_that_breaks_off(self, fetchers: Fetchers) -> None:
        async def half(request: web.Request) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Length": "10"})
            await response.prepare(request)
            await response.write(b"half")
            assert request.transport is not None
            request.transport.close()
            return response

        async with serving(half) as server:
            with pytest.raises(Unreachable):
                await fetchers(server.address).get(server.address)

    async def test_what_does_not_speak_http(self, fetchers: Fetchers) -> None:
        async def chat(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 mail.example ready\r\n")
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(chat, "127.0.0.1", 0) as server:
            address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            with pytest.raises(Unreachable):
                await fetchers(address).get(address)

    async def test_a_header_that_cannot_be_sent(self, fetchers: Fetchers) -> None:
        async with serving(replies()) as server:
            with pytest.raises(Unreachable, match="cannot be sent"):
                await fetchers(server.address).get(
                    server.address, headers={"Authorization": "Bearer a\r\nX-Other: b"}
                )
        assert server.asked == []

    async def test_no_error_tells_a_secret(self, fetchers: Fetchers) -> None:
        secret = token_hex(8)  # made here, so that it is in no line of code that is shown
        nobody = f"http://127.0.0.1:{free_port()}"
        async with serving(replies(b"x" * 2000)) as server:
            fetcher = fetchers(server.address, nobody)
            for address in (
                f"http://127.0.0.1/?token={secret}",
                f"https://me:{secret}@films.example/",
                f"https://127.0.0.1/?token={secret}",
                secret,
                f"{server.address}/{secret}",
                f"{nobody}/?token={secret}",
            ):
                with pytest.raises(OutgoingError) as raised:
                    await fetcher.get(address, headers={"A": f"Bearer {secret}"}, limits=SMALL)
                assert secret not in "".join(traceback.format_exception(raised.value))


class TestBeingSentOn:
    async def test_redirects_are_not_followed_unless_asked(self, fetchers: Fetchers) -> None:
        async with serving(replies(status=302, Location="/there")) as server:
            answer = await fetchers(server.address).get(server.address)
            assert (answer.status, answer.headers["location"]) == (302, "/there")
            assert len(server.asked) == 1

    async def test_when_asked_they_are_up_to_the_number_given(self, fetchers: Fetchers) -> None:
        async def steps(request: web.Request) -> web.StreamResponse:
            left = int(request.path[1:])
            if left:
                return web.Response(status=307, headers={"Location": f"/{left - 1}"})
            return web.Response(text="arrived")

        async with serving(steps) as server:
            fetcher = fetchers(server.address)
            assert (await fetcher.get(f"{server.address}/2", redirects=2)).body == b"arrived"
            with pytest.raises(Unreachable, match="endless"):
                await fetcher.get(f"{server.address}/3", redirects=2)
            with pytest.raises(Unreachable, match="endless"):
                await fetcher.get(f"{server.address}/4", redirects=100)

    async def test_what_only_sends_on_may_be_of_any_type(self, fetchers: Fetchers) -> None:
        only = FetchLimits(types=frozenset({"image/png"}))

        async def steps(request: web.Request) -> web.StreamResponse:
            if request.path == "/picture":
                return web.Response(body=b"here", content_type="image/png")
            return web.Response(
                status=302, text="Found", content_type="text/html", headers={"Location": "/picture"}
            )

        async with serving(steps) as server:
            answer = await fetchers(server.address).get(server.address, limits=only, redirects=1)
        assert answer.body == b"here"

    async def test_each_step_goes_by_the_same_rules(self, fetchers: Fetchers) -> None:
        async with serving(replies(b"private")) as private:
            for onward in (
                private.address,
                f"https://127.0.0.1:{private.port}/",
                "https://127.0.0.1/",
                "https://[::1]/",
                "https://localhost/",
                "file:///etc/passwd",
                "http://[",
            ):
                async with serving(replies(status=301, Location=onward)) as server:
                    with pytest.raises(NotPublic):
                        await fetchers(server.address).get(server.address, redirects=3)
        assert private.asked == []

    async def test_what_was_meant_for_one_server_is_not_told_to_another(
        self, fetchers: Fetchers
    ) -> None:
        async with (
            serving(replies(b"other")) as other,
            serving(replies(status=302, Location=other.address)) as server,
        ):
            answer = await fetchers(server.address, other.address).get(
                server.address, headers={"Authorization": "Bearer s3cret"}, redirects=1
            )
        assert answer.body == b"other"
        assert "Authorization" in server.asked[0].headers
        assert "Authorization" not in other.asked[0].headers

    async def test_what_is_sent_is_never_sent_on(self, fetchers: Fetchers) -> None:
        async with serving(replies(status=307, Location="/there")) as server:
            assert (await fetchers(server.address).post(server.address, b"x")).status == 307
            assert len(server.asked) == 1


def test_what_it_takes_to_ask_is_loaded_with_the_first_request() -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; import commonroom.titles.films, commonroom.outgoing.fetcher;"
            "print('aiohttp' in sys.modules, 'yarl' in sys.modules)",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stdout.split() == ["False", "False"]

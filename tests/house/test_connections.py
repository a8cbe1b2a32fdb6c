"""Many connections to a real server: silent ones go, live ones are limited, health answers."""

from __future__ import annotations

import asyncio
import fcntl
import select
import socket
import time
from pathlib import Path

import pytest
from msgspec import Struct

from commonroom.accounts.service import sessions
from commonroom.house.server import end_stalled
from commonroom.http.authentication import COOKIE
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passes import Passes
from tests.accounts.api.calling import first
from tests.attacks.connections import (
    HALF_BODY,
    HALF_HEAD,
    SILENT,
    connections,
    drip,
    hold,
    open_live_pages,
    request,
    status_of,
)
from tests.shareables.furniture import SHOPPING
from tests.support.server import serving

HERE = "127.0.0.1"
LONG = 60.0
"""Longer than any of these connections may last."""


@pytest.mark.parametrize(
    "sent, answered",
    [
        pytest.param(SILENT, {}, id="silent"),
        pytest.param(HALF_HEAD, {}, id="half a head"),
        pytest.param(HALF_BODY, {408: 5}, id="half a body"),
        pytest.param(request("/health/live"), {200: 5}, id="idle after an answer"),
    ],
)
async def test_a_connection_that_says_no_more_is_closed(
    tmp_path: Path, sent: bytes, answered: dict[int, int]
) -> None:
    with serving(tmp_path / "data", COMMONROOM_REQUEST_TIMEOUT="2") as server:
        figures = await hold(HERE, server.port, number=5, sent=sent, seconds=LONG)
    assert figures["closed"] == 5
    assert figures["answered"] == answered
    assert figures["health"] == 200


async def test_a_body_that_drips_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "data", COMMONROOM_REQUEST_TIMEOUT="2") as server:
        figures = await drip(HERE, server.port, number=5, part=b"a", pause=0.2, seconds=LONG)
    assert figures["answered"] == {408: 5}
    assert figures["closed"] == 5


async def test_a_visitor_who_takes_nothing_of_the_answer_is_let_go(tmp_path: Path) -> None:
    with serving(tmp_path / "data", COMMONROOM_REQUEST_TIMEOUT="2") as server:
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.settimeout(1)
            deaf.connect((HERE, server.port))
            try:
                while True:
                    deaf.send(request("/static/commonroom.css"))
            except (TimeoutError, ConnectionError):
                pass  # it takes no more questions while nobody takes its answers
            ended = select.poll()
            ended.register(deaf, 0)  # only that it is over
            assert await asyncio.to_thread(ended.poll, LONG * 1000)
        assert await status_of(HERE, server.port, "/health/live") == 200


async def test_hundreds_of_silent_connections_keep_nobody_out(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        async with connections(HERE, server.port, 400):
            assert await status_of(HERE, server.port, "/health/live") == 200
            assert await status_of(HERE, server.port, "/setup") == 200


NEARLY, OVER = 63_000, 66_000
"""Of a head of 64 KB, which may have a few short headers besides."""


class TestLargestHead:
    @pytest.mark.parametrize("size, status", [(NEARLY, 200), (OVER, 431), (200_000, 431)])
    async def test_one_header_is_not_longer(self, tmp_path: Path, size: int, status: int) -> None:
        with serving(tmp_path / "data") as server:
            long = {"X-Long": "a" * size}
            assert await status_of(HERE, server.port, "/health/live", long) == status

    @pytest.mark.parametrize("size, status", [(NEARLY, 200), (OVER, 431)])
    async def test_many_headers_together_are_not_longer(
        self, tmp_path: Path, size: int, status: int
    ) -> None:
        with serving(tmp_path / "data") as server:
            many = {f"X-Long-{n:02}": "a" * (size // 30 - 9) for n in range(30)}
            assert await status_of(HERE, server.port, "/health/live", many) == status

    @pytest.mark.parametrize("size, statuses", [(NEARLY, {200}), (OVER, {414, 431})])
    async def test_nor_is_the_address(self, tmp_path: Path, size: int, statuses: set[int]) -> None:
        with serving(tmp_path / "data") as server:
            path = "/health/live?" + "a" * size
            assert await status_of(HERE, server.port, path) in statuses


class TestLivePages:
    async def test_hundreds_of_them_keep_nobody_out(self, tmp_path: Path) -> None:
        home = await furnished(tmp_path)
        with serving(tmp_path, COMMONROOM_LIVE_PAGES_PER_ADDRESS="500") as server:
            figures = await open_live_pages(HERE, server.port, home.page, number=300)
        assert figures == {
            "opened": 300,
            "answered": {200: 300},
            "retry_after": [],
            "health": 200,
            "page": 200,
        }

    async def test_an_address_has_its_share_of_them(self, tmp_path: Path) -> None:
        home = await furnished(tmp_path)
        limits = {"COMMONROOM_LIVE_PAGES_PER_ADDRESS": "3", "COMMONROOM_TRUSTED_PROXIES": HERE}
        with serving(tmp_path, **limits) as server:
            figures = await open_live_pages(
                HERE,
                server.port,
                home.page,
                number=10,
                headers=[at("2001:db8::1"), at("2001:db8::2")],
            )
            assert figures["answered"] == {200: 3, 429: 7}, "both are of one home"
            assert figures["retry_after"] == [30]
            assert (figures["health"], figures["page"]) == (200, 200)

    async def test_an_account_has_its_share_of_them_wherever_it_is(self, tmp_path: Path) -> None:
        home = await furnished(tmp_path)
        limits = {"COMMONROOM_LIVE_PAGES_PER_ACCOUNT": "3", "COMMONROOM_TRUSTED_PROXIES": HERE}
        headers = [home.browser | at(f"192.0.2.{number}") for number in range(5)]
        with serving(tmp_path, **limits) as server:
            figures = await open_live_pages(
                HERE, server.port, "/notifications/live", number=5, headers=headers
            )
            assert figures["answered"] == {200: 3, 429: 2}

    async def test_all_of_them_have_a_bound_which_health_is_beyond(self, tmp_path: Path) -> None:
        home = await furnished(tmp_path)
        limits = {"COMMONROOM_MOST_LIVE_PAGES": "4", "COMMONROOM_TRUSTED_PROXIES": HERE}
        headers = [at(f"192.0.2.{number}") for number in range(6)]
        with serving(tmp_path, **limits) as server:
            figures = await open_live_pages(HERE, server.port, home.page, number=6, headers=headers)
            assert figures["answered"] == {200: 4, 503: 2}
            assert figures["retry_after"] == [30]
            assert (figures["health"], figures["page"]) == (200, 200)

    async def test_whoever_leaves_makes_room(self, tmp_path: Path) -> None:
        home = await furnished(tmp_path)
        with serving(tmp_path, COMMONROOM_MOST_LIVE_PAGES="1") as server:
            for _ in range(3):
                # The server hears of it a moment after the page is left.
                while await status_of(HERE, server.port, home.page) != 200:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)


class Furnished(Struct, frozen=True):
    """What an installation has: a page that is live for anybody, and the first browser."""

    page: str
    browser: dict[str, str]


async def furnished(data: Path) -> Furnished:
    """An installation that was used before it is served."""
    async with open_store(Settings(data=data), create=True) as store:
        ada, now = await first(store, "Ada"), time.time()
        made = await create_page(
            ShareableVisitor(store, Passes(bytes(32)), now), SHOPPING, expires_after=7
        )
        secret = await sessions.open_session(store, now, ada)
        page = f"{address_of(made.page.short_id)}/live"
        return Furnished(page, {"Cookie": f"{COOKIE}={secret}"})


def at(address: str) -> dict[str, str]:
    """What a proxy says of a visitor."""
    return {"X-Forwarded-For": address}


def test_looking_for_the_listening_socket_holds_no_lock_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("w") as held, socket.create_server(("127.0.0.1", 0)) as listening:
        fcntl.flock(held, fcntl.LOCK_EX)
        end_stalled(listening.getsockname()[1], 5)
    with path.open("w") as again:
        fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)

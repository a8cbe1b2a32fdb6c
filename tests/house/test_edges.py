"""What strangers can do at the edges of a real server: no 5xx, and one sound log line for each."""

from __future__ import annotations

import asyncio
import http.client
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service import administration, sessions, signup
from commonroom.library.service.collections import create_collection
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library
from commonroom.library.tables import Book
from commonroom.logs import GATHERED_SECONDS
from commonroom.model import MODEL
from commonroom.movienight.service import households, preferences
from commonroom.movienight.service.household_context import find_household_context
from commonroom.movienight.service.rounds import lifecycle
from commonroom.shareables.service.create import create_page
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passes import Passes
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.titles.builtin import Catalogue
from tests.attacks.edges import (
    ODD_HOSTS,
    ODD_SEGMENTS,
    Asked,
    aborted_posts,
    odd_hosts,
    odd_paths,
    odd_requests,
)
from tests.shareables.furniture import SUMMER
from tests.support.application import every_route
from tests.support.budget import sampled
from tests.support.context import at
from tests.support.server import Server, serving_into

HOST = "127.0.0.1"
REQUEST = re.compile(r"(DEBUG|INFO) [A-Z]+ \S.* [1-5]\d\d \d+\.\d+ms [\w.-]+")
"""A line about a request; the path in it may hold spaces."""
OTHER = re.compile(
    r"WARNING sign-in failed by=[a-z]+ address=[0-9.]+"
    r"|INFO The search index is complete: \d+ documents\."
)
"""A line about something else that happens meanwhile."""
NUMBERED = re.compile(REQUEST.pattern.replace("INFO) ", r"INFO) \[[12]\] "))


class Edge:
    """A server with somebody in it, and its log."""

    def __init__(self, server: Server, log: Path, session: str, places: dict[str, str]) -> None:
        self.port = server.port
        self.session = (b"Cookie", f"session={session}".encode())
        self.places = places
        self._log = log
        self._read = len(log.read_text())

    def logged(self) -> list[str]:
        """The lines that came since this was last asked for, split at nothing but line feeds."""
        text = self._log.read_bytes().decode()
        fresh, self._read = text[self._read :], len(text)
        return fresh.removesuffix("\n").split("\n") if fresh else []

    async def logged_until(self, enough: Callable[[list[str]], bool]) -> list[str]:
        """The lines that came since, once there are enough, and all that come with them."""
        lines: list[str] = []
        async with asyncio.timeout(60):
            while not enough(lines):
                await asyncio.sleep(0.05)
                lines += self.logged()
        await asyncio.sleep(2 * GATHERED_SECONDS)
        return lines + self.logged()


def requests_in(lines: list[str]) -> list[str]:
    """The lines about requests, and whatever else should not be there."""
    return [line for line in lines if not OTHER.fullmatch(line)]


async def furnish(data: Path) -> tuple[str, dict[str, str]]:
    """Ada's session, and what there is of hers: by its name in an address."""
    store = Store(EmbeddedEngine(data / "commonroom.db", MODEL.tables, durability="OFF"))
    try:
        return await _furnished(store)
    finally:
        await store.close()


async def _furnished(store: Store) -> tuple[str, dict[str, str]]:
    now = time.time()
    new = signup.NewAccount("ada@example.org", "Ada", "a lamp in the hall")
    ada = await signup.set_up(store, now, new)
    await households.create_household(Context(store, ada, now), name="Home")
    ada = await administration.person_with(store, "ada@example.org")
    seat = await find_household_context(Context(store, ada), ada)
    assert seat is not None
    await preferences.set_preferences(
        at(store, now, seat), seat.member_id, likes=["35", "18"], dislikes=[], ceiling="R"
    )
    evening = await lifecycle.create_round(at(store, now, seat), Catalogue())
    library_id = (await create_library(Context(store, ada, now), name="Home")).library_id
    shelf = await create_collection(Context(store, ada, now), library_id, name="Foo")
    book = {"title": "Angelo", "collection_id": shelf.collection_id}
    kept = await add_item(Context(store, ada, now), library_id, kind=Book, given=book)
    visitor = ShareableVisitor(
        store, Passes(bytes(32)), now, account_id=ada.user_id, address=str(uuid4())
    )
    page = await create_page(visitor, SUMMER, expires_after=7)
    places = {
        "group_id": seat.group_id,
        "round_id": evening.round_id,
        "member_id": seat.member_id,
        "user_id": ada.user_id,
        "short_id": page.page.short_id.upper(),
        "library_id": library_id,
        "collection_id": shelf.collection_id,
        "item_id": kept.item.item_id,
    }
    return await sessions.open_session(store, now, ada), places


@pytest.fixture
def edge(tmp_path: Path) -> Iterator[Edge]:
    """A server on loopback, whose log is of one test alone."""
    data, log = tmp_path / "data", tmp_path / "log"
    data.mkdir()
    session, places = asyncio.run(furnish(data))
    with serving_into(log, data, COMMONROOM_DURABILITY="NORMAL") as server:
        yield Edge(server, log, session, places)


@pytest.mark.parametrize("caller", ["guest", "signed in"])
async def test_no_odd_path_fails_or_breaks_the_log(edge: Edge, caller: str) -> None:
    page = (b"Accept", b"text/html")
    headers = (page, edge.session) if caller == "signed in" else (page,)
    every = list(odd_requests(every_route(), edge.places, headers))
    assert len(every) > 5000
    requests = sampled(every, most=2000)
    figures = await odd_paths(HOST, edge.port, requests)
    logged = await edge.logged_until(lambda lines: len(requests_in(lines)) > 0.9 * len(requests))
    lines = requests_in(logged)
    assert figures["requests"] == len(requests)
    assert "5xx" not in figures
    assert "dropped" not in figures
    # Some are no HTTP, and never come as far as the log.
    assert 0.9 * len(requests) < len(lines) <= len(requests)
    assert [line for line in lines if not REQUEST.fullmatch(line)] == []
    assert [line for line in lines if not line.isprintable() or len(line) > 500] == []


async def test_several_processes_write_such_a_log_too(tmp_path: Path) -> None:
    log = tmp_path / "log"
    odd = [Asked("GET", b"/s/" + one + b"/tick") for one in ODD_SEGMENTS]
    with serving_into(log, tmp_path / "data", "--workers", "2") as server:
        figures = await odd_paths(HOST, server.port, odd)
    first, second, *lines = log.read_text().removesuffix("\n").split("\n")
    assert first.startswith("Commonroom answers at")
    assert second.startswith("There is no account yet.")
    assert "5xx" not in figures
    assert [line for line in lines if not NUMBERED.fullmatch(line)] == []
    assert lines


async def test_an_upload_that_breaks_off_is_one_line(edge: Edge) -> None:
    paths = ["/sign-in", "/s/new/poll", "/api/v1/session"]
    figures = await aborted_posts(HOST, edge.port, paths, times=12)
    lines = await edge.logged_until(lambda lines: len(lines) >= figures["aborted"])
    assert len(lines) == figures["aborted"]
    assert all(REQUEST.fullmatch(line) and " 499 " in line for line in lines), lines


async def test_whoever_stops_listening_leaves_one_line(edge: Edge) -> None:
    live = f"/s/{edge.places['short_id']}/live"
    paths = [live, "/me/data.json", "/static/commonroom.css"]
    for path in paths:
        reader, writer = await asyncio.open_connection(HOST, edge.port)
        writer.write(Asked("GET", path.encode(), (edge.session,)).raw(HOST, edge.port))
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()
    lines = await edge.logged_until(lambda lines: len(lines) >= len(paths))
    assert len(lines) == len(paths)
    assert all(REQUEST.fullmatch(line) for line in lines), lines


async def test_no_other_name_is_answered_and_health_is_by_any(edge: Edge) -> None:
    paths = ["/", "/sign-in", "/api/v1/me", "/metrics", "/nowhere", "/openapi.json"]
    figures = await odd_hosts(HOST, edge.port, paths)
    assert figures["requests"] == len(paths) * len(ODD_HOSTS)
    assert figures["4xx"] == figures["requests"]
    # Some names are none at all, which the server finds out before us.
    assert figures["421"] + figures.get("400", 0) == figures["requests"]
    assert "401" not in figures
    healthy = await odd_paths(
        HOST, edge.port, [Asked("GET", b"/health/live", (), b"evil.example:8400")]
    )
    assert healthy["200"] == 1


async def test_the_refusal_says_what_to_set(edge: Edge) -> None:
    connection = http.client.HTTPConnection(HOST, edge.port, timeout=60)
    connection.request("GET", "/", headers={"Host": "evil.example", "Accept": "text/html"})
    answer = connection.getresponse()
    page = answer.read().decode()
    connection.close()
    assert answer.status == 421
    assert "COMMONROOM_HOSTS" in page
    assert "evil.example" not in page

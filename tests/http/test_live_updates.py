"""A page that is open hears of a change over a real connection, at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

from commonroom.http.access import Need
from commonroom.http.application import App, State
from commonroom.http.live_topics import Live
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.request import Request
from commonroom.http.routes import get
from commonroom.settings import Settings
from commonroom.store import Entity, Store, Table, create, update
from commonroom.store.embedded import EmbeddedEngine
from tests.support.dynamodb_local import free_port

things = Table("Things", room="tests", partition="thing_id")


class Thing(Entity, table=things):
    thing_id: str
    version: int = 1
    text: str = ""


@get("/thing", Need.ANYONE)
async def thing_changes(request: Request) -> LiveUpdates:
    store: Store = request.app.state.store

    async def version() -> str:
        thing = await store.get(Thing.at(thing_id="t"))
        return str(thing.version if thing else 0)

    return LiveUpdates("thing#t", version)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(EmbeddedEngine(tmp_path / "stream.db", [things], durability="OFF"))
    await store.write(create(Thing(thing_id="t")))
    yield store
    await store.close()


@pytest.fixture
async def port(store: Store) -> AsyncIterator[int]:
    port = free_port()
    live = Live(store)
    state = State({"store": store, "live": live, "settings": Settings()})
    app = App([thing_changes], state=state)
    server = Server(
        app,
        address="127.0.0.1",
        port=port,
        interface=Interfaces.ASGI,
        log_level=LogLevels.error,
    )
    serving = asyncio.create_task(server.serve())
    yield port
    live.close()
    server.stop()  # type: ignore[no-untyped-call] # Granian does not say
    await serving


async def connected(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    while True:
        try:
            return await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)


async def test_every_listener_hears_the_version_and_then_the_next(store: Store, port: int) -> None:
    listeners = [await connected(port) for _ in range(3)]
    for reader, writer in listeners:
        writer.write(b"GET /thing HTTP/1.1\r\nHost: here\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"text/event-stream" in head
        assert b"no-store" in head
        assert b"data: 1" in await reader.readuntil(b"data: 1")
    await store.write(update(Thing.at(thing_id="t"), text="changed"))
    for reader, writer in listeners:
        assert b"event: version" in await reader.readuntil(b"data: 2")
        writer.close()

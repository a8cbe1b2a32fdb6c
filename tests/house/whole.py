"""The whole application over a real engine, as browsers and programs meet it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from httpx import ASGITransport, AsyncClient

from commonroom.accounts.service import sessions, signup
from commonroom.accounts.tables import User
from commonroom.house.rooms import ROOMS
from commonroom.http.authentication import COOKIE
from commonroom.joins.rooms import Room
from commonroom.model import model_of
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.support.application import whole_application

HOST = "commonroom.test"
HTML = {"accept": "text/html"}


class Whole:
    """An installation where Ada lives."""

    def __init__(
        self, store: Store, settings: Settings, rooms: Sequence[Room], stack: AsyncExitStack
    ) -> None:
        self.store = store
        self.app = whole_application(store, settings, rooms)
        self._stack = stack

    async def move_in(self) -> None:
        """Makes Ada's account."""
        new = signup.NewAccount("ada@example.org", "Ada", "a lamp in the hall")
        self.ada: User = await signup.set_up(self.store, time.time(), new)

    async def guest(self, **headers: str) -> AsyncClient:
        """Nobody in particular."""
        transport = ASGITransport(self.app)
        client = AsyncClient(
            transport=transport, base_url="http://commonroom.test", headers=HTML | headers
        )
        return await self._stack.enter_async_context(client)

    async def browser(self, **headers: str) -> AsyncClient:
        """Ada's browser."""
        return await self.browser_of(self.ada, **headers)

    async def browser_of(self, person: User, **headers: str) -> AsyncClient:
        """Somebody's browser."""
        client = await self.guest(**headers)
        secret = await sessions.open_session(self.store, time.time(), person)
        client.cookies.set(COOKIE, secret, domain="commonroom.test")
        return client


@asynccontextmanager
async def whole(
    folder: Path, *, of_rooms: Sequence[Room] = ROOMS, **settings: Any
) -> AsyncIterator[Whole]:
    """The application of these rooms, with these settings."""
    store = Store(EmbeddedEngine(folder / "house.db", model_of(of_rooms).tables, durability="OFF"))
    try:
        async with AsyncExitStack() as stack:
            made = Whole(store, Settings(data=folder, hosts=HOST, **settings), of_rooms, stack)
            await made.move_in()
            yield made
    finally:
        await store.close()

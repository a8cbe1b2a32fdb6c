"""The whole house for the tests of titles: people, guests, and a stand-in for TMDB where wanted."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any
from uuid import uuid4

from httpx import ASGITransport, AsyncClient, Response

from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import AddressClaim, User
from commonroom.moments import iso
from commonroom.settings import Settings
from commonroom.store import Store, counting, create
from commonroom.titles.service import Titles
from tests.support.application import application

HOST = "http://house.example"


class Cinema:
    """The application over a store, and clients that ask it."""

    def __init__(self, store: Store, settings: Settings, stack: AsyncExitStack) -> None:
        self.store = store
        self.app = application(store, settings)
        self._stack = stack

    @property
    def titles(self) -> Titles:
        """Its catalogue."""
        found: Titles = self.app.state.titles
        return found

    async def person(self, name: str, **fields: Any) -> User:
        """Somebody with an account."""
        now = iso(time.time())
        email = f"{name.lower()}@example.org"
        made = User(user_id=str(uuid4()), email=email, display_name=name, created_at=now, **fields)
        claim = AddressClaim(address=email, user_id=made.user_id, made_at=now)
        await self.store.write(create(made), create(claim))
        return made

    async def client(self, person: User | None = None) -> AsyncClient:
        """Somebody's browser, or a guest's; it asks for pages and does not follow redirects."""
        client = AsyncClient(
            transport=ASGITransport(self.app),
            base_url=HOST,
            headers={"accept": "text/html"},
        )
        if person is not None:
            secret = await sessions.open_session(self.store, time.time(), person)
            client.cookies.set("session", secret, domain="house.example")
        return await self._stack.enter_async_context(client)

    def asks(self, person: User) -> Context:
        """Somebody asks now."""
        return Context(self.store, person, time.time())


@asynccontextmanager
async def cinema(store: Store, folder: Path, **settings: Any) -> AsyncIterator[Cinema]:
    """A house with settings; whatever it opened is closed at the end."""
    async with AsyncExitStack() as stack:
        made = Cinema(store, Settings(data=folder, **settings), stack)
        yield made
        for resource in made.app.state.resources:
            await resource.close()


async def requests_for(client: AsyncClient, path: str) -> int:
    """How many requests to the store a page takes, once it is known who asks."""
    await client.get(path)
    with counting() as tally:
        answer = await client.get(path)
    assert answer.status_code == 200, (answer.status_code, path)
    return tally.requests


def words_of(answer: Response) -> str:
    """What a person reads on a page."""
    main = answer.text.partition("<main")[2].partition(">")[2].partition("</main>")[0]
    plain = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", main, flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", plain).split()))

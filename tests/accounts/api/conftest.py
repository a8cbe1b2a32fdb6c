from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.accounts.tables import User, tables
from commonroom.http.application import App
from commonroom.notifications import tables as notify
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.api.calling import Calling, Client, api, first, someone
from tests.support.engines import Clock


@pytest.fixture
def clock() -> Clock:
    """The engine's time."""
    return Clock()


@pytest.fixture
async def store(tmp_path: Path, clock: Clock) -> AsyncIterator[Store]:
    """An empty store."""
    kept = [*tables, *notify.tables]
    store = Store(EmbeddedEngine(tmp_path / "api.db", kept, durability="OFF", clock=clock))
    yield store
    await store.close()


@pytest.fixture
def app(store: Store) -> App:
    """The API, where people sign up with an invitation."""
    return api(store)


@pytest.fixture
async def calling(app: App, store: Store) -> AsyncIterator[Calling]:
    """Everybody who calls."""
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)


@pytest.fixture
async def ada(store: Store) -> User:
    """The first account, an administrator's."""
    return await first(store, "Ada")


@pytest.fixture
async def ben(store: Store, ada: User) -> User:
    """Somebody with an ordinary account."""
    return await someone(store, "Ben")


@pytest.fixture
async def guest(calling: Calling) -> Client:
    """Nobody in particular."""
    return await calling.guest()


@pytest.fixture
async def admin(calling: Calling, ada: User) -> Client:
    """Ada's browser."""
    return await calling.browser(ada)


@pytest.fixture
async def browser(calling: Calling, ben: User) -> Client:
    """Ben's browser."""
    return await calling.browser(ben)


@pytest.fixture
async def program(calling: Calling, ben: User) -> Client:
    """A program of Ben's that may read and write."""
    return await calling.program(ben, "read", "write")

"""The whole house over a real engine, with people in it who are told things."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.http.live_topics import Live
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.api.calling import first, someone
from tests.notifications.pages.house import House
from tests.notifications.people import NEWS, ROUND
from tests.support.application import application


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """An installation in which people can be told of rounds and of news."""
    store = Store(EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF"))
    live = Live(store)
    app = application(store, Settings(data=tmp_path), live)
    app.state.kinds = {kind.name: kind for kind in (ROUND, NEWS)}
    async with AsyncExitStack() as stack:
        yield House(app, store, stack)
    live.close()
    await store.close()


@pytest.fixture
async def ada(house: House) -> User:
    """The first account."""
    return await first(house.store, "Ada")


@pytest.fixture
async def ben(house: House, ada: User) -> User:
    """Somebody else."""
    return await someone(house.store, "Ben")

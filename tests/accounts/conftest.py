from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.accounts.service.signup import set_up
from commonroom.accounts.tables import User, tables
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch, newcomer, newly
from tests.support.fixtures import hashing

__all__ = ["hashing"]


@pytest.fixture
def clock() -> Watch:
    """The time, for the engine and for whoever asks."""
    return Watch()


@pytest.fixture
async def store(tmp_path: Path, clock: Watch) -> AsyncIterator[Store]:
    """An empty store."""
    store = Store(EmbeddedEngine(tmp_path / "accounts.db", tables, durability="OFF", clock=clock))
    yield store
    await store.close()


@pytest.fixture
async def ada(store: Store, clock: Watch) -> User:
    """The first account, an administrator's."""
    return await set_up(store, clock(), newcomer("Ada"))


@pytest.fixture
async def ben(store: Store, clock: Watch, ada: User) -> User:
    """Somebody with an ordinary account."""
    clock.forward(1)
    return await newly(store, clock, "Ben")


@pytest.fixture
async def eve(store: Store, clock: Watch, ben: User) -> User:
    """Somebody else with an ordinary account."""
    clock.forward(1)
    return await newly(store, clock, "Eve")

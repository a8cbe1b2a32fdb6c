from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.tables import Group
from commonroom.store import Store
from commonroom.store.dynamodb import DynamoSettings, connect
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.movienight.evenings import TABLES, home_of, now_of, seat_of, somebody
from tests.support.context import at


@pytest.fixture
def clock() -> Watch:
    """The time, for the engine and for whoever asks."""
    return Watch()


@pytest.fixture
async def embedded(tmp_path: Path, clock: Watch) -> AsyncIterator[Store]:
    """An empty store in a file."""
    store = Store(EmbeddedEngine(tmp_path / "evening.db", TABLES, durability="OFF", clock=clock))
    yield store
    await store.close()


@pytest.fixture
async def dynamodb(
    dynamodb_local: str, monkeypatch: pytest.MonkeyPatch, clock: Watch
) -> AsyncIterator[Store]:
    """An empty store in DynamoDB Local, where another access key is another database."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", uuid.uuid4().hex)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
    engine = await connect(DynamoSettings("local", endpoint=dynamodb_local), clock)
    await engine.create_tables(TABLES)
    store = Store(engine)
    yield store
    await store.close()


@pytest.fixture
def store(embedded: Store) -> Store:
    """An empty store; races have their own, on both engines."""
    return embedded


@pytest.fixture
async def ada(store: Store, clock: Watch) -> User:
    """Somebody who makes a household."""
    return await somebody(store, clock, "Ada")


@pytest.fixture
async def ben(store: Store, clock: Watch) -> User:
    """Somebody who joins it."""
    return await somebody(store, clock, "Ben")


@pytest.fixture
async def eve(store: Store, clock: Watch) -> User:
    """Somebody from elsewhere."""
    return await somebody(store, clock, "Eve")


@pytest.fixture
async def home(store: Store, clock: Watch, ada: User, ben: User) -> Group:
    """The household of Ada and Ben."""
    return await home_of(store, clock, ada, ben)


@pytest.fixture
async def zoe(store: Store, clock: Watch, home: Group, ben: User) -> User:
    """A child of Ben's, in the household."""
    clock.forward(1)
    made = await add_managed(at(store, clock(), await seat_of(store, ben)), display_name="Zoe")
    return await now_of(store, made)

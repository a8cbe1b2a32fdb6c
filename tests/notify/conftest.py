"""A store for each test; those that ask for `either` run on both engines."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.accounts.tables import tables as accounts
from commonroom.notify.tables import tables as notify
from commonroom.store import Store
from commonroom.store.dynamodb import DynamoSettings, connect
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams.tables import tables as streams
from tests.accounts.people import Watch
from tests.notify.people import person

TABLES = [*accounts, *notify, *streams]


@pytest.fixture
def clock() -> Watch:
    """The time, which passes only when a test says so."""
    return Watch()


@pytest.fixture(params=["embedded", "dynamodb"])
async def either(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, clock: Watch
) -> AsyncIterator[Store]:
    """An empty store on each engine; in DynamoDB Local, another access key is another database."""
    if request.param == "embedded":
        store = Store(EmbeddedEngine(tmp_path / "notify.db", TABLES, durability="OFF", clock=clock))
    else:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", uuid.uuid4().hex)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
        endpoint: str = request.getfixturevalue("dynamodb_local")
        engine = await connect(DynamoSettings("local", endpoint=endpoint), clock)
        await engine.create_tables(TABLES)
        store = Store(engine)
    yield store
    await store.close()


@pytest.fixture
async def store(tmp_path: Path, clock: Watch) -> AsyncIterator[Store]:
    """An empty store."""
    store = Store(EmbeddedEngine(tmp_path / "notify.db", TABLES, durability="OFF", clock=clock))
    yield store
    await store.close()


@pytest.fixture
async def ada(store: Store) -> User:
    """Somebody with an account."""
    return await person(store, "Ada")

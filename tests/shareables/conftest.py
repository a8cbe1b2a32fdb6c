from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import Store
from commonroom.store.dynamodb import DynamoSettings, connect
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.shareables.furniture import TABLES


@pytest.fixture
def clock() -> Watch:
    """The time, for the engine and for whoever asks."""
    return Watch()


@pytest.fixture
async def embedded(tmp_path: Path, clock: Watch) -> AsyncIterator[Store]:
    """An empty store in a file."""
    store = Store(EmbeddedEngine(tmp_path / "pages.db", TABLES, durability="OFF", clock=clock))
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

"""Every test that asks for `store` runs twice: embedded, and on DynamoDB Local."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import Store
from commonroom.store.dynamodb import DynamoSettings, connect
from commonroom.store.embedded import EmbeddedEngine
from commonroom.timers.tables import tables
from tests.accounts.people import Watch


@pytest.fixture
def clock() -> Watch:
    """The time, which passes only when a test says so."""
    return Watch()


@pytest.fixture(params=["embedded", "dynamodb"])
async def store(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, clock: Watch
) -> AsyncIterator[Store]:
    """An empty store; in DynamoDB Local, another access key is another database."""
    if request.param == "embedded":
        store = Store(EmbeddedEngine(tmp_path / "timers.db", tables, durability="OFF", clock=clock))
    else:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", uuid.uuid4().hex)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        monkeypatch.delenv("AWS_SESSION_TOKEN", raising=False)
        endpoint: str = request.getfixturevalue("dynamodb_local")
        engine = await connect(DynamoSettings("local", endpoint=endpoint), clock)
        await engine.create_tables(tables)
        store = Store(engine)
    yield store
    await store.close()

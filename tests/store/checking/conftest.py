"""A store on either engine, which nobody else uses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import Store
from commonroom.store.dynamodb import connect
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine
from tests.support.copies_model import TABLES
from tests.support.dynamodb_local import settings_for
from tests.support.world import fresh


@pytest.fixture(params=["embedded", "dynamodb"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Store]:
    """A store with empty tables of its own."""
    engine: Engine
    if request.param == "embedded":
        engine = EmbeddedEngine(tmp_path / "shelves.db", TABLES, durability="OFF")
    else:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "checking")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        endpoint = request.getfixturevalue("dynamodb_local")
        settings = settings_for(endpoint, f"checking-{fresh()}-")
        engine = await connect(settings)
        await engine.create_tables(TABLES)
    yield Store(engine)
    await engine.close()

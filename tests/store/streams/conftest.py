"""A store of shelves, embedded or on both engines, on a clock that the test moves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from commonroom.store import Store, Table
from commonroom.store.embedded import EmbeddedEngine
from tests.store.streams.shelves import TABLES, Time


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of these tests holds."""
    return TABLES


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
async def store(tmp_path: Path, clock: Time) -> AsyncIterator[Store]:
    """An empty store in a file."""
    engine = EmbeddedEngine(tmp_path / "store.db", TABLES, durability="OFF", clock=clock)
    store = Store(engine)
    yield store
    await store.close()

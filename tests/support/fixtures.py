"""The fixtures of all tests, loaded as a plugin: the store, its clock, and cheap passwords.

A folder says by a `tables` of its own what its stores hold, and by `store = either` in its
`conftest.py` that its tests run on both engines.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from commonroom.accounts import secrets
from commonroom.model import MODEL
from commonroom.store import Store, Table
from commonroom.store.dynamodb import connect
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.support.dynamodb_local import settings_for
from tests.support.dynamodb_tables import ReusedDatabases, use_access_key


@pytest.fixture(scope="module", autouse=True)
def hashing() -> Iterator[None]:
    """Argon2id at the least cost: ours is slow on purpose, which only its own tests need."""
    with pytest.MonkeyPatch.context() as patch:
        quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(secrets, "_hasher", lambda: quick)
        patch.setattr(secrets, "_nobody", None)
        yield


@pytest.fixture
def clock() -> Watch:
    """The time, for the engine and for whoever asks: it passes only when a test says so."""
    return Watch()


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store holds: all that the house has."""
    return MODEL.tables


@pytest.fixture
async def embedded(tmp_path: Path, tables: Sequence[Table], clock: Watch) -> AsyncIterator[Store]:
    """An empty store in a file."""
    store = Store(EmbeddedEngine(tmp_path / "store.db", tables, durability="OFF", clock=clock))
    yield store
    await store.close()


@pytest.fixture
async def dynamodb(
    reused_dynamodb_databases: ReusedDatabases,
    tables: Sequence[Table],
    clock: Watch,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Store]:
    """An empty store in DynamoDB Local."""
    database = reused_dynamodb_databases.next_with(tables)
    use_access_key(monkeypatch, database.access_key)
    engine = await connect(settings_for(database.endpoint), clock)
    await database.clear(engine)
    store = Store(engine)
    yield store
    await store.close()


@pytest.fixture(params=["embedded", "dynamodb"])
def either(request: pytest.FixtureRequest) -> Store:
    """An empty store, once on each engine."""
    store: Store = request.getfixturevalue(request.param)
    return store


@pytest.fixture
def store(embedded: Store) -> Store:
    """An empty store."""
    return embedded


@pytest.fixture
async def store_of_now(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store of the whole house, on the machine's own clock, as pages live now."""
    store = Store(EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF"))
    yield store
    await store.close()


@pytest.fixture
def clock_of_now() -> Watch:
    """The time at which things were done: a little earlier, because pages live now."""
    watch = Watch()
    watch.now = time.time() - 3600
    return watch

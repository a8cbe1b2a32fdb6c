"""Fixtures of many folders: a `conftest.py` takes those that it needs by name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from commonroom.accounts import passwords
from commonroom.model import MODEL
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine


@pytest.fixture(scope="module", autouse=True)
def hashing() -> Iterator[None]:
    """Argon2id at the least cost: ours is slow on purpose, which only its own tests need."""
    with pytest.MonkeyPatch.context() as patch:
        quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(passwords, "_hasher", quick)
        patch.setattr(passwords, "_nobody", None)
        yield


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store of the whole house."""
    store = Store(EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF"))
    yield store
    await store.close()

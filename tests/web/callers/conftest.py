from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from commonroom.accounts import passwords
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.web.callers.asking import furnished


@pytest.fixture(scope="module", autouse=True)
def hashing() -> Iterator[None]:
    """Argon2id at the least cost: ours is slow on purpose, which only its own tests need."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(passwords, "_hasher", cheap)
        yield


@pytest.fixture
def clock() -> Watch:
    """The time, for the engine and for whoever asks."""
    return Watch()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The data file."""
    return tmp_path / "callers.db"


@pytest.fixture
async def store(path: Path, clock: Watch) -> AsyncIterator[Store]:
    """A store in which Ben is."""
    async with furnished(path, clock) as store:
        yield store

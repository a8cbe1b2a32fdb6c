from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from commonroom.accounts import passwords
from commonroom.model import MODEL
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.shareables.pages.corner import Corner
from tests.support.pages import Browser


@pytest.fixture(scope="module", autouse=True)
def hashing() -> Iterator[None]:
    """Argon2id at the least cost: ours is slow on purpose, which only its own tests need."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(passwords, "_hasher", cheap)
        patch.setattr(passwords, "_nobody", None)
        yield


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store of the whole house."""
    store = Store(EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF"))
    yield store
    await store.close()


@pytest.fixture
async def corner(store: Store, tmp_path: Path) -> AsyncIterator[Corner]:
    """The whole application, and nobody there yet."""
    async with AsyncExitStack() as stack:
        yield Corner(store, tmp_path, stack)


@pytest.fixture
async def guest(corner: Corner) -> Browser:
    """The browser of nobody in particular."""
    return await corner.browser()

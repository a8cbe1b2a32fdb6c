from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from commonroom.accounts import passwords
from commonroom.house.app import litestar
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.web.live import Live
from commonroom.web.metrics import Metrics
from tests.library.api.shelving import Shelving, moved_in
from tests.web.api.calling import Calling, Client, first, someone


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
async def calling(store: Store, tmp_path: Path) -> AsyncIterator[Calling]:
    """Everybody who calls a house with this room alone."""
    settings = Settings(data=tmp_path, rooms="library")  # a whole house takes longer to build
    app = litestar(store, settings, Live(store), Metrics())
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)


@pytest.fixture
async def guest(calling: Calling) -> Client:
    """Nobody in particular."""
    return await calling.guest()


@pytest.fixture
async def here(calling: Calling) -> Shelving:
    """Ann with a library, Ben whom it is shared with, and Eve from elsewhere."""
    people = [
        await first(calling.store, "Ann"),
        await someone(calling.store, "Ben"),
        await someone(calling.store, "Eve"),
    ]
    return await moved_in(*[await calling.program(one, "read", "write") for one in people])

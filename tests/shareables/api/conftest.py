from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.settings import Settings
from commonroom.store import Store
from tests.support.application import application
from tests.support.fixtures import store_of_now
from tests.web.api.calling import Calling, Client, first

store = store_of_now


@pytest.fixture
async def calling(store: Store, tmp_path: Path) -> AsyncIterator[Calling]:
    """Everybody who calls the whole house."""
    app = application(store, Settings(data=tmp_path))
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)


@pytest.fixture
async def guest(calling: Calling) -> Client:
    """Nobody in particular."""
    return await calling.guest("203.0.113.5")


@pytest.fixture
async def ann(calling: Calling) -> Client:
    """A program of somebody with an account."""
    return await calling.program(await first(calling.store, "Ann"), "read", "write")

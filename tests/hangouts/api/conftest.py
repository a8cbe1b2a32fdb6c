from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.settings import Settings
from commonroom.store import Store
from tests.hangouts.api.plans import Plans, moved_in
from tests.support.application import application
from tests.support.fixtures import store_of_now
from tests.web.api.calling import Calling, Client, first, someone

store = store_of_now


@pytest.fixture
async def calling(store: Store, tmp_path: Path) -> AsyncIterator[Calling]:
    """Everybody who calls a house with this room alone."""
    settings = Settings(data=tmp_path, rooms="hangouts")  # a whole house takes longer to build
    app = application(store, settings)
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)


@pytest.fixture
async def guest(calling: Calling) -> Client:
    """Nobody in particular."""
    return await calling.guest()


@pytest.fixture
async def here(calling: Calling) -> Plans:
    """Ann with a group, Ben who is in it, and Eve from elsewhere."""
    people = [
        await first(calling.store, "Ann"),
        await someone(calling.store, "Ben"),
        await someone(calling.store, "Eve"),
    ]
    return await moved_in(*[await calling.program(one, "read", "write") for one in people])

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.settings import Settings
from commonroom.store import Store
from tests.support.application import application
from tests.support.fixtures import store_of_now
from tests.watchlists.api.curating import Curating, moved_in
from tests.web.api.calling import Calling, Client, first, someone

store = store_of_now


@pytest.fixture
async def calling(store: Store, tmp_path: Path) -> AsyncIterator[Calling]:
    """Everybody who calls a house with this room alone."""
    settings = Settings(data=tmp_path, rooms="watchlists")  # a whole house takes longer to build
    app = application(store, settings)
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)


@pytest.fixture
async def guest(calling: Calling) -> Client:
    """Nobody in particular."""
    return await calling.guest()


@pytest.fixture
async def here(calling: Calling, guest: Client) -> Curating:
    """Root, who runs it, Ann, a curator, and Ben."""
    root = await first(calling.store, "Root")
    people = [await someone(calling.store, name) for name in ("Ann", "Ben")]
    return await moved_in(
        guest,
        await calling.program(root, "read", "write", "admin"),
        *[await calling.program(one, "read", "write") for one in people],
    )

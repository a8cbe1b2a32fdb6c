from __future__ import annotations

import pytest

from tests.accounts.api.calling import Calling, Client, first, someone
from tests.support.fixtures import store_of_now
from tests.watchlists.api.curating import Curating, moved_in

store = store_of_now


@pytest.fixture
def open_rooms() -> str:
    """This room alone."""
    return "watchlists"


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

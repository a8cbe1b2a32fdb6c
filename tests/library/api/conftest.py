from __future__ import annotations

import pytest

from tests.accounts.api.calling import Calling, first, someone
from tests.library.api.shelving import Shelving, moved_in
from tests.support.fixtures import store_of_now

store = store_of_now


@pytest.fixture
def open_rooms() -> str:
    """This room alone."""
    return "library"


@pytest.fixture
async def here(calling: Calling) -> Shelving:
    """Ann with a library, Ben whom it is shared with, and Eve from elsewhere."""
    people = [
        await first(calling.store, "Ann"),
        await someone(calling.store, "Ben"),
        await someone(calling.store, "Eve"),
    ]
    return await moved_in(*[await calling.program(one, "read", "write") for one in people])

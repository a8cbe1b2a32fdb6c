from __future__ import annotations

import pytest

from tests.accounts.api.calling import Calling, Client, first, someone
from tests.movienight.api.family import Family, moved_in
from tests.support.fixtures import store_of_now

store = store_of_now


@pytest.fixture
async def family(calling: Calling) -> Family:
    """Ann, who created the household, Ben, who joined, and Kim, a child of Ann's."""
    ann, ben = await first(calling.store, "Ann"), await someone(calling.store, "Ben")
    return await moved_in(
        await calling.program(ann, "read", "write"), await calling.program(ben, "read", "write")
    )


@pytest.fixture
async def stranger(calling: Calling, family: Family) -> Client:
    """Somebody with an account and without a household."""
    return await calling.program(await someone(calling.store, "Eve"), "read", "write")

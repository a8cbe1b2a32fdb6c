from __future__ import annotations

import pytest

from tests.accounts.api.calling import Calling, Client, first
from tests.support.fixtures import store_of_now

store = store_of_now


@pytest.fixture
async def guest(calling: Calling) -> Client:
    """Nobody in particular."""
    return await calling.guest("203.0.113.5")


@pytest.fixture
async def ann(calling: Calling) -> Client:
    """A program of somebody with an account."""
    return await calling.program(await first(calling.store, "Ann"), "read", "write")

"""Every test here that asks for `store` runs twice: embedded, and on DynamoDB Local."""

from __future__ import annotations

import pytest

from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.checks.example import House
from tests.support.fixtures import either

store = either


@pytest.fixture
async def house(store: Store, clock: Watch) -> House:
    """Libraries in which everything is as it should be."""
    return await House.furnished(store, clock)

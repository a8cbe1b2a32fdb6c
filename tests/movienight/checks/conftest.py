from __future__ import annotations

import pytest

from commonroom.store import Store
from tests.accounts.people import Watch
from tests.movienight.checks.example import House


@pytest.fixture
async def house(store: Store, clock: Watch) -> House:
    """A household in which everything is as it should be."""
    return await House.furnished(store, clock)

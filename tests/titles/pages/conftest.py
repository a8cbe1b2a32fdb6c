from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store
from tests.support.cinema import Cinema, cinema


@pytest.fixture
async def house(store_of_now: Store, tmp_path: Path) -> AsyncIterator[Cinema]:
    """The whole house."""
    async with cinema(store_of_now, tmp_path) as made:
        yield made


@pytest.fixture
async def ada(house: Cinema) -> User:
    """An administrator."""
    return await house.person("Ada", is_admin=True)


@pytest.fixture
async def ben(house: Cinema) -> User:
    """Somebody else."""
    return await house.person("Ben")

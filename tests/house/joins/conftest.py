from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.house.joins.friends import Friends, friends_at


@pytest.fixture
async def friends(tmp_path: Path) -> AsyncIterator[Friends]:
    """Ada and Ben of one group, Cleo who is invited, and Eve from elsewhere."""
    async with friends_at(tmp_path) as made:
        yield made

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import Store
from tests.accounts.people import Watch
from tests.http.authentication.asking import furnished


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The data file."""
    return tmp_path / "callers.db"


@pytest.fixture
async def store(path: Path, clock: Watch) -> AsyncIterator[Store]:
    """A store in which Ben is."""
    async with furnished(path, clock) as store:
        yield store

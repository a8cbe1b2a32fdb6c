from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import Store
from tests.accounts.people import Watch
from tests.support.fixtures import hashing
from tests.web.authentication.asking import furnished

__all__ = ["hashing"]


@pytest.fixture
def clock() -> Watch:
    """The time, for the engine and for whoever asks."""
    return Watch()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The data file."""
    return tmp_path / "callers.db"


@pytest.fixture
async def store(path: Path, clock: Watch) -> AsyncIterator[Store]:
    """A store in which Ben is."""
    async with furnished(path, clock) as store:
        yield store

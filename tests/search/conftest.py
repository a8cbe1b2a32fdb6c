"""An empty index of each engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import SearchIndex


@pytest.fixture
async def embedded_index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    """An empty index in a file."""
    index = EmbeddedIndex(tmp_path / "search.db")
    yield index
    await index.close()


@pytest.fixture(params=["embedded_index"])
def index(request: pytest.FixtureRequest) -> SearchIndex:
    """An empty index, once of each engine."""
    index: SearchIndex = request.getfixturevalue(request.param)
    return index

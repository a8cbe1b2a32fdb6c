from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.store import Store
from tests.shareables.pages.corner import Corner
from tests.support.fixtures import store_of_now
from tests.support.pages import Browser

store = store_of_now


@pytest.fixture
async def corner(store: Store, tmp_path: Path) -> AsyncIterator[Corner]:
    """The whole application, and nobody there yet."""
    async with AsyncExitStack() as stack:
        yield Corner(store, tmp_path, stack)


@pytest.fixture
async def guest(corner: Corner) -> Browser:
    """The browser of nobody in particular."""
    return await corner.browser()

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.shareables.service.create import Created
from commonroom.store import Store
from tests.shareables.pages.site import Site
from tests.support.fixtures import store_of_now
from tests.support.pages import Browser

store = store_of_now


@pytest.fixture
async def site(store: Store, tmp_path: Path) -> AsyncIterator[Site]:
    """The whole application, and nobody there yet."""
    async with AsyncExitStack() as stack:
        yield Site(store, tmp_path, stack)


@pytest.fixture
async def guest(site: Site) -> Browser:
    """The browser of nobody in particular."""
    return await site.browser()


@pytest.fixture
async def shut(site: Site) -> Created:
    """A list with both passcodes."""
    return await site.made(protected=True)

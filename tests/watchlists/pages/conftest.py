from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.support.fixtures import clock_of_now, store_of_now
from tests.support.pages import Browser
from tests.watchlists.examples import ALIEN, DARK, MATRIX, list_of
from tests.watchlists.pages.site import Site

store = store_of_now
clock = clock_of_now


@pytest.fixture
async def room(store: Store, tmp_path: Path) -> AsyncIterator[Site]:
    """The room's pages."""
    async with AsyncExitStack() as stack:
        yield Site(store, tmp_path, stack)


@pytest.fixture
async def adas(room: Site, ada: User) -> Browser:
    """The browser of Ada, a curator."""
    return await room.browser(ada)


@pytest.fixture
async def bens(room: Site, ben: User) -> Browser:
    """The browser of Ben, who follows and comments."""
    return await room.browser(ben)


@pytest.fixture
async def guest(room: Site) -> Browser:
    """A stranger's browser."""
    return await room.browser()


@pytest.fixture
async def public(store: Store, clock: Watch, ada: User) -> Watchlist:
    """Three titles that Ada has published."""
    return await list_of(store, clock, ada, MATRIX, ALIEN, DARK, title="Space and time")


@pytest.fixture
async def private(store: Store, clock: Watch, ada: User) -> Watchlist:
    """A list that Ada keeps for herself."""
    return await list_of(store, clock, ada, MATRIX, title="Not yet", is_public=False)

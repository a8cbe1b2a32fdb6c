from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.libraries import share
from commonroom.library.tables import Library
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.pages.lender import Lender
from tests.library.pages.site import Site
from tests.support.fixtures import clock_of_now, store_of_now
from tests.support.pages import Browser

store = store_of_now
clock = clock_of_now


@pytest.fixture
async def room(store: Store, clock: Watch, tmp_path: Path) -> AsyncIterator[Site]:
    """The library's pages."""
    async with AsyncExitStack() as stack:
        yield Site(store, clock, tmp_path, stack)


@pytest.fixture
async def shared(store: Store, clock: Watch, ada: User, ben: User, home: Library) -> Library:
    """Ada's library, which Ben may look into."""
    await share(Context(store, ada, clock()), home.library_id, ben.email or "")
    return home


@pytest.fixture
def lender(store: Store, clock: Watch, ada: User, home: Library) -> Lender:
    """Where Ada lends from."""
    return Lender(store, clock, ada, home)


@pytest.fixture
async def adas(room: Site, ada: User) -> Browser:
    """The browser of Ada, who has a library."""
    return await room.browser(ada)


@pytest.fixture
async def bens(room: Site, ben: User) -> Browser:
    """The browser of Ben, whom things are lent to and shared with."""
    return await room.browser(ben)


@pytest.fixture
async def eves(room: Site, eve: User) -> Browser:
    """The browser of Eve, who is from elsewhere."""
    return await room.browser(eve)


@pytest.fixture
async def guest(room: Site) -> Browser:
    """The browser of nobody in particular."""
    return await room.browser()

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.tables import Household
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.movienight.evenings import likes
from tests.movienight.pages.site import Site
from tests.support.fixtures import clock_of_now, store_of_now
from tests.support.pages import Browser

store = store_of_now
clock = clock_of_now


@pytest.fixture
async def empty_site(store: Store, clock: Watch, tmp_path: Path) -> AsyncIterator[Site]:
    """The whole application, and nobody there yet."""
    async with AsyncExitStack() as stack:
        yield Site(store, clock, tmp_path, stack)


@pytest.fixture
async def site(empty_site: Site, home: Household, ada: User, ben: User) -> Site:
    """The application where Ada and Ben live together and have said what they like."""
    await likes(empty_site.store, empty_site.clock, ada)
    await likes(empty_site.store, empty_site.clock, ben)
    return empty_site


@pytest.fixture
async def adas(site: Site, ada: User) -> Browser:
    """The browser of Ada, whose household it is."""
    return await site.browser(ada)


@pytest.fixture
async def bens(site: Site, ben: User) -> Browser:
    """The browser of Ben, who has joined it."""
    return await site.browser(ben)


@pytest.fixture
async def eves(site: Site, eve: User) -> Browser:
    """The browser of Eve, who has an account and no household."""
    return await site.browser(eve)


@pytest.fixture
async def guest(site: Site) -> Browser:
    """The browser of nobody in particular."""
    return await site.browser()

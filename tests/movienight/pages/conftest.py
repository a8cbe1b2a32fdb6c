from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.tables import Group
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.movienight.evenings import likes
from tests.movienight.pages.parlour import Parlour
from tests.support.fixtures import store_of_now
from tests.support.pages import Browser

store = store_of_now


@pytest.fixture
def clock() -> Watch:
    """The time at which things were done: a little earlier, because pages live now."""
    watch = Watch()
    watch.now = time.time() - 3600
    return watch


@pytest.fixture
async def empty_parlour(store: Store, clock: Watch, tmp_path: Path) -> AsyncIterator[Parlour]:
    """The whole application, and nobody there yet."""
    async with AsyncExitStack() as stack:
        yield Parlour(store, clock, tmp_path, stack)


@pytest.fixture
async def parlour(empty_parlour: Parlour, home: Group, ada: User, ben: User) -> Parlour:
    """The application where Ada and Ben live together and have said what they like."""
    await likes(empty_parlour.store, empty_parlour.clock, ada)
    await likes(empty_parlour.store, empty_parlour.clock, ben)
    return empty_parlour


@pytest.fixture
async def adas(parlour: Parlour, ada: User) -> Browser:
    """The browser of Ada, whose household it is."""
    return await parlour.browser(ada)


@pytest.fixture
async def bens(parlour: Parlour, ben: User) -> Browser:
    """The browser of Ben, who has joined it."""
    return await parlour.browser(ben)


@pytest.fixture
async def eves(parlour: Parlour, eve: User) -> Browser:
    """The browser of Eve, who has an account and no household."""
    return await parlour.browser(eve)


@pytest.fixture
async def guest(parlour: Parlour) -> Browser:
    """The browser of nobody in particular."""
    return await parlour.browser()

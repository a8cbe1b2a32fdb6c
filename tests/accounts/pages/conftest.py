from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.pages import Browser, House, house_in


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """An installation that nobody has set up."""
    async with house_in(tmp_path) as made:
        yield made


@pytest.fixture
async def ada(house: House) -> Browser:
    """The administrator's browser."""
    return await house.administrator()


@pytest.fixture
async def ben(house: House, ada: Browser) -> Browser:
    """The browser of somebody with an ordinary account."""
    return await house.member(ada)


@pytest.fixture
async def guest(house: House, ada: Browser) -> Browser:
    """The browser of somebody unknown, in a house that is set up."""
    return await house.browser()

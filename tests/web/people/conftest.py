from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from commonroom.accounts import passwords
from tests.support.pages import Browser, House, house_in


@pytest.fixture(scope="module", autouse=True)
def hashing() -> Iterator[None]:
    """Argon2id at the least cost: ours is slow on purpose, which only its own tests need."""
    with pytest.MonkeyPatch.context() as patch:
        quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(passwords, "_hasher", quick)
        patch.setattr(passwords, "_nobody", None)
        yield


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

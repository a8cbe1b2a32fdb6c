from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.service.signing_up import set_up
from commonroom.accounts.tables import User
from commonroom.accounts.tables import tables as tables_of_accounts
from commonroom.store import Store, Table
from tests.accounts.people import Watch, newcomer, newly


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of accounts holds."""
    return tables_of_accounts


@pytest.fixture
async def ada(store: Store, clock: Watch) -> User:
    """The first account, an administrator's."""
    return await set_up(store, clock(), newcomer("Ada"))


@pytest.fixture
async def ben(store: Store, clock: Watch, ada: User) -> User:
    """Somebody with an ordinary account."""
    clock.forward(1)
    return await newly(store, clock, "Ben")


@pytest.fixture
async def eve(store: Store, clock: Watch, ben: User) -> User:
    """Somebody else with an ordinary account."""
    clock.forward(1)
    return await newly(store, clock, "Eve")

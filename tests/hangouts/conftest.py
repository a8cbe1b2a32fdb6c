from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.tables import User
from commonroom.hangouts.tables import Group
from commonroom.store import Store, Table
from tests.accounts.people import Watch
from tests.hangouts.friends import TABLES, group_of, somebody


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of this room holds."""
    return TABLES


@pytest.fixture
async def ada(store: Store, clock: Watch) -> User:
    """Somebody who has ideas."""
    return await somebody(store, clock, "Ada")


@pytest.fixture
async def ben(store: Store, clock: Watch) -> User:
    """A friend of Ada's."""
    return await somebody(store, clock, "Ben")


@pytest.fixture
async def eve(store: Store, clock: Watch) -> User:
    """Somebody from elsewhere."""
    return await somebody(store, clock, "Eve")


@pytest.fixture
async def friends(store: Store, clock: Watch, ada: User, ben: User) -> Group:
    """The group of Ada and Ben."""
    return await group_of(store, clock, ada, ben)

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.tables import User
from commonroom.hangouts.tables import FriendGroup
from commonroom.store import Store, Table
from tests.accounts.people import Watch
from tests.hangouts.friends import TABLES, group_of


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of this room holds."""
    return TABLES


@pytest.fixture
async def friends(store: Store, clock: Watch, ada: User, ben: User) -> FriendGroup:
    """The group of Ada and Ben."""
    return await group_of(store, clock, ada, ben)


@pytest.fixture
def time_zone() -> str | None:
    """Where people live."""
    return "Europe/Berlin"

"""A store for each test; those that ask for `either` run on both engines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.tables import User
from commonroom.accounts.tables import tables as accounts
from commonroom.notifications.tables import tables as notify
from commonroom.store import Store, Table
from commonroom.store.streams.tables import tables as streams
from commonroom.timers.tables import tables as timers
from tests.notifications.people import person


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of notifications holds."""
    return [*accounts, *notify, *streams, *timers]


@pytest.fixture
async def ada(store: Store) -> User:
    """Somebody with an account."""
    return await person(store, "Ada")

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store, Table
from tests.accounts.people import Watch
from tests.watchlists.examples import TABLES, curator, somebody, stock


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of this room holds."""
    return TABLES


@pytest.fixture
async def ada(store: Store, clock: Watch) -> User:
    """A curator, and a catalogue for her to choose from."""
    await stock(store)
    return await curator(store, clock, "Ada")


@pytest.fixture
async def root(store: Store, clock: Watch) -> User:
    """An administrator."""
    return await somebody(store, clock, "Root", is_admin=True)

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.tables import Household
from commonroom.store import Store, Table
from tests.accounts.people import Watch
from tests.movienight.evenings import TABLES, context_of, home_of, now_of
from tests.support.context import at


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of this room holds."""
    return TABLES


@pytest.fixture
async def home(store: Store, clock: Watch, ada: User, ben: User) -> Household:
    """The household of Ada and Ben."""
    return await home_of(store, clock, ada, ben)


@pytest.fixture
async def zoe(store: Store, clock: Watch, home: Household, ben: User) -> User:
    """A child of Ben's, in the household."""
    clock.forward(1)
    made = await add_managed(at(store, clock(), await context_of(store, ben)), display_name="Zoe")
    return await now_of(store, made)

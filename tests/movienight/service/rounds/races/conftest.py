"""Every test here that asks for `store` runs twice: embedded, and on DynamoDB Local."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import add_managed
from tests.movienight.rounds_support import Evening
from tests.support.context import at
from tests.support.fixtures import either

store = either


@pytest.fixture
async def seats(evening: Evening, ada: User, ben: User) -> list[HouseholdContext]:
    """Those of Ada, Ben, and two children of Ben's."""
    bens = await evening.ctx(ben)
    children = [
        await add_managed(at(evening.store, evening.now(), bens), display_name=one) for one in "YZ"
    ]
    return [
        await evening.ctx(ada),
        await evening.ctx(ben),
        *[await evening.ctx(ben, child) for child in children],
    ]

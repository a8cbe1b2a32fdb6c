from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.service.invites import NewInvite, create_invite
from commonroom.movienight.tables import Household
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of
from tests.movienight.rounds_support import Evening, Shelf, film
from tests.support.context import at


@pytest.fixture
def films() -> Shelf:
    """Comedies that anybody may see, enough for several rounds."""
    return Shelf([film(number) for number in range(1, 31)])


@pytest.fixture
def early_evening(store: Store, clock: Watch, films: Shelf, home: Household) -> Evening:
    """The household of Ada and Ben, before anybody has said what they like."""
    return Evening(store, clock, films)


@pytest.fixture
async def evening(early_evening: Evening, ada: User, ben: User) -> Evening:
    """The household of Ada and Ben, who have said what they like."""
    await early_evening.likes(ada)
    await early_evening.likes(ben)
    return early_evening


@pytest.fixture
async def link(store: Store, clock: Watch, home: Household, ada: User) -> NewInvite:
    """A link into Ada's and Ben's household."""
    return await create_invite(at(store, clock(), await context_of(store, ada)))

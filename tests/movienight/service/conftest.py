from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.tables import Group
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.movienight.rounds_support import Evening, Shelf, film


@pytest.fixture
def films() -> Shelf:
    """Comedies that anybody may see, enough for several rounds."""
    return Shelf([film(number) for number in range(1, 31)])


@pytest.fixture
def early_evening(store: Store, clock: Watch, films: Shelf, home: Group) -> Evening:
    """The household of Ada and Ben, before anybody has said what they like."""
    return Evening(store, clock, films)


@pytest.fixture
async def evening(early_evening: Evening, ada: User, ben: User) -> Evening:
    """The household of Ada and Ben, who have said what they like."""
    await early_evening.likes(ada)
    await early_evening.likes(ben)
    return early_evening

from __future__ import annotations

from collections.abc import Sequence

import pytest

from commonroom.accounts.tables import User
from commonroom.library.tables import Library
from commonroom.store import Store, Table
from tests.accounts.people import Watch
from tests.library.bookcase import TABLES, library_of


@pytest.fixture(scope="session")
def tables() -> Sequence[Table]:
    """What a store of this room holds."""
    return TABLES


@pytest.fixture
async def home(store: Store, clock: Watch, ada: User) -> Library:
    """Ada's library."""
    return await library_of(store, clock, ada)

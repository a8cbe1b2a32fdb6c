from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from commonroom.settings import Settings
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.support.application import application
from tests.support.fixtures import store_of_now
from tests.web.api.calling import Calling

store = store_of_now


@pytest.fixture
def clock() -> Watch:
    """The time as pages have it."""
    clock = Watch()
    clock.now = time.time()
    return clock


@pytest.fixture
async def calling(store: Store, tmp_path: Path) -> AsyncIterator[Calling]:
    """Everybody who comes to a house with this room alone."""
    app = application(store, Settings(data=tmp_path, rooms="hangouts"))
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)

from __future__ import annotations

import time

import pytest

from tests.accounts.people import Watch
from tests.support.fixtures import store_of_now

store = store_of_now


@pytest.fixture
def open_rooms() -> str:
    """This room alone."""
    return "hangouts"


@pytest.fixture
def clock() -> Watch:
    """The time as pages have it."""
    clock = Watch()
    clock.now = time.time()
    return clock

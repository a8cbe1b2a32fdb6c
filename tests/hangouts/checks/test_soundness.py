"""Where people only did what they may, nothing is found."""

from __future__ import annotations

import time

from commonroom.accounts.demo import add_people
from commonroom.hangouts import demo
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.checks.example import drift
from tests.hangouts.friends import tidied
from tests.support.fixtures import either

store = either


async def test_the_demonstration_is_sound(store: Store) -> None:
    now = time.time()
    await demo.furnish(store, now, await add_people(store, now))
    clock = Watch()
    clock.now = now
    await tidied(store, clock)
    assert await drift(store) == []

"""A check waits for consumers as long as they come further, and knows when they are done."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.store import Store, create
from commonroom.store.streams import Worker, progress
from commonroom.store.streams.progress import ConsumerProgress
from tests.store.streams.shelves import Seen, Shelf, Time, consumer, thing


@pytest.fixture(autouse=True)
def _short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "STEP_SECONDS", 0.01)
    monkeypatch.setattr(progress, "IDLE_SECONDS", 0.05)


async def waits(reached: ConsumerProgress) -> int:
    """How often it was worth waiting."""
    count = 0
    while await reached.wait():
        count += 1
    return count


async def test_who_has_handled_everything_is_not_waited_for(store: Store, clock: Time) -> None:
    seen = Seen()
    await store.write(create(thing(1)))
    await Worker(store, [consumer(seen)], clock=clock).drain()
    reached = ConsumerProgress(store, [consumer(seen)])
    assert not await reached.is_behind()
    assert await waits(reached) == 0


async def test_what_a_consumer_does_not_want_does_not_put_it_behind(store: Store) -> None:
    await store.write(create(Shelf(shelf_id="s", name="Top")))
    assert not await ConsumerProgress(store, [consumer(Seen())]).is_behind()


async def test_who_never_ran_is_behind_and_waited_for_once(store: Store) -> None:
    await store.write(create(thing(1)))
    reached = ConsumerProgress(store, [consumer(Seen())])
    assert await waits(reached) > 0
    assert await waits(reached) == 0, "nobody is at work"
    assert await reached.is_behind()


async def test_who_goes_on_is_waited_for_until_the_end(store: Store, clock: Time) -> None:
    await store.write(*(create(thing(number)) for number in range(50)))
    seen = Seen()
    reached = ConsumerProgress(store, [consumer(seen)])
    working = asyncio.create_task(Worker(store, [consumer(seen)], clock=clock).drain())
    await waits(reached)
    assert not await reached.is_behind()
    assert len(seen.changes) == 50
    await working


async def test_what_waits_for_another_try_is_on_its_way(store: Store, clock: Time) -> None:
    seen = Seen()
    seen.failing.add("001")
    await store.write(create(thing(1)))
    await Worker(store, [consumer(seen)], clock=clock).drain()
    assert await ConsumerProgress(store, [consumer(seen)]).is_behind()

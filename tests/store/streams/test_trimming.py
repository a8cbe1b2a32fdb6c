"""Records stay until everybody has seen them, in whichever process, but not for ever."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest

from commonroom.store import Store, create, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.streams import KEPT_SECONDS
from commonroom.store.streams import Worker
from commonroom.store.streams.gaps import NOTE_SECONDS
from commonroom.store.streams.tables import ConsumerState, ShardState
from commonroom.store.streams.worker import SWEEP_SECONDS
from tests.store.streams.shelves import TABLES, Seen, Time, consumer, shelves, thing


@pytest.fixture
async def elsewhere(tmp_path: Path, store: Store, clock: Time) -> AsyncIterator[Store]:
    """The same file, opened by another process."""
    engine = EmbeddedEngine(tmp_path / "store.db", TABLES, durability="OFF", clock=clock)
    yield Store(engine)
    await engine.close()


async def kept(store: Store) -> int:
    """How many records there are."""
    shards = [shard.id for shard in await store.engine.shards(shelves)]
    batches = [await store.engine.changes(shelves, shard, None, 1000) for shard in shards]
    return sum(len(batch.records) for batch in batches)


async def sweep(worker: Worker, clock: Time) -> None:
    await worker.drain()
    clock.now += SWEEP_SECONDS + 1
    await worker._sweep()


async def test_what_all_have_seen_goes_at_the_next_sweep(store: Store, clock: Time) -> None:
    worker = Worker(store, [consumer(Seen())], clock=clock)
    await store.write(create(thing(1)))
    await sweep(worker, clock)
    assert await kept(store) == 0


async def test_what_a_consumer_of_another_process_has_not_seen_stays(
    store: Store, elsewhere: Store, clock: Time
) -> None:
    here, there = Seen(), Seen()
    mine = Worker(store, [consumer(here, name="here")], clock=clock)
    theirs = Worker(elsewhere, [consumer(there, name="there")], clock=clock)
    await theirs.drain()
    await store.write(create(thing(1)))
    for _ in range(3):
        await sweep(mine, clock)
        clock.now += 24 * 3600
    assert (here.names, there.names) == (["001"], [])
    assert await kept(store) == 1

    await theirs.drain()
    await sweep(mine, clock)
    assert there.names == ["001"]


async def test_what_a_consumer_of_an_earlier_version_has_not_seen_stays(
    store: Store, clock: Time
) -> None:
    for shard in await store.engine.shards(shelves):
        state = ShardState(consumer="older", stream="Shelves", shard=shard.id, position="0")
        await store.write(put(state))
    worker = Worker(store, [consumer(Seen())], clock=clock)
    await store.write(create(thing(1)))
    await sweep(worker, clock)
    assert await kept(store) == 1


async def test_one_that_is_gone_for_good_keeps_them_for_a_week(store: Store, clock: Time) -> None:
    gone = ConsumerState(consumer="gone", streams=["Shelves"], followed_at=clock.now)
    await store.write(put(gone))
    seen = Seen()
    worker = Worker(store, [consumer(seen)], clock=clock)
    for number in range(8):
        await store.write(create(thing(number)))
        await sweep(worker, clock)
        assert await kept(store) == number + 1
        clock.now += KEPT_SECONDS / 9

    clock.now = (gone.followed_at or 0) + KEPT_SECONDS + 1
    await sweep(worker, clock)
    assert await kept(store) == 0
    assert len(seen.names) == 8


async def test_one_that_no_longer_follows_a_table_keeps_nothing_of_it(
    store: Store, clock: Time
) -> None:
    for shard in await store.engine.shards(shelves):
        state = ShardState(consumer="other", stream="Shelves", shard=shard.id, position="0")
        await store.write(put(state))
    other = ConsumerState(consumer="other", streams=["Elsewhere"], followed_at=clock.now)
    await store.write(put(other))
    worker = Worker(store, [consumer(Seen())], clock=clock)
    await store.write(create(thing(1)))
    await sweep(worker, clock)
    assert await kept(store) == 0


async def test_an_idle_worker_writes_nothing_but_once_an_hour(store: Store, clock: Time) -> None:
    worker = Worker(store, [consumer(Seen())], clock=clock)
    await store.write(create(thing(1)))
    await sweep(worker, clock)
    written = [await _number_after(worker, store, clock) for _ in range(120)]
    changes = sum(before != after for before, after in pairwise(written))
    assert changes <= 120 * (SWEEP_SECONDS + 1) / NOTE_SECONDS + 1


async def _number_after(worker: Worker, store: Store, clock: Time) -> int | None:
    await sweep(worker, clock)
    return store.engine.change_number()

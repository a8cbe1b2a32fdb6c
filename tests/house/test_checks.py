"""After a long absence the data is repaired as `commonroom check --repair` would."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from commonroom.house.checks import HouseProgress, repair_missed
from commonroom.house.consumers import consumers
from commonroom.house.rooms import ROOMS
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store, create, put, update
from commonroom.store.streams import Worker
from commonroom.store.streams.gaps import NOTE_SECONDS
from commonroom.store.streams.worker import SWEEP_SECONDS
from commonroom.timers import timer
from tests.support.engines import Clock
from tests.support.sample_data import BOOK, LIBRARY


async def work(store: Store, folder: Path, clock: Clock) -> None:
    """A worker of the whole house comes, catches up, sweeps and goes."""
    repair = partial(repair_missed, rooms=ROOMS)
    everybody = consumers(Settings(data=folder), Fetcher())
    worker = Worker(store, everybody, clock=clock, repair=repair)
    await worker.drain()
    clock.stopped = clock() + SWEEP_SECONDS + 1
    await worker._sweep()
    if worker._repairing is not None:
        await worker._repairing


async def test_copies_whose_changes_were_missed_are_mended(
    store_of_now: Store, tmp_path: Path
) -> None:
    store, clock = store_of_now, Clock()
    clock.stopped = time.time()
    await store.write(create(LIBRARY), create(BOOK))
    await work(store, tmp_path, clock)
    await store.write(update(LIBRARY, library_name="Cellar"))
    # The records go while nobody is there to see them.
    for shard in await store.engine.shards(LIBRARY.schema.table):
        await store.engine.trim(LIBRARY.schema.table, shard.id, [str(10**9)])
    clock.stopped = clock() + store.engine.retention_seconds + NOTE_SECONDS

    await work(store, tmp_path, clock)

    book = await store.get(BOOK.ref)
    assert book is not None
    assert book.library_name == "Cellar"


async def test_what_is_left_to_a_timer_that_is_due_is_on_its_way(embedded: Store) -> None:
    progress = HouseProgress(embedded, [])
    await embedded.write(put(timer("note", time.time() + 3600, {})))
    assert not await progress.is_behind()
    await embedded.write(put(timer("note", time.time() - 1, {})))
    assert await progress.is_behind()

"""Several workers on a hostile engine: everything at least once, and in order per item."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from commonroom.store import Store, create, update
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.store.streams.tables import dead_letters, parked_changes
from tests.store.streams.shelves import TABLES, Thing, Time, thing
from tests.support.hostile_engine import EVERYTHING, hostile_file

ITEMS, CHANGES = 6, 15


@pytest.mark.parametrize("seed", range(4))
async def test_everything_is_handled_at_least_once_and_in_order(
    tmp_path: Path, clock: Time, seed: int
) -> None:
    seen: defaultdict[str, list[int]] = defaultdict(list)
    failed: set[tuple[str, int]] = set()

    async def handle(store: Store, change: Change) -> None:
        name, count = change.new.thing_id, int(change.new.shelf_name)
        if count % 4 == 2 and (name, count) not in failed:
            failed.add((name, count))
            raise RuntimeError("no luck the first time")
        seen[name].append(count)

    # A worker whose own checkpoints are rivalled by nobody but other workers.
    hostility = replace(EVERYTHING, conflicts=0.0)
    async with hostile_file(
        tmp_path, TABLES, seed=seed, hostility=hostility, clock=clock
    ) as engine:
        calm = Store(engine.inner)
        followers = [Consumer("test", (Thing,), handle)]
        workers = [Worker(Store(engine), followers, clock=clock, monotonic=clock) for _ in range(3)]
        for number in range(ITEMS):
            await calm.write(create(thing(number, shelf_name="0")))
        for count in range(1, CHANGES):
            for number in range(ITEMS):
                await calm.write(update(thing(number).ref, shelf_name=str(count)))
            await asyncio.gather(*(_round(worker) for worker in workers))
        for _ in range(300):
            clock.now += 40
            await asyncio.gather(*(_round(worker) for worker in workers))
            waiting = [one async for one in calm.all(parked_changes(consumer="test"))]
            if all(CHANGES - 1 in seen[f"{number:03}"] for number in range(ITEMS)) and not waiting:
                break
        assert waiting == []
        assert [one async for one in calm.all(dead_letters(consumer="test"))] == []
        assert engine.happened.total() > 0
    for counts in seen.values():
        assert list(dict.fromkeys(counts)) == list(range(CHANGES)), "but for what comes again"


async def _round(worker: Worker) -> None:
    try:
        await worker.once()
    except Unavailable:
        return

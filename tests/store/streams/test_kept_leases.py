"""A worker that runs keeps what it holds of a file, stores checkpoints together, and lets go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from commonroom.store import Store, create, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import WriteOperation
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.store.streams.tables import ShardState, consumers, shard_states
from tests.store.streams.shelves import TABLES, Seen, Shelf, Thing, Time, consumer, thing

NAMES = ("one", "two", "three")


class Writes:
    """Notes what is written of leases and checkpoints, write by write."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []
        write = store.engine.write

        async def noted(operations: Sequence[WriteOperation]) -> None:
            await write(operations)
            of_leases = [one for one in operations if one.table is consumers]
            if any(str(one.key[1]).startswith("shard#") for one in of_leases):
                self.sizes.append(len(of_leases))

        monkeypatch.setattr(store.engine, "write", noted)


async def states(store: Store, name: str = "test") -> list[ShardState]:
    return [one async for one in store.all(shard_states(consumer=name))]


@asynccontextmanager
async def running(worker: Worker) -> AsyncIterator[None]:
    task = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        worker.stop()
        await task


async def seen_by(several: Sequence[Seen], names: Sequence[str]) -> None:
    async with asyncio.timeout(60):
        while any(one.names != names for one in several):  # noqa: ASYNC110 - they have no event
            await asyncio.sleep(0.01)


async def saved(store: Store, names: Sequence[str] = ("test",)) -> None:
    """Waits until checkpoints are where consumers have come."""
    async with asyncio.timeout(60):
        while True:
            found = [one for name in names for one in await states(store, name)]
            if len(found) == len(names) and all(one.position for one in found):
                left = [
                    await store.engine.changes(thing(0).schema.table, one.shard, one.position, 1)
                    for one in found
                ]
                if not any(one.records for one in left):
                    return
            await asyncio.sleep(0.01)


async def test_leases_are_taken_once_and_checkpoints_stored_together(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = [Seen() for _ in NAMES]
    followers = [consumer(seen, name=name) for seen, name in zip(several, NAMES, strict=True)]
    writes = Writes(store, monkeypatch)
    async with running(Worker(store, followers, monotonic=lambda: 0.0)):
        for number in range(5):
            await store.write(create(thing(number)))
            await seen_by(several, [f"{one:03}" for one in range(number + 1)])
    # Whose clock stands still stores no checkpoints meanwhile: they are stored when it stops.
    assert writes.sizes == [len(NAMES), len(NAMES)], "taken by all, released by all"


async def test_what_was_handled_is_stored_soon_and_the_lease_is_kept(store: Store) -> None:
    seen = Seen()
    worker = Worker(store, [consumer(seen)])
    async with running(worker):
        await store.write(create(thing(1)))
        await saved(store)
        [state] = await states(store)
        assert state.owner is not None
        await store.write(create(thing(2)))
        await saved(store)
        assert (await states(store))[0].turns == state.turns, "it was not taken again"
    assert [(one.owner, one.turns) for one in await states(store)] == [(None, state.turns)]
    assert seen.names == ["001", "002"]


async def test_a_lease_that_was_not_written_for_long_is_taken_anew_before_it_is_used(
    store: Store, clock: Time
) -> None:
    seen = Seen()
    async with running(Worker(store, [consumer(seen)], monotonic=clock)):
        await store.write(create(thing(1)))
        await seen_by([seen], ["001"])
        clock.now += 1
        await saved(store)
        turns = (await states(store))[0].turns
        clock.now += 11
        await store.write(create(thing(2)))
        await seen_by([seen], ["001", "002"])
        assert (await states(store))[0].turns == turns + 1


async def test_what_another_took_over_meanwhile_is_followed(store: Store, clock: Time) -> None:
    first, second = Seen(), Seen()
    worker = Worker(store, [consumer(first)], monotonic=clock)
    async with running(worker):
        await store.write(create(thing(1)))
        await seen_by([first], ["001"])
        # As if this process had stood still for longer than a lease lasts.
        [state] = await states(store)
        await store.write(update(state.ref, owner="another", turns=state.turns + 1))
        clock.now += 11
        await store.write(create(thing(2)))
        await asyncio.sleep(0.1)
        assert first.names == ["001"], "another is at it"
        other = Worker(store, [consumer(second)], clock=clock, monotonic=clock)
        await other.drain()
        clock.now += 31
        await other.drain()
    assert first.names + second.names in (["001", "002"], ["001", "001", "002"])


async def test_a_second_worker_goes_on_where_the_first_was_stopped(store: Store) -> None:
    first, second = Seen(), Seen()
    async with running(Worker(store, [consumer(first)])):
        await store.write(create(thing(1)))
        await seen_by([first], ["001"])
    async with running(Worker(store, [consumer(second)])):
        await store.write(create(thing(2)))
        await seen_by([second], ["002"])


async def test_of_two_that_run_one_handles_each_change(store: Store) -> None:
    at_work = most = 0
    handled: list[str] = []

    async def handle(_: Store, change: Change) -> None:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0.001)
        at_work -= 1
        handled.append(change.new.thing_id)

    workers = [Worker(store, [Consumer("test", (Thing,), handle)]) for _ in "12"]
    async with running(workers[0]), running(workers[1]):
        for number in range(60):
            await store.write(create(thing(number)))
        async with asyncio.timeout(60):
            while len(handled) < 60:  # noqa: ASYNC110 - the same
                await asyncio.sleep(0.01)
    assert most == 1
    assert handled == [f"{number:03}" for number in range(60)]


async def test_what_one_lets_go_of_another_process_takes_at_once(tmp_path: Path) -> None:
    first, second = Seen(), Seen()
    mine = Store(EmbeddedEngine(tmp_path / "data.db", TABLES, durability="OFF"))
    theirs = Store(EmbeddedEngine(tmp_path / "data.db", TABLES, durability="OFF"))
    async with running(Worker(mine, [consumer(first)])):
        await mine.write(create(thing(1)))
        await seen_by([first], ["001"])
    async with running(Worker(theirs, [consumer(second)])):
        await mine.write(create(thing(2)))
        await seen_by([second], ["002"])
    await mine.close()
    await theirs.close()


async def test_consumers_share_what_was_decoded(store: Store) -> None:
    several = [Seen() for _ in NAMES]
    followers = [consumer(seen, name=name) for seen, name in zip(several, NAMES, strict=True)]
    await store.write(create(thing(1)))
    await Worker(store, followers).drain()
    news: list[Any] = [seen.changes[0].new for seen in several]
    assert all(one is news[0] for one in news)


async def test_a_full_batch_is_read_once_for_those_who_are_behind(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Consumers that come apart from each other at a backlog still share what is read of it."""
    seen, slow_seen, records = Seen(), Seen(), 0
    changes = store.engine.changes

    async def counted(*arguments: Any) -> Any:
        nonlocal records
        found = await changes(*arguments)
        records += len(found.records)
        return found

    async def slow(store: Store, change: Change) -> None:
        await asyncio.sleep(0)
        await slow_seen(store, change)

    for start in range(0, 250, 50):
        await store.write(*(create(thing(number)) for number in range(start, start + 50)))
    monkeypatch.setattr(store.engine, "changes", counted)
    followers = [consumer(seen), Consumer("slow", (Thing,), slow)]
    async with running(Worker(store, followers)):
        await seen_by([seen, slow_seen], [f"{number:03}" for number in range(250)])
    assert records <= 300, "all but the last batch once"


async def test_a_backlog_of_which_somebody_wants_little_keeps_nobody_from_their_turn(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, at_turns, seen = 0, list[int](), Seen()
    changes = store.engine.changes

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def noted(*arguments: Any) -> Any:
        found = await changes(*arguments)
        if found.records:
            at_turns.append(turns)
        return found

    for start in range(0, 900, 100):
        await store.write(*(create(thing(number)) for number in range(start, start + 100)))
    await store.write(create(Shelf(shelf_id="a", name="A")))
    monkeypatch.setattr(store.engine, "changes", noted)
    others = asyncio.create_task(count_turns())
    worker = Worker(store, [Consumer("test", (Shelf,), seen)])
    assert await worker.drain() == 1
    others.cancel()
    assert len(at_turns) >= 10
    assert len(set(at_turns)) == len(at_turns), "between two batches everybody has a turn"

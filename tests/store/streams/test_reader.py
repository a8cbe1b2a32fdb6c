"""Records are read once for all consumers, and nobody holds anybody else up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from commonroom.store import Store, create, update
from commonroom.store.declare.table import Table
from commonroom.store.engine import Changes
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.store.streams.group import SHARDS_SECONDS
from commonroom.store.streams.parked import MAX_PARKED
from commonroom.store.streams.tables import consumer_state, shard_states
from commonroom.store.streams.worker import SWEEP_SECONDS
from tests.store.streams.shelves import (
    Crate,
    Seen,
    Shelf,
    Thing,
    Time,
    consumer,
    crates,
    shelves,
    thing,
)


class Reads:
    """Counts the reads of streams that an engine is asked for, and the records that it gives."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = self.records = 0
        changes = store.engine.changes

        async def counted(table: Table, shard: str, after: str | None, limit: int) -> Changes:
            found = await changes(table, shard, after, limit)
            self.count += 1
            self.records += len(found.records)
            return found

        monkeypatch.setattr(store.engine, "changes", counted)


async def test_a_record_is_read_once_however_many_follow(
    store: Store, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = [Seen() for _ in range(5)]
    consumers = [consumer(seen, name=f"test-{n}") for n, seen in enumerate(several)]
    worker = Worker(store, consumers, clock=clock)
    await worker.drain()
    for number in range(20):
        await store.write(create(thing(number)))
    reads = Reads(store, monkeypatch)

    await worker.drain()

    assert all(len(seen.names) == 20 for seen in several)
    assert reads.records == 20


async def test_an_idle_round_reads_nothing_in_a_file_that_nobody_has_written(
    store: Store, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = Worker(store, [consumer(Seen())], clock=clock)
    await store.write(create(thing(1)))
    await worker.drain()
    reads = Reads(store, monkeypatch)
    assert await worker.once() == 0
    assert reads.count == 0
    await store.write(create(thing(2)))
    assert await worker.once() == 1


async def test_one_that_is_slow_holds_up_nobody_else(store: Store) -> None:
    go_on, all_seen = asyncio.Event(), asyncio.Event()
    seen: list[str] = []

    async def slow(store: Store, change: Change) -> None:
        await go_on.wait()

    async def quick(store: Store, change: Change) -> None:
        seen.append(change.new.thing_id)
        if len(seen) == 3:
            all_seen.set()

    both = [Consumer("slow", (Thing,), slow), Consumer("quick", (Thing,), quick)]
    worker = Worker(store, both)
    running = asyncio.create_task(worker.run())
    for number in range(3):
        await store.write(create(thing(number)))
    await all_seen.wait()
    assert seen == ["000", "001", "002"]
    go_on.set()
    worker.stop()
    await running


async def test_one_that_is_full_of_failures_holds_up_nobody_else(store: Store, clock: Time) -> None:
    failing, well = Seen(), Seen()
    numbers = range(MAX_PARKED + 150)
    failing.failing = {f"{number:03}" for number in numbers}
    both = [consumer(failing, name="failing"), consumer(well, name="well")]
    for start in range(0, len(numbers), 50):
        await store.write(*(create(thing(number)) for number in numbers[start : start + 50]))
    await Worker(store, both, clock=clock).drain()
    assert len(well.names) == len(numbers)


async def test_a_stream_that_cannot_be_read_holds_up_no_other(
    store: Store, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes, seen = store.engine.changes, Seen()

    async def broken(table: Table, shard: str, after: str | None, limit: int) -> Changes:
        if table is crates:
            raise Unavailable("Nobody answers for crates.")
        return await changes(table, shard, after, limit)

    async def never(store: Store, change: Change) -> None:
        raise AssertionError("nothing of crates can be read")

    monkeypatch.setattr(store.engine, "changes", broken)
    worker = Worker(store, [Consumer("crates", (Crate,), never), consumer(seen)], clock=clock)
    await store.write(create(thing(1)))
    with pytest.raises(Unavailable):
        await worker.once()
    assert seen.names == ["001"]


async def test_the_checkpoint_passes_what_is_not_wanted_without_a_write_for_each(
    store: Store, clock: Time
) -> None:
    worker = Worker(store, [consumer(Seen())], clock=clock)
    shelf = Shelf(shelf_id="a", name="A")
    await store.write(create(shelf))
    for number in range(10):
        await store.write(update(shelf, name=f"{number}"))
    await worker.drain()
    assert [one async for one in store.all(shard_states(consumer="test"))] == []

    clock.now += 61
    await worker._sweep()

    states = [one async for one in store.all(shard_states(consumer="test"))]
    last = [
        (await store.engine.changes(shelves, one.shard, one.position, 9)).records for one in states
    ]
    assert last == [[]]


async def test_several_workers_see_what_the_others_did_and_left_waiting(
    store: Store, clock: Time
) -> None:
    seen = Seen()
    seen.failing = {"001"}
    workers = [Worker(store, [consumer(seen)], clock=clock, monotonic=clock) for _ in "123"]
    for number in range(4):
        await store.write(create(thing(number)))
        for worker in workers:
            await worker.drain()
    assert seen.names == ["000", "002", "003"]
    seen.failing = set()
    clock.now += 61
    for worker in workers:
        await worker.drain()
    assert seen.names == ["000", "002", "003", "001"], "one of them tried it again, and only one"


class TestOnDynamoDB:
    async def handled(self, workers: Sequence[Worker], seen: Seen, count: int) -> None:
        """Lets workers work until so much was seen; DynamoDB Local needs a moment to show it."""
        async with asyncio.timeout(60):
            while len(seen.names) < count:
                await asyncio.gather(*(worker.once() for worker in workers))

    async def test_two_workers_share_the_work_and_each_change_is_handled_once(
        self, dynamodb: Store, clock: Time
    ) -> None:
        seen = Seen()
        workers = [Worker(dynamodb, [consumer(seen)], clock=clock, monotonic=clock) for _ in "12"]
        for number in range(6):
            await dynamodb.write(create(thing(number)))
            clock.now += 3
            await self.handled(workers, seen, number + 1)
        assert seen.names == [f"{number:03}" for number in range(6)]

    async def test_a_stream_that_is_made_anew_is_followed_and_the_loss_is_noticed(
        self, dynamodb: Store, clock: Time
    ) -> None:
        seen = Seen()
        worker = Worker(dynamodb, [consumer(seen)], clock=clock, monotonic=clock)
        await dynamodb.write(create(thing(1)))
        await self.handled([worker], seen, 1)
        connection = dynamodb.engine._connection  # type: ignore[attr-defined] # it is DynamoDB's
        await connection.send("DeleteTable", {"TableName": "Shelves"})
        await dynamodb.engine.create_tables([shelves])
        await dynamodb.write(create(thing(2)))
        clock.now += SHARDS_SECONDS
        await self.handled([worker], seen, 2)
        clock.now += SWEEP_SECONDS + 1
        await worker._sweep()
        state = await dynamodb.get(consumer_state(consumer="test"))
        assert state is not None
        assert state.missed_until is not None

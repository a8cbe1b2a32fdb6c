"""A consumer that was away for longer than changes are kept says so, and the data is repaired."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from commonroom.doctor.store import examine_consumers
from commonroom.store import Store, Table, create, delete, put, update
from commonroom.store.engine import Shard
from commonroom.store.streams import Consumer, Worker
from commonroom.store.streams.gaps import NOTE_SECONDS, TOGETHER_SECONDS
from commonroom.store.streams.group import SHARDS_SECONDS
from commonroom.store.streams.tables import (
    ConsumerState,
    ParkedChange,
    ShardState,
    WorkerSign,
    consumer_state,
    parked_changes,
    shard_states,
)
from commonroom.store.streams.worker import SWEEP_SECONDS
from tests.store.streams.shelves import Seen, Time, consumer, thing


class Repairs:
    """Remembers for whom the data was repaired."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.fails = False

    async def __call__(self, store: Store, consumers: Sequence[Consumer]) -> None:
        if self.fails:
            raise RuntimeError("a check of ours stumbles")
        self.names += [one.name for one in consumers]


@pytest.fixture
def repairs() -> Repairs:
    return Repairs()


async def work(store: Store, clock: Time, repairs: Repairs, seen: Seen | None = None) -> None:
    """A worker comes, catches up, sweeps and goes."""
    worker = Worker(store, [consumer(seen or Seen())], clock=clock, repair=repairs)
    await worker.drain()
    clock.now += SWEEP_SECONDS + 1
    await worker._sweep()
    if worker._repairing is not None:
        await worker._repairing


async def levels(store: Store, clock: Time) -> list[str]:
    await store.write(put(WorkerSign(seen_at=clock.now)))  # as `commonroom worker` does
    return [finding.level for finding in await examine_consumers(store, clock.now)]


async def stored_state(store: Store) -> ConsumerState:
    state = await store.get(consumer_state(consumer="test"))
    assert state is not None
    return state


class TestAConsumerThatWasAway:
    async def test_too_long_is_noticed_said_and_repaired_once(
        self,
        either: Store,
        clock: Time,
        repairs: Repairs,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        await either.write(create(thing(1)))
        await work(either, clock, repairs)
        left = clock.now
        clock.now += either.engine.retention_seconds + NOTE_SECONDS
        assert await levels(either, clock) == ["ok"]

        await work(either, clock, repairs)

        assert repairs.names == ["test"]
        assert "test has missed changes that are no longer kept." in caplog.messages
        state = await stored_state(either)
        assert state.missed_from is not None
        assert left - NOTE_SECONDS <= state.missed_from <= left
        assert await levels(either, clock) == ["warning"]
        await work(either, clock, repairs)
        assert repairs.names == ["test"]

    async def test_but_not_too_long_has_missed_nothing(
        self, either: Store, clock: Time, repairs: Repairs
    ) -> None:
        await either.write(create(thing(1)))
        for _ in range(3):
            await work(either, clock, repairs)
            clock.now += either.engine.retention_seconds - 2 * NOTE_SECONDS
        assert repairs.names == []
        assert await levels(either, clock) == ["ok"]

    async def test_is_repaired_by_the_next_worker_where_the_first_could_not(
        self, store: Store, clock: Time, repairs: Repairs
    ) -> None:
        await work(store, clock, repairs)
        clock.now += store.engine.retention_seconds + NOTE_SECONDS
        repairs.fails = True
        await work(store, clock, repairs)
        assert await levels(store, clock) == ["problem"]
        repairs.fails = False
        await work(store, clock, repairs)
        assert repairs.names == ["test"]

    async def test_and_is_new_has_missed_nothing(
        self, either: Store, clock: Time, repairs: Repairs
    ) -> None:
        await either.write(create(thing(1)))
        clock.now += 3 * either.engine.retention_seconds
        await work(either, clock, repairs)
        assert repairs.names == []


class TestANewVersion:
    @staticmethod
    async def follow(store: Store, clock: Time, repairs: Repairs, *names: str) -> None:
        """A worker with these consumers comes, and goes; they need what was there before."""
        each = [replace(consumer(Seen()), name=name, needs_past=True) for name in names]
        worker = Worker(store, each, clock=clock, repair=repairs)
        await worker.drain()
        clock.now += SWEEP_SECONDS + 1
        await worker._sweep()
        if worker._repairing is not None:
            await worker._repairing

    async def test_that_adds_a_consumer_lets_it_make_what_was_there_before(
        self, either: Store, clock: Time, repairs: Repairs
    ) -> None:
        await either.write(create(thing(1)))
        await self.follow(either, clock, repairs, "old")
        assert repairs.names == [], "where everything is new, nothing was there before"
        clock.now += TOGETHER_SECONDS
        repairs.fails = True
        await self.follow(either, clock, repairs, "old", "new")
        assert await levels(either, clock) == ["warning"]
        repairs.fails = False
        for _ in range(2):
            await self.follow(either, clock, repairs, "old", "new")
        assert repairs.names == ["new"]
        assert await levels(either, clock) == ["ok"]

    async def test_is_not_taken_for_one_where_processes_start_together_for_the_first_time(
        self, either: Store, clock: Time, repairs: Repairs
    ) -> None:
        await self.follow(either, clock, repairs, "first")
        await self.follow(either, clock, repairs, "first", "second")
        assert repairs.names == []


class TestInAFile:
    async def test_records_that_went_unseen_are_noticed_also_when_the_clock_was_wrong(
        self, store: Store, clock: Time, repairs: Repairs
    ) -> None:
        await store.write(create(thing(1)))
        await work(store, clock, repairs)
        await store.write(update(thing(1), shelf_name="B"))
        clock.now += store.engine.retention_seconds + 3600
        await store.engine.sweep(100)
        clock.now -= 2 * store.engine.retention_seconds
        seen = Seen()
        await store.write(update(thing(1), shelf_name="C"))
        await work(store, clock, repairs, seen)
        assert [one.new.shelf_name for one in seen.changes] == ["C"]
        assert repairs.names == ["test"]

    async def test_of_an_earlier_version_it_is_noticed_too(
        self, store: Store, clock: Time, repairs: Repairs
    ) -> None:
        await store.write(create(thing(1)))
        for shard in await store.engine.shards(thing(1).schema.table):
            place = ShardState(consumer="test", stream="Shelves", shard=shard.id, position="0")
            await store.write(put(place))
        clock.now += store.engine.retention_seconds + 1
        await store.engine.sweep(100)
        await work(store, clock, repairs)
        assert repairs.names == ["test"]


class TestAShardThatIsNoLongerListed:
    @pytest.mark.parametrize("finished", [True, False])
    async def test_is_a_loss_only_where_it_was_not_finished(
        self, store: Store, clock: Time, monkeypatch: pytest.MonkeyPatch, finished: bool
    ) -> None:
        listed = [Shard("0"), Shard("9")]

        async def shards(table: Table) -> list[Shard]:
            return listed

        monkeypatch.setattr(store.engine, "shards", shards)
        await store.write(
            put(ShardState(consumer="test", stream="Shelves", shard="9", finished=finished))
        )
        worker = Worker(store, [consumer(Seen())], clock=clock, monotonic=clock)
        await worker.drain()
        listed.pop()
        clock.now += SHARDS_SECONDS
        await worker.drain()
        clock.now += SWEEP_SECONDS + 1
        await worker._sweep()
        assert (await stored_state(store)).missed_until == (None if finished else clock.now)
        assert await places(store) == ([] if finished else ["9"])


class TestOnDynamoDB:
    async def test_a_shard_that_is_gone_before_it_was_finished_is_noticed(
        self, dynamodb: Store, clock: Time, repairs: Repairs
    ) -> None:
        gone = ShardState(consumer="test", stream="Shelves", shard="shardId-gone", position="1")
        await dynamodb.write(put(gone))
        await work(dynamodb, clock, repairs)
        assert repairs.names == ["test"]
        assert gone.shard not in await places(dynamodb)

    async def test_a_shard_that_is_gone_after_it_was_finished_is_forgotten(
        self, dynamodb: Store, clock: Time, repairs: Repairs
    ) -> None:
        done = ShardState(consumer="test", stream="Shelves", shard="shardId-done", finished=True)
        await dynamodb.write(put(done))
        await work(dynamodb, clock, repairs)
        assert repairs.names == []
        assert await places(dynamodb) == []

    async def test_what_waits_in_a_shard_that_is_gone_is_still_tried_again(
        self, dynamodb: Store, clock: Time
    ) -> None:
        seen = Seen()
        seen.failing = {"001"}
        first = Worker(dynamodb, [consumer(seen)], clock=clock)
        await dynamodb.write(create(thing(1)))
        async with asyncio.timeout(60):
            while not await parked(dynamodb):
                await first.drain()
        [change] = await parked(dynamodb)
        await dynamodb.write(delete(change), put(replace(change, shard="shardId-gone")))
        seen.failing = set()
        clock.now += 2
        await Worker(dynamodb, [consumer(seen)], clock=clock).drain()
        assert seen.names == ["001"]


async def places(store: Store) -> list[str]:
    return [one.shard async for one in store.all(shard_states(consumer="test"))]


async def parked(store: Store) -> list[ParkedChange]:
    return [one async for one in store.all(parked_changes(consumer="test"))]

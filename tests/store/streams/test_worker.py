"""Consumers see every change at least once and in order, whatever fails meanwhile."""

from __future__ import annotations

import asyncio
from random import Random

from commonroom.store import Store, create, delete, put, update
from commonroom.store.errors import BeingUpgraded
from commonroom.store.streams import Change, Consumer, RetryPolicy, Worker, copy_consumers
from commonroom.store.streams.tables import ShardState, dead_letters, parked_changes, shard_states
from tests.store.streams.shelves import (
    Big,
    Seen,
    Shelf,
    Thing,
    Time,
    consumer,
    shelf_names,
    shelves,
    thing,
    things,
)


class TestAWorker:
    async def test_hands_over_every_change_once_and_in_order(
        self, store: Store, clock: Time
    ) -> None:
        seen = Seen()
        for number in range(250):
            await store.write(create(thing(number)))
        worker = Worker(store, [consumer(seen)], clock=clock)
        assert await worker.drain() == 250
        assert seen.names == [f"{number:03}" for number in range(250)]
        assert await worker.drain() == 0

    async def test_tells_what_was_what_is_and_how(self, store: Store, clock: Time) -> None:
        seen = Seen()
        first = thing(1)
        await store.write(create(first))
        await store.write(update(first, shelf_name="Old"))
        await store.write(delete(first))
        await Worker(store, [consumer(seen)], clock=clock).drain()
        assert [(one.kind, one.old, one.new) for one in seen.changes] == [
            ("insert", None, first),
            ("modify", first, thing(1, shelf_name="Old")),
            ("remove", thing(1, shelf_name="Old"), None),
        ]

    async def test_leaves_out_what_the_consumer_does_not_want(
        self, store: Store, clock: Time
    ) -> None:
        seen = Seen()
        await store.write(create(Shelf(shelf_id="a", name="A")), create(thing(1)))
        await Worker(store, [consumer(seen)], clock=clock).drain()
        assert seen.names == ["001"]

    async def test_says_that_ttl_did_it(self, store: Store, clock: Time) -> None:
        seen = Seen()
        await store.write(create(Thing(shelf_id="a", thing_id="x", expires=int(clock.now) + 5)))
        clock.now += 10
        assert await store.engine.sweep(100) == 1
        await Worker(store, [consumer(seen)], clock=clock).drain()
        assert [(one.kind, one.by_ttl) for one in seen.changes] == [
            ("insert", False),
            ("remove", True),
        ]

    async def test_writes_nothing_while_there_is_nothing_to_do(
        self, store: Store, clock: Time
    ) -> None:
        await Worker(store, [consumer(Seen())], clock=clock).drain()
        assert [one async for one in store.all(shard_states(consumer="test"))] == []

    async def test_has_passed_what_nobody_wanted_when_it_is_stopped(
        self, store: Store, clock: Time
    ) -> None:
        worker = Worker(store, [consumer(Seen())], clock=clock)
        await store.write(create(thing(1)))
        await store.write(create(Shelf(shelf_id="a", name="A")))
        await worker.drain()
        worker.stop()
        await worker.run()
        for state in [one async for one in store.all(shard_states(consumer="test"))]:
            left = await store.engine.changes(shelves, state.shard, state.position, 1)
            assert (state.owner, left.records) == (None, [])

    async def test_goes_on_where_the_last_one_stopped(self, store: Store, clock: Time) -> None:
        first, second = Seen(), Seen()
        await store.write(create(thing(1)))
        await Worker(store, [consumer(first)], clock=clock).drain()
        await store.write(create(thing(2)))
        await Worker(store, [consumer(second)], clock=clock).drain()
        assert (first.names, second.names) == (["001"], ["002"])


class TestAChangeThatFails:
    async def test_does_not_hold_up_others_and_is_tried_again(
        self, store: Store, clock: Time
    ) -> None:
        seen = Seen()
        seen.failing = {"001"}
        worker = Worker(store, [consumer(seen)], clock=clock)
        await store.write(create(thing(1)), create(thing(2)))
        await worker.drain()
        assert seen.names == ["002"]
        seen.failing = set()
        await worker.drain()
        assert seen.names == ["002"], "its pause is not over yet"
        clock.now += 2
        await worker.drain()
        assert seen.names == ["002", "001"]
        assert [one async for one in store.all(parked_changes(consumer="test"))] == []

    async def test_keeps_later_changes_of_its_item_behind_it(
        self, store: Store, clock: Time
    ) -> None:
        seen = Seen()
        seen.failing = {"001"}
        worker = Worker(store, [consumer(seen)], clock=clock)
        await store.write(create(thing(1)))
        await worker.drain()
        await store.write(update(thing(1), shelf_name="B"))
        await worker.drain()
        seen.failing = set()
        clock.now += 2
        await worker.drain()
        assert [one.kind for one in seen.changes] == ["insert", "modify"]

    async def test_is_set_aside_in_the_end_with_its_error(self, store: Store, clock: Time) -> None:
        seen = Seen()
        seen.failing = {"001"}
        patience = RetryPolicy(first_delay=1, longest_delay=4, max_attempts=3)
        worker = Worker(store, [consumer(seen, retry_policy=patience)], clock=clock)
        await store.write(create(thing(1)))
        for _ in range(5):
            await worker.drain()
            clock.now += 5
        aside = [one async for one in store.all(dead_letters(consumer="test"))]
        assert [(one.attempts, one.error) for one in aside] == [
            (3, "RuntimeError: no luck with 001")
        ]
        seen.failing = set()
        await store.write(update(thing(1), shelf_name="B"))
        await worker.drain()
        assert [one.kind for one in seen.changes] == ["modify"]

    async def test_is_never_set_aside_while_it_waits_for_an_upgrade(
        self, store: Store, clock: Time
    ) -> None:
        async def ask(store: Store, change: Change) -> None:
            raise BeingUpgraded("This cannot be shown yet.")

        patience = RetryPolicy(first_delay=1, longest_delay=4, max_attempts=3)
        one = Consumer("test", (Thing,), ask, patience)
        worker = Worker(store, [one], clock=clock)
        await store.write(create(thing(1)))
        for _ in range(6):
            await worker.drain()
            clock.now += 5
        assert [one async for one in store.all(dead_letters(consumer="test"))] == []
        assert len([one async for one in store.all(parked_changes(consumer="test"))]) == 1

    async def test_that_takes_too_long_counts_as_failed(self, store: Store, clock: Time) -> None:
        async def never(store: Store, change: Change) -> None:
            await asyncio.Event().wait()

        slow = Consumer("test", (Thing,), never, timeout_seconds=0.01)
        await store.write(create(thing(1)))
        await Worker(store, [slow], clock=clock).drain()
        parked = [one async for one in store.all(parked_changes(consumer="test"))]
        assert [one.error for one in parked] == ["TimeoutError: "]

    async def test_is_kept_even_when_its_images_are_too_large(
        self, store: Store, clock: Time
    ) -> None:
        rng = Random(2)
        noise = "".join(chr(rng.randrange(0x4E00, 0x9FFF)) for _ in range(120_000))
        seen = Seen()
        seen.failing = {"001"}
        worker = Worker(store, [Consumer("test", (Big,), seen)], clock=clock)
        await store.write(create(Big(shelf_id="a", thing_id="001", text=noise)))
        await worker.drain()
        seen.failing = set()
        clock.now += 2
        await worker.drain()
        assert [one.new.text == noise for one in seen.changes] == [True]


class TestSeveralWorkers:
    async def test_never_work_at_one_shard_at_the_same_time(
        self, store: Store, clock: Time
    ) -> None:
        at_work = most_at_work = 0
        handled: list[str] = []

        async def handle(store: Store, change: Change) -> None:
            nonlocal at_work, most_at_work
            at_work += 1
            most_at_work = max(at_work, most_at_work)
            await asyncio.sleep(0.001)  # time enough for another worker to come in
            at_work -= 1
            handled.append(change.new.thing_id)

        workers = [Worker(store, [Consumer("test", (Thing,), handle)], clock=clock) for _ in "123"]
        for start in (0, 30):  # the second time, the shard has been worked at before
            for number in range(start, start + 30):
                await store.write(create(thing(number)))
            await asyncio.gather(*(worker.drain() for worker in workers))
        assert most_at_work == 1
        assert handled == [f"{number:03}" for number in range(60)]

    async def test_take_over_from_one_that_died(self, store: Store, clock: Time) -> None:
        seen = Seen()
        await store.write(create(thing(1)))
        for shard in await store.engine.shards(shelves):
            state = ShardState(
                consumer="test",
                stream="Shelves",
                shard=shard.id,
                owner="the dead one",
                leased_until=clock.now + 30,
            )
            await store.write(put(state))
        worker = Worker(store, [consumer(seen)], clock=clock, monotonic=clock)
        await worker.drain()
        assert seen.names == []
        clock.now += 31
        await worker.drain()
        assert seen.names == ["001"]


class TestCopiesThatMustBeFound:
    async def test_follow_their_original(self, store: Store, clock: Time) -> None:
        shelf = Shelf(shelf_id="a", name="Old")
        await store.write(create(shelf))
        for number in range(30):
            await store.write(create(thing(number, shelf_name="Old")))
        await store.write(update(shelf, name="New"))
        await Worker(store, copy_consumers([shelf_names]), clock=clock).drain()
        carried = [one async for one in store.all(things(shelf_id="a"))]
        assert {one.shelf_name for one in carried} == {"New"}
        (item,) = await store.engine.batch_get([(shelves, carried[0].ref.key)])
        assert item is not None
        assert item["name_key"] == "New/000"

"""The stream inside the data file, and the sweeping out of what has expired."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.store import Store, create, delete, put, update
from commonroom.store.declare.table import Table
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.streams import KEPT_SECONDS
from commonroom.store.engine import ChangeRecord
from tests.support.engines import Clock
from tests.support.world import (
    TABLES,
    Book,
    Entry,
    Parcel,
    Reading,
    diary,
    parcels,
    readings,
    world,
)


@pytest.fixture
def clock() -> Clock:
    clock = Clock()
    clock.stopped = 1_000_000.0
    return clock


@pytest.fixture
async def engine(tmp_path: Path, clock: Clock) -> AsyncIterator[EmbeddedEngine]:
    engine = EmbeddedEngine(tmp_path / "data.db", TABLES, durability="OFF", clock=clock)
    yield engine
    await engine.close()


@pytest.fixture
def store(engine: EmbeddedEngine) -> Store:
    return Store(engine)


async def records(engine: EmbeddedEngine, table: Table) -> list[ChangeRecord]:
    """All records of a table, in the order in which they were written."""
    found: list[ChangeRecord] = []
    for shard in await engine.shards(table):
        found += (await engine.changes(table, shard.id, None, 1000)).records
    return sorted(found, key=lambda record: int(record.position))


class TestSweeping:
    async def test_deletes_what_has_expired_and_says_how_many(
        self, engine: EmbeddedEngine, store: Store, clock: Clock
    ) -> None:
        lasting = Book(house_id="h", book_id="lasting", expires_at=1_000_100)
        fleeting = [Book(house_id="h", book_id=f"{n}", expires_at=1_000_010) for n in range(3)]
        parcel = Parcel(parcel_id="p", expires=1_000_010)
        await store.write(put(lasting), *map(put, fleeting), put(parcel))
        assert await engine.sweep(100) == 0

        clock.stopped = 1_000_010

        assert await engine.sweep(100) == 4
        assert await engine.sweep(100) == 0
        clock.stopped = 1_000_000
        assert await store.get(fleeting[0].ref) is None, "gone for good, not only invisible"
        assert await store.get(lasting.ref) == lasting

    async def test_tells_the_stream_that_time_did_it(
        self, engine: EmbeddedEngine, store: Store, clock: Clock
    ) -> None:
        book = Book(house_id="h", book_id="b", expires_at=1_000_010)
        await store.write(put(book))
        clock.stopped = 1_000_010

        await engine.sweep(100)

        last = (await records(engine, world))[-1]
        assert (last.kind, last.old, last.new, last.by_ttl, last.at) == (
            "remove",
            book.to_item(),
            None,
            True,
            1_000_010,
        )

    async def test_does_no_more_at_once_than_it_is_told(
        self, engine: EmbeddedEngine, store: Store, clock: Clock
    ) -> None:
        await store.write(*(put(Parcel(parcel_id=f"{n}", expires=1)) for n in range(25)))

        assert [await engine.sweep(10) for _ in range(4)] == [10, 10, 5, 0]
        assert (await engine.scan(parcels, limit=100)).items == []

    async def test_forgets_records_that_waited_for_more_than_a_week(
        self, engine: EmbeddedEngine, store: Store, clock: Clock
    ) -> None:
        assert clock.stopped is not None
        await store.write(put(Entry(day="old")))
        clock.stopped += 1
        await store.write(put(Entry(day="new")))
        clock.stopped += KEPT_SECONDS

        await engine.sweep(100)

        assert [record.key[0] for record in await records(engine, diary)] == ["new"]

    async def test_says_so_to_whoever_had_not_seen_them(
        self, engine: EmbeddedEngine, store: Store, clock: Clock
    ) -> None:
        assert clock.stopped is not None
        for hour in "12":
            await store.write(put(Entry(day="old", hour=hour)))
        first, last = await records(engine, diary)
        clock.stopped += KEPT_SECONDS + 1
        [shard] = [
            one.id
            for one in await engine.shards(diary)
            if (await engine.changes(diary, one.id, None, 1)).records
        ]
        assert not (await engine.changes(diary, shard, first.position, 10)).trimmed

        await engine.sweep(100)

        assert (await engine.changes(diary, shard, first.position, 10)).trimmed
        assert not (await engine.changes(diary, shard, last.position, 10)).trimmed
        assert not (await engine.changes(diary, shard, None, 10)).trimmed

    async def test_never_gives_a_position_twice(
        self, engine: EmbeddedEngine, store: Store, clock: Clock
    ) -> None:
        assert clock.stopped is not None
        await store.write(put(Entry(day="old")))
        [old] = await records(engine, diary)
        clock.stopped += KEPT_SECONDS + 1
        await engine.sweep(100)

        await store.write(put(Entry(day="new")))

        [new] = await records(engine, diary)
        assert int(new.position) > int(old.position)


class TestTheStream:
    async def test_keeps_the_changes_of_a_partition_in_one_shard(
        self, engine: EmbeddedEngine, store: Store
    ) -> None:
        for number in range(40):
            await store.write(put(Entry(day=f"{number % 4}", hour=f"{number}")))

        shards = await engine.shards(diary)
        held = [
            {record.key[0] for record in (await engine.changes(diary, shard.id, None, 100)).records}
            for shard in shards
        ]
        assert sum(map(len, held)) == 4, "no partition is in two of them"
        assert [shard.parent for shard in shards] == [None] * len(shards)

    async def test_takes_equal_numbers_for_one_partition(
        self, engine: EmbeddedEngine, store: Store
    ) -> None:
        for number in range(20):
            reading = Reading(sensor=number, moment=1)
            await store.write(create(reading))
            whole = reading.to_item() | {"Sensor": float(number), "Value": 1.0}
            await engine.load(readings, [whole])

        for shard in await engine.shards(readings):
            kinds: dict[object, list[str]] = {}
            for record in (await engine.changes(readings, shard.id, None, 100)).records:
                kinds.setdefault(record.key, []).append(record.kind)
            assert all(several == ["insert", "modify"] for several in kinds.values())

    async def test_tells_true_from_one(self, engine: EmbeddedEngine, store: Store) -> None:
        item = Entry(day="d").to_item()
        await engine.load(diary, [item | {"Odd": 1}])

        await engine.load(diary, [item | {"Odd": 1.0}])
        await engine.load(diary, [item | {"Odd": True}])

        assert [record.kind for record in await records(engine, diary)] == ["insert", "modify"]

    async def test_tells_of_an_expired_item_that_is_replaced_or_deleted(
        self, engine: EmbeddedEngine, store: Store
    ) -> None:
        book = Book(house_id="h", book_id="b", expires_at=1)
        anew = replace(book, expires_at=None)
        await store.write(put(book))

        await store.write(create(anew))
        await store.write(update(anew, expires_at=1))
        await store.write(delete(book))

        told = await records(engine, world)
        assert [record.kind for record in told] == ["insert", "modify", "modify", "remove"]
        assert told[1].old == book.to_item()
        assert not any(record.by_ttl for record in told)

    async def test_gives_at_most_what_is_asked_for_and_goes_on_from_there(
        self, engine: EmbeddedEngine, store: Store
    ) -> None:
        for number in range(7):
            await store.write(put(Entry(day="d", hour=f"{number}")))
        [shard] = [
            one
            for one in await engine.shards(diary)
            if (await engine.changes(diary, one.id, None, 1)).records
        ]

        pages, after = [], None
        for _ in range(4):
            changes = await engine.changes(diary, shard.id, after, 3)
            after = changes.position
            pages.append([record.key[1] for record in changes.records])

        assert pages == [["0", "1", "2"], ["3", "4", "5"], ["6"], []]
        assert not changes.ended

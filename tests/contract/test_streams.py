from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from commonroom.store import ConditionFailed, Store, create, delete, put, update
from commonroom.store.engine import ChangeRecord, Engine, WriteOperation
from tests.support.engines import Clock
from tests.support.world import Entry, Name, diary, fresh, names


async def records(engine: Engine, entry: Entry, limit: int = 100) -> list[ChangeRecord]:
    """All changes of one item, read shard by shard from the beginning."""
    return [record async for record in every_record(engine, limit) if record.key == entry.ref.key]


async def every_record(engine: Engine, limit: int) -> AsyncIterator[ChangeRecord]:
    for shard in await engine.shards(diary):
        after = None
        while True:
            changes = await engine.changes(diary, shard.id, after, limit)
            assert len(changes.records) <= limit
            for record in changes.records:
                yield record
            after = changes.position
            if changes.ended or not changes.records:
                break


class TestAStream:
    async def test_tells_of_every_change_with_what_was_and_what_is(self, store: Store) -> None:
        first = Entry(day=fresh(), picture=b"\x00")
        second = replace(first, text="New", count=-5)

        await store.write(put(first))
        await store.write(update(first, text="New", count=-5))
        await store.write(delete(second))

        told = await records(store.engine, first)
        assert [(record.kind, record.old, record.new) for record in told] == [
            ("insert", None, first.to_item()),
            ("modify", first.to_item(), second.to_item()),
            ("remove", second.to_item(), None),
        ]
        assert {record.table for record in told} == {"Diary"}
        assert not any(record.by_ttl for record in told)

    async def test_tells_of_what_is_empty_as_it_is(self, store: Store) -> None:
        entry = Entry(day=fresh())
        empty = {"Map": {}, "List": [], "Text": "", "Deep": {"Map": {}, "List": [{}, [], ""]}}
        item = entry.to_item() | empty
        await store.engine.write([WriteOperation("put", diary, entry.ref.key, item=item)])

        [record] = await records(store.engine, entry)

        assert record.new == item

    async def test_says_about_when(self, store: Store, clock: Clock) -> None:
        before = clock()
        entry = Entry(day=fresh())
        await store.write(put(entry))

        [record] = await records(store.engine, entry)

        # DynamoDB Local tells the minute.
        assert before - 60 <= record.at <= clock() + 1

    async def test_tells_of_all_parts_of_a_write(self, store: Store) -> None:
        entries = [Entry(day=fresh(), hour=f"{hour}") for hour in range(5)]

        await store.write(*map(create, entries))

        for entry in entries:
            [record] = await records(store.engine, entry)
            assert (record.kind, record.new) == ("insert", entry.to_item())

    async def test_is_silent_about_a_write_that_did_not_happen(self, store: Store) -> None:
        entry, other = Entry(day=fresh()), Entry(day=fresh())
        await store.write(put(other))

        with pytest.raises(ConditionFailed):
            await store.write(put(entry), create(other))

        assert await records(store.engine, entry) == []
        assert len(await records(store.engine, other)) == 1

    async def test_is_silent_about_a_write_that_changes_nothing(self, store: Store) -> None:
        entry = Entry(day=fresh(), text="Dear diary")
        await store.write(put(entry))

        await store.write(put(entry))
        await store.write(update(entry, text="Dear diary"))
        await store.write(delete(Entry(day=entry.day, hour="midnight")))

        assert [record.kind for record in await records(store.engine, entry)] == ["insert"]

    @pytest.mark.parametrize("limit", [3, 100])
    async def test_keeps_the_changes_of_an_item_in_order(self, store: Store, limit: int) -> None:
        entry = Entry(day=fresh())
        await store.write(put(entry))
        for number in range(1, 21):
            await store.write(update(entry.ref, count=number))

        told = await records(store.engine, entry, limit)

        assert [(record.new or {})["Count"] for record in told] == list(range(21))

    async def test_goes_on_after_a_position(self, store: Store) -> None:
        entry = Entry(day=fresh())
        await store.write(put(entry))
        [first] = await records(store.engine, entry)
        await store.write(update(entry, count=1))

        later = [
            record
            for shard in await store.engine.shards(diary)
            for record in (await store.engine.changes(diary, shard.id, first.position, 99)).records
            if record.key == entry.ref.key
        ]

        assert [record.kind for record in later] == ["modify"]

    async def test_of_a_table_without_one_has_no_shards(self, store: Store) -> None:
        await store.write(put(Name(name=fresh(), holder="ann")))

        assert await store.engine.shards(names) == []

"""What only the embedded engine does: one writer, groups, several loops, and an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from commonroom.store import ConditionFailed, Store, add, create, put, stored, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.data_file import Durability, connect
from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.errors import BadNumber, SameItemTwice, Unavailable, WrongType
from tests.support.world import TABLES, Book, Entry, House, Name, diary, names


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[EmbeddedEngine]:
    engine = EmbeddedEngine(tmp_path / "data.db", TABLES)
    yield engine
    await engine.close()


@pytest.fixture
def store(engine: EmbeddedEngine) -> Store:
    return Store(engine)


class TestWritesThatWaitTogether:
    async def test_are_each_done_or_refused_by_themselves(self, store: Store) -> None:
        await store.write(create(Name(name="taken", holder="ann")))
        house = House(house_id="h", title="Home")

        outcomes = await asyncio.gather(
            store.write(put(house)),
            store.write(
                put(Book(house_id="h", book_id="1")), create(Name(name="taken", holder="x"))
            ),
            store.write(update(house, books=add(1))),
            store.write(update(Book.at(house_id="h", book_id="1"), pages=1)),
            store.write(update(house, books=add(1)), put(Book(house_id="h", book_id="2"))),
            return_exceptions=True,
        )

        assert [type(one) for one in outcomes] == [
            type(None),
            ConditionFailed,
            type(None),
            ConditionFailed,
            type(None),
        ]
        assert await store.get(house.ref) == House(house_id="h", title="Home", books=2)
        assert await store.get(Book.at(house_id="h", book_id="1")) is None
        assert await store.get(Book.at(house_id="h", book_id="2")) is not None

    async def test_see_those_that_were_asked_for_before_them(self, store: Store) -> None:
        house = House(house_id="h", title="Home")

        await asyncio.gather(
            store.write(create(house)),
            *(store.write(update(house, books=add(1))) for _ in range(600)),
        )

        found = await store.get(house.ref)
        assert found is not None
        assert found.books == 600

    async def test_may_come_from_several_loops(self, engine: EmbeddedEngine) -> None:
        store = Store(engine)

        async def claim(loop: int) -> None:
            for number in range(20):
                await store.write(create(Name(name=f"{loop}-{number}", holder="ann")))

        await asyncio.gather(
            claim(0), *(asyncio.to_thread(asyncio.run, claim(loop)) for loop in range(1, 4))
        )

        rows = await engine.scan(names, limit=100)
        assert len(rows.items) == 80


class TestAWrite:
    async def test_is_done_though_its_caller_gave_up(self, store: Store) -> None:
        name = Name(name="n", holder="ann")
        writing = asyncio.create_task(store.write(create(name)))
        await asyncio.sleep(0)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing

        await store.write(create(Name(name="later", holder="ann")))

        assert await store.get(name.ref) == name

    async def test_that_would_overflow_a_number_is_refused(self, store: Store) -> None:
        book = Book(house_id="h", book_id="b", pages=2**63 - 1)
        await store.write(put(book))

        with pytest.raises(BadNumber):
            await store.write(update(book, pages=add(1)))

        assert await store.get(book.ref) == book

    @pytest.mark.parametrize(
        "action",
        [
            AttributeChange("add", "Holder", 1),
            AttributeChange("append", "Holder", ["x"]),
            AttributeChange("merge", "Holder", {"a": 1}),
            AttributeChange("discard", "Holder", ["a"]),
            AttributeChange("merge", "Nothing", {"a": 1}),
        ],
    )
    async def test_that_does_not_fit_what_is_there_is_refused(
        self, store: Store, action: AttributeChange
    ) -> None:
        name = Name(name="n", holder="ann")
        await store.write(put(name))
        before = WriteOperation("put", names, ("other",), item={"Name": "other"})
        odd = WriteOperation("update", names, ("n",), stored, actions=(action,))

        with pytest.raises(WrongType):
            await store.engine.write([before, odd])

        assert await store.get(name.ref) == name
        assert await store.engine.batch_get([(names, ("other",))]) == [None]

    async def test_that_is_refused_before_it_is_queued_leaves_the_queue_alone(
        self, store: Store
    ) -> None:
        name = Name(name="n", holder="ann")
        with pytest.raises(SameItemTwice):
            await store.write(put(name), put(name))

        await store.write(put(name))

    async def test_that_waits_in_vain_for_another_program_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("commonroom.store.embedded.write_queue.WAIT_SECONDS", 0.05)
        store = Store(EmbeddedEngine(tmp_path / "busy.db", TABLES))
        other = apsw.Connection(str(tmp_path / "busy.db"))
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(Unavailable, match="locked by another program"):
            await store.write(put(Name(name="n", holder="ann")))

        other.close()
        await store.write(put(Name(name="n", holder="ann")))
        await store.close()


class TestTheEnd:
    async def test_comes_after_all_that_was_asked_for(self, tmp_path: Path) -> None:
        path = tmp_path / "end.db"
        store = Store(EmbeddedEngine(path, TABLES))
        writing = [
            asyncio.create_task(store.write(create(Name(name=f"{n}", holder="ann"))))
            for n in range(100)
        ]
        await asyncio.sleep(0)

        await store.close()
        await asyncio.gather(*writing)

        again = EmbeddedEngine(path, TABLES)
        assert len((await again.scan(names, limit=1000)).items) == 100
        await again.close()

    async def test_is_told_to_whoever_writes_afterwards(self, tmp_path: Path) -> None:
        store = Store(EmbeddedEngine(tmp_path / "end.db", TABLES))
        await store.close()

        with pytest.raises(Unavailable, match="closed"):
            await store.write(create(Name(name="n", holder="ann")))

    async def test_may_come_twice(self, tmp_path: Path) -> None:
        engine = EmbeddedEngine(tmp_path / "end.db", TABLES)

        await engine.close()
        await engine.close()

    async def test_leaves_one_file(self, tmp_path: Path) -> None:
        engine = EmbeddedEngine(tmp_path / "end.db", TABLES)
        await Store(engine).write(put(Name(name="n", holder="ann")))

        await engine.close()

        assert names_in(tmp_path) == ["end.db"]


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


class TestWaitingForChanges:
    async def test_ends_with_a_write(self, engine: EmbeddedEngine, store: Store) -> None:
        await engine.wait_for_changes(0.01)
        waiting = asyncio.create_task(engine.wait_for_changes(60))
        await asyncio.sleep(0)

        await store.write(put(Entry(day="d")))

        await waiting

    async def test_ends_at_once_where_more_was_written_than_has_been_seen(
        self, engine: EmbeddedEngine, store: Store
    ) -> None:
        seen = engine.change_number()
        await store.write(put(Entry(day="d")))

        await engine.wait_for_changes(60, seen)

    async def test_does_not_end_with_a_write_that_is_refused(
        self, engine: EmbeddedEngine, store: Store
    ) -> None:
        waiting = asyncio.create_task(engine.wait_for_changes(60))
        await asyncio.sleep(0)

        with pytest.raises(ConditionFailed):
            await store.write(put(Entry(day="d"), if_=stored))
        await asyncio.sleep(0.01)

        assert not waiting.done()
        await store.write(put(Entry(day="d")))
        await waiting

    async def test_ends_with_the_error_where_the_file_is_closed(
        self, engine: EmbeddedEngine
    ) -> None:
        waiting = asyncio.create_task(engine.wait_for_changes(60))
        await asyncio.sleep(0)

        await engine.close()

        with pytest.raises(Unavailable):
            await waiting

    def test_works_in_one_loop_after_another(self, tmp_path: Path) -> None:
        async def both() -> None:
            waiting = asyncio.create_task(engine.wait_for_changes(60))
            await asyncio.sleep(0)
            await Store(other).write(put(Entry(day="d")))
            await waiting

        engine = EmbeddedEngine(tmp_path / "data.db", TABLES)
        other = EmbeddedEngine(tmp_path / "data.db", TABLES)
        asyncio.run(engine.wait_for_changes(0.01))
        asyncio.run(both())
        for one in (engine, other):
            asyncio.run(one.close())

    async def test_ends_after_a_while_for_what_other_processes_do(
        self, engine: EmbeddedEngine
    ) -> None:
        other = Store(EmbeddedEngine(engine.path, TABLES))
        waiting = asyncio.create_task(engine.wait_for_changes(60))
        await other.write(put(Entry(day="d")))

        await waiting

        found = [
            await engine.changes(diary, shard.id, None, 9) for shard in await engine.shards(diary)
        ]
        assert sum(len(one.records) for one in found) == 1
        await other.close()


class TestOpening:
    async def test_says_once_which_tables_it_made(self, tmp_path: Path) -> None:
        first = EmbeddedEngine(tmp_path / "data.db", TABLES)
        assert await first.create_tables(TABLES) == [table.name for table in TABLES]
        assert await first.create_tables(TABLES) == []
        await first.close()

        second = EmbeddedEngine(tmp_path / "data.db", TABLES)
        assert await second.create_tables(TABLES) == []
        await second.close()

    @pytest.mark.parametrize("durability, level", [("FULL", 2), ("NORMAL", 1), ("OFF", 0)])
    def test_makes_writes_as_durable_as_it_is_told(
        self, tmp_path: Path, durability: Durability, level: int
    ) -> None:
        connection = connect(tmp_path / "data.db", durability)

        assert connection.pragma("synchronous") == level
        assert connection.pragma("journal_mode") == "wal"

    def test_makes_writes_fully_durable_unless_it_is_told(self, tmp_path: Path) -> None:
        assert connect(tmp_path / "data.db").pragma("synchronous") == 2

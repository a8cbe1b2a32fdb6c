"""What the data file takes on disk, and what can be read in it of what is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from commonroom.store import Store, create, delete, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.backup import back_up
from commonroom.store.embedded.data_file import connect
from commonroom.store.embedded.disk_space import measure
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.store.streams.tables import tables as streams
from commonroom.store.streams.worker import SWEEP_SECONDS
from tests.support.engines import Clock
from tests.support.world import TABLES as WORLD
from tests.support.world import Book, world

SECRET = "Wuthering Heights"
TABLES = [*WORLD, *streams]


@pytest.fixture
def clock() -> Clock:
    clock = Clock()
    clock.stopped = 1_000_000.0
    return clock


@pytest.fixture
async def engine(tmp_path: Path, clock: Clock) -> AsyncIterator[EmbeddedEngine]:
    engine = EmbeddedEngine(tmp_path / "data.db", TABLES, durability="OFF", clock=clock)
    await (
        engine.reclaim_space()
    )  # for today: what is tested here must not need the whole file written anew
    yield engine
    await engine.close()


def book(number: int, title: str = SECRET) -> Book:
    return Book(house_id="ines", book_id=f"{number:05}", title=f"{title} {number} {'x' * 400}")


def traces(folder: Path, word: str = SECRET) -> dict[str, int]:
    """How often a word stands in the bytes of each file, where it does at all."""
    found = {one.name: one.read_bytes().count(word.encode()) for one in folder.iterdir()}
    return {name: count for name, count in found.items() if count}


class Following:
    """A consumer that can be held up."""

    def __init__(self, name: str) -> None:
        self.seen: list[Change] = []
        self.consumer = Consumer(name, (Book,), self.handle)

    async def handle(self, _store: Store, change: Change) -> None:
        self.seen.append(change)


class TestWhatIsDeleted:
    async def test_is_in_no_byte_once_everybody_has_seen_it_go(
        self, engine: EmbeddedEngine, clock: Clock, tmp_path: Path
    ) -> None:
        store, following = Store(engine), Following("one")
        worker = Worker(store, [following.consumer], clock=clock)
        for number in range(300):
            await store.write(create(book(number)))
        for number in range(0, 300, 3):
            await store.write(put(book(number, f"{SECRET}, second edition")))
        for number in range(300):
            await store.write(delete(book(number)))
        assert traces(tmp_path), "there was something to find"
        await tidied(worker, clock)
        assert traces(tmp_path) == {}
        assert len([one for one in following.seen if one.kind == "remove"]) == 300

    async def test_stays_in_the_stream_until_the_last_consumer_has_seen_it(
        self, engine: EmbeddedEngine, clock: Clock, tmp_path: Path
    ) -> None:
        store, first, last = Store(engine), Following("first"), Following("last")
        await store.write(create(book(1)))
        await store.write(delete(book(1)))
        await Worker(store, [first.consumer], clock=clock).drain()
        behind = Worker(store, [first.consumer, last.consumer], clock=clock)
        clock.stopped = clock() + SWEEP_SECONDS + 1
        await behind._sweep()
        assert await behind.drain() == 2
        assert [one.kind for one in last.seen] == ["insert", "remove"]
        assert last.seen[-1].old.title.startswith(SECRET)
        await tidied(behind, clock)
        assert traces(tmp_path) == {}

    async def test_is_in_no_record_of_something_else_that_named_it(
        self, engine: EmbeddedEngine, clock: Clock, tmp_path: Path
    ) -> None:
        store, following = Store(engine), Following("one")
        await store.write(create(book(1)))
        await store.write(put(book(1, "Jane Eyre")))
        assert traces(tmp_path)
        await tidied(Worker(store, [following.consumer], clock=clock), clock)
        assert traces(tmp_path) == {}
        assert [one.kind for one in following.seen] == ["insert", "modify"]

    async def test_is_not_in_a_backup(
        self, engine: EmbeddedEngine, clock: Clock, tmp_path: Path
    ) -> None:
        store = Store(engine)
        for number in range(200):
            await store.write(put(book(number)))
        with closing(connect(engine.path)) as other:
            # As a file of before has them: free pages with what was in them.
            other.pragma("secure_delete", False)
            other.execute(f'DELETE FROM "{world.name}"; DELETE FROM _changes')  # noqa: S608 - ours
        assert traces(tmp_path), "there was something to find"
        (tmp_path / "backups").mkdir()
        back_up(engine.path, tmp_path / "backups" / "one.db")
        assert traces(tmp_path / "backups") == {}


class TestTheFile:
    async def test_gives_space_back_while_it_is_in_use(
        self, engine: EmbeddedEngine, clock: Clock
    ) -> None:
        store, following = Store(engine), Following("one")
        worker = Worker(store, [following.consumer], clock=clock)
        for start in range(0, 3000, 100):
            await store.write(*(create(book(start + n)) for n in range(100)))
        await tidied(worker, clock)
        full = engine.path.stat().st_size
        for start in range(0, 3000, 100):
            await store.write(*(delete(book(start + n)) for n in range(100)))
        await tidied(worker, clock)
        assert engine.path.stat().st_size < full / 4

    async def test_of_before_is_rebuilt_once_so_that_it_can(
        self, tmp_path: Path, clock: Clock
    ) -> None:
        path = tmp_path / "old.db"
        await EmbeddedEngine(path, TABLES, clock=clock).close()
        with closing(apsw.Connection(str(path))) as made_before:
            made_before.pragma("journal_mode", "delete")
            made_before.pragma("auto_vacuum", 0)
            made_before.execute("VACUUM")
            assert made_before.pragma("auto_vacuum") == 0
        engine = EmbeddedEngine(path, TABLES, clock=clock)
        await Store(engine).write(create(book(1)))
        await engine.close()
        with closing(connect(path)) as opened:
            assert measure(opened, clock()).gives_back
            assert opened.pragma("journal_mode") == "wal"

    async def test_says_how_it_has_grown_since_a_week_ago(
        self, engine: EmbeddedEngine, clock: Clock
    ) -> None:
        store = Store(engine)
        with closing(connect(engine.path)) as connection:
            before = measure(connection, clock())
            assert before.bytes_a_week_ago is None
        for number in range(300):
            await store.write(create(book(number)))
        clock.stopped = clock() + 8 * 86_400
        await engine.reclaim_space()
        with closing(connect(engine.path)) as connection:
            space = measure(connection, clock())
        assert space.bytes_a_week_ago == before.bytes
        assert space.bytes > before.bytes
        assert space.change_bytes > 300 * 400


async def tidied(worker: Worker, clock: Clock) -> None:
    """What a worker does in a minute."""
    await worker.drain()
    clock.stopped = clock() + SWEEP_SECONDS + 1
    await worker._sweep()

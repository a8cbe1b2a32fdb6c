"""The write queue has a bound and a time limit; what it gives up is certainly not written."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from commonroom.store import Store, create, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.data_file import damaged_files
from commonroom.store.errors import CorruptFile, Unavailable
from tests.support.world import TABLES, Book, Name, names

QUEUE = "commonroom.store.embedded.write_queue"

HOLD = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator[None]:
    """Another process has the file's write lock."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield
        process.stdin.close()
        process.wait(timeout=60)


def claims(count: int, first: int = 0) -> list[Name]:
    return [Name(name=f"{number}", holder="ann") for number in range(first, first + count)]


async def stored_names(engine: EmbeddedEngine) -> set[str]:
    return {item["Name"] for item in (await engine.scan(names, limit=1000)).items}


class TestWritesBehindALock:
    async def test_are_given_up_after_a_while_and_never_carried_out(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(f"{QUEUE}.WAIT_SECONDS", 0.3)
        monkeypatch.setattr(f"{QUEUE}.GROUP", 4)
        engine = EmbeddedEngine(tmp_path / "data.db", TABLES)
        store = Store(engine)

        with held_by_another_process(engine.path):
            outcomes = await asyncio.gather(
                *(store.write(create(one)) for one in claims(20)), return_exceptions=True
            )
        assert {type(one) for one in outcomes} == {Unavailable}
        assert any("locked by another program" in str(one) for one in outcomes)
        await store.write(create(Name(name="later", holder="ann")))

        assert await stored_names(engine) == {"later"}
        await store.close()

    async def test_are_carried_out_where_it_is_let_go_in_time(self, tmp_path: Path) -> None:
        engine = EmbeddedEngine(tmp_path / "data.db", TABLES)
        store = Store(engine)

        with held_by_another_process(engine.path):
            writing = [asyncio.create_task(store.write(create(one))) for one in claims(20)]
            await asyncio.sleep(0.1)
            assert not any(task.done() for task in writing)
        await asyncio.gather(*writing)

        assert len(await stored_names(engine)) == 20
        await store.close()

    async def test_have_each_their_own_time(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        engine = EmbeddedEngine(tmp_path / "data.db", TABLES)
        store = Store(engine)

        with held_by_another_process(engine.path):
            monkeypatch.setattr(f"{QUEUE}.WAIT_SECONDS", 0.2)
            hasty = asyncio.create_task(store.write(create(Name(name="hasty", holder="ann"))))
            await asyncio.sleep(0)
            monkeypatch.setattr(f"{QUEUE}.WAIT_SECONDS", 60.0)
            patient = asyncio.create_task(store.write(create(Name(name="patient", holder="ann"))))
            with pytest.raises(Unavailable):
                await hasty
            assert not patient.done()
        await patient

        assert await stored_names(engine) == {"patient"}
        await store.close()

    async def test_are_refused_at_once_where_too_many_wait(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(f"{QUEUE}.MAX_WAITING", 5)
        monkeypatch.setattr(f"{QUEUE}.GROUP", 1)
        engine = EmbeddedEngine(tmp_path / "data.db", TABLES)
        store = Store(engine)

        with held_by_another_process(engine.path):
            writing = [asyncio.create_task(store.write(create(one))) for one in claims(30)]
            waiting = set(writing)
            while len(waiting) > 6:
                _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            assert len(waiting) in (5, 6), "the writer may hold one in its hand"
            for task in set(writing) - waiting:
                with pytest.raises(Unavailable, match="wait already"):
                    task.result()
        await asyncio.gather(*waiting)

        assert len(await stored_names(engine)) == len(waiting)
        await store.close()


async def test_a_write_that_comes_after_the_end_is_told_so(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path / "data.db", TABLES)
    store = Store(engine)
    writing = [asyncio.create_task(store.write(put(one))) for one in claims(50)]
    closing = asyncio.create_task(store.close())
    late = [asyncio.create_task(store.write(put(one))) for one in claims(50, first=50)]

    outcomes = await asyncio.wait_for(
        asyncio.gather(*writing, *late, return_exceptions=True), timeout=60
    )
    await closing

    written = {str(number) for number, one in enumerate(outcomes) if one is None}
    assert {type(one) for one in outcomes} <= {type(None), Unavailable}
    again = EmbeddedEngine(tmp_path / "data.db", TABLES)
    assert await stored_names(again) == written
    await again.close()


def ruin_table(path: Path, name: str) -> None:
    """Overwrites the first page of a table."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).get
    connection.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)


async def test_a_damaged_page_fails_only_the_writes_that_need_it(tmp_path: Path) -> None:
    path = tmp_path / "data.db"
    store = Store(EmbeddedEngine(path, TABLES))
    await store.write(put(Book(house_id="h", book_id="b")), put(Name(name="n", holder="ann")))
    await store.close()
    ruin_table(path, "World")
    store = Store(EmbeddedEngine(path, TABLES))
    claims = [Name(name=f"n{number}", holder="ann") for number in range(20)]
    books = [Book(house_id="h", book_id=f"b{number}") for number in range(20)]
    mixed = [one for pair in zip(claims, books, strict=True) for one in pair]

    ended = await asyncio.gather(*(store.write(put(one)) for one in mixed), return_exceptions=True)

    assert [type(one) for one in ended[1::2]] == [CorruptFile] * 20
    assert ended[::2] == [None] * 20
    assert await store.batch_get([one.ref for one in claims]) == claims
    assert path in damaged_files
    damaged_files.clear()
    await store.close()

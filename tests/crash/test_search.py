"""Processes that are killed while they index, and files that are lost while others use them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from commonroom.model import MODEL
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.keeper import IndexKeeper
from commonroom.store import Store, delete, put, update
from commonroom.store.embedded import EmbeddedEngine
from tests.search.documents import titles
from tests.search.things import BUILTIN, indexer_of, movie
from tests.support.dynamodb_local import ROOT

FILMS = 3000


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(EmbeddedEngine(tmp_path / "data.db", MODEL.tables, durability="OFF"))
    yield store
    await store.close()


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    index = EmbeddedIndex(tmp_path / "search.db")
    yield index
    await index.close()


async def fill(store: Store, films: int) -> None:
    for start in range(0, films, 100):
        await store.write(*(put(movie(f"m{n}", f"Film {n}")) for n in range(start, start + 100)))


@contextmanager
def process(folder: Path, what: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.search.indexing_process"]
    command += [str(folder / "data.db"), str(folder / "search.db"), what]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as started:
        try:
            yield started
        finally:
            started.kill()


async def test_a_reindex_that_is_killed_again_and_again_is_complete_in_the_end(
    tmp_path: Path, store: Store, index: EmbeddedIndex
) -> None:
    await fill(store, FILMS)
    chance = Random()
    for _ in range(4):
        with process(tmp_path, "reindex") as started:
            assert started.stdout is not None
            for _ in range(chance.randrange(1, 5)):
                await asyncio.to_thread(started.stdout.readline)
            await asyncio.sleep(chance.random() / 10)
        await index.verify()
    with process(tmp_path, "reindex") as started:
        assert started.stdout is not None
        said = await asyncio.to_thread(started.stdout.read)
    assert said.endswith("done\n")
    assert (await index.state()).documents == BUILTIN + FILMS
    await index.verify()


async def test_followers_that_are_killed_leave_nothing_behind(
    tmp_path: Path, store: Store, index: EmbeddedIndex
) -> None:
    films = [movie(f"m{n}", f"Before {n}") for n in range(60)]
    await store.write(*map(put, films))
    for number in range(3):
        with process(tmp_path, "follow") as one, process(tmp_path, "follow") as other:
            for started in (one, other):
                assert started.stdout is not None
                await asyncio.to_thread(started.stdout.readline)
            some = films[number * 10 : number * 10 + 10]
            await store.write(*(update(film, title="After everything") for film in some[:5]))
            await store.write(*map(delete, some[5:]))
            await asyncio.sleep(Random().random())
    with process(tmp_path, "follow"):
        while (await index.state()).documents != 45 or (  # noqa: ASYNC110 - another's work
            len(await titles(index, "after everything", limit=50)) != 15
        ):
            await asyncio.sleep(0.05)
    await index.verify()


async def test_while_one_process_builds_a_lost_index_another_answers_from_it(
    tmp_path: Path, store: Store, index: EmbeddedIndex
) -> None:
    await fill(store, FILMS)
    keeper = IndexKeeper(indexer_of(store, index))
    await keeper.look()
    index.path.unlink()
    with process(tmp_path, "reindex") as started:
        assert started.stdout is not None
        await asyncio.to_thread(started.stdout.readline)
        assert "The Matrix" in await titles(index, "matrix"), "what is there already is found"
        await keeper.look()
        said = await asyncio.to_thread(started.stdout.read)
    assert said.endswith("done\n"), "the other was left alone"
    assert (await index.state()).documents == BUILTIN + FILMS


async def test_two_processes_that_find_the_same_damage_make_one_new_file(
    tmp_path: Path, store: Store, index: EmbeddedIndex
) -> None:
    other = EmbeddedIndex(index.path)
    keepers = [IndexKeeper(indexer_of(store, one)) for one in (index, other)]
    await keepers[0].look()
    assert await titles(other, "matrix")
    with index.path.open("r+b") as file:
        file.truncate(4096)
    for _ in range(3):
        await asyncio.gather(index.verify(), other.verify())
        await asyncio.gather(*(keeper.look() for keeper in keepers))
    for one in (index, other):
        assert (await one.state()).documents == BUILTIN
        assert "The Matrix" in await titles(one, "matrix")
    await other.close()

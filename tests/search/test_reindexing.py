"""Indexing everything anew, while everything goes on."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import LEASE_SECONDS, SearchIndex
from commonroom.search.keeper import SWEEP_SECONDS, IndexKeeper
from commonroom.search.reindexing import PAGE, reindex
from commonroom.store import Store, delete, put, update
from tests.search.documents import film, remove, titles
from tests.search.documents import put as put_documents
from tests.search.things import BUILTIN, a_list, follow, indexer_of, movie


@pytest.fixture
def store(either: Store) -> Store:
    return either


async def test_everything_is_there_afterwards_and_nothing_else(
    store: Store, index: SearchIndex
) -> None:
    indexer = indexer_of(store, index)
    await put_documents(index, film("Left over"))
    await store.write(
        put(movie("603", "The Matrix, stored")),
        put(movie("m1", "Home movie")),
        put(a_list("l1", "Public list")),
        put(a_list("l2", "Private list", is_public=False)),
    )
    assert not await index.is_complete()
    steps: list[tuple[str, int]] = []
    assert await reindex(indexer, lambda *step: steps.append(step)) == BUILTIN + 2
    assert sum(count for _, count in steps) == BUILTIN + 4, "of private ones, that they are gone"
    assert "Left over" not in await titles(index, "left over")
    assert await titles(index, "matrix", limit=1) == ["The Matrix, stored"]
    assert await titles(index, "home movie", limit=1) == ["Home movie"]
    assert (await index.state()).documents == BUILTIN + 2
    assert (await index.state()).declared == indexer.declared
    assert await index.is_complete()


async def test_what_changes_meanwhile_is_not_lost(
    embedded: Store, embedded_index: EmbeddedIndex
) -> None:
    indexer = indexer_of(embedded, embedded_index)
    films = [movie(f"m{n:03}", f"Before {n}") for n in range(3 * PAGE)]
    for start in range(0, len(films), 100):
        await embedded.write(*map(put, films[start : start + 100]))
    await follow(indexer)
    changed = []

    async def change() -> None:
        first, second, *_ = [one for one in films if one.movie_id not in changed]
        changed.extend([first.movie_id, second.movie_id])
        await embedded.write(update(first, title=f"Changed {first.movie_id}"), delete(second))
        await follow(indexer)

    pending: list[asyncio.Task[None]] = []
    await reindex(indexer, lambda *_: pending.append(asyncio.create_task(change())))
    await asyncio.gather(*pending)
    await follow(indexer)
    pairs = len(changed) // 2
    assert pairs > 5
    assert len(await titles(embedded_index, "changed", limit=50)) == pairs
    for gone in changed[1::2]:
        assert f"Before {int(gone[1:])}" not in await titles(embedded_index, gone)
    assert (await embedded_index.state()).documents == BUILTIN + len(films) - pairs


async def test_one_that_is_broken_off_is_continued_by_the_next(
    store: Store, index: SearchIndex
) -> None:
    indexer, now = indexer_of(store, index), [1_900_000_000.0]
    for start in range(0, 3 * PAGE, 100):
        await store.write(*(put(movie(f"m{n}", f"Film {n}")) for n in range(start, start + 100)))

    class BrokenOff(Exception):
        pass

    def break_off(name: str, _: int) -> None:
        if name == "WorthWatch":
            raise BrokenOff

    with pytest.raises(BrokenOff):
        await reindex(indexer, break_off, clock=lambda: now[0])
    assert await reindex(indexer, clock=lambda: now[0]) is None, "whoever it was may still be at it"
    now[0] += LEASE_SECONDS + 1
    steps: list[tuple[str, int]] = []
    total = await reindex(indexer, lambda *step: steps.append(step), clock=lambda: now[0])
    assert total == BUILTIN + 3 * PAGE
    done = {name for name, count in steps if count}
    assert done == {"WorthWatch"}, "what was done is not done again"
    assert sum(count for _, count in steps) == 2 * PAGE
    assert (await index.state()).documents == BUILTIN + 3 * PAGE


class TestKeeper:
    async def test_builds_an_index_that_is_new(
        self, embedded: Store, embedded_index: EmbeddedIndex
    ) -> None:
        keeper = IndexKeeper(indexer_of(embedded, embedded_index))
        await keeper.look()
        assert (await embedded_index.state()).documents == BUILTIN

    async def test_leaves_one_alone_that_is_complete(
        self, embedded: Store, embedded_index: EmbeddedIndex
    ) -> None:
        keeper = IndexKeeper(indexer_of(embedded, embedded_index))
        await keeper.look()
        since = (await embedded_index.ticket()).number
        await keeper.look()
        assert (await embedded_index.ticket()).number - since < 10_000_000, "by the clock alone"
        assert (await embedded_index.state()).reindex is None

    async def test_builds_one_anew_whose_file_was_removed(
        self, embedded: Store, embedded_index: EmbeddedIndex
    ) -> None:
        keeper = IndexKeeper(indexer_of(embedded, embedded_index))
        await keeper.look()
        embedded_index.path.unlink()
        assert await titles(embedded_index, "matrix") == []
        await keeper.look()
        assert "The Matrix" in await titles(embedded_index, "matrix")

    async def test_runs_until_it_is_told_to_stop(
        self, embedded: Store, embedded_index: EmbeddedIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("commonroom.search.keeper.FIRST_SECONDS", 0.0)
        keeper = IndexKeeper(indexer_of(embedded, embedded_index))
        running = asyncio.create_task(keeper.run())
        while not (await embedded_index.state()).declared:  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.01)
        keeper.stop()
        await running

    async def test_empties_the_log_of_an_index_that_nobody_uses(
        self, embedded: Store, embedded_index: EmbeddedIndex, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("commonroom.search.keeper.FIRST_SECONDS", 0.0)
        now = itertools.count(step=SWEEP_SECONDS)
        keeper = IndexKeeper(indexer_of(embedded, embedded_index), lambda: next(now))
        await keeper.look()
        await put_documents(embedded_index, film("Quagmire Almanac"))
        await remove(embedded_index, film("Quagmire Almanac").key)
        log = embedded_index.path.with_name("search.db-wal")
        assert b"Quagmire" in log.read_bytes()
        running = asyncio.create_task(keeper.run())
        while log.stat().st_size:  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.01)
        keeper.stop()
        await running

    async def test_waits_where_the_index_cannot_be_asked(
        self,
        embedded: Store,
        embedded_index: EmbeddedIndex,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        monkeypatch.setattr("commonroom.search.keeper.FIRST_SECONDS", 0.0)
        await embedded_index.state()
        folder = embedded_index.path.parent
        await embedded_index.close()
        for path in (embedded_index.path, folder / "search.lock"):
            path.unlink()
        (folder / "search.lock").mkdir()
        keeper = IndexKeeper(indexer_of(embedded, embedded_index))
        running = asyncio.create_task(keeper.run())
        while "cannot be written" not in caplog.text:  # noqa: ASYNC110 - a log has no event
            await asyncio.sleep(0.01)
        assert not running.done()
        keeper.stop()
        await running

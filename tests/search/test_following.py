"""Each machine keeps an index of its own current from the streams, and none needs a worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.following import IndexFollower, IndexProgress
from commonroom.search.indexing import Indexer
from commonroom.search.keeper import IndexKeeper
from commonroom.store import Store, delete, put, update
from tests.accounts.people import Watch
from tests.search.documents import titles
from tests.search.things import indexer_of, movie

FILM = movie("m1", "The Lighthouse Keeper")


class Machine:
    """A machine with an index of its own."""

    def __init__(self, store: Store, folder: Path, clock: Watch) -> None:
        self.index = EmbeddedIndex(folder / "search.db")
        self.indexer: Indexer = indexer_of(store, self.index)
        self.clock = clock
        self.keeper = IndexKeeper(self.indexer)
        self.start()

    def start(self) -> None:
        """Starts a server, maybe again: it remembers nothing by itself."""
        self.follower = IndexFollower(
            self.indexer, self.index, clock=self.clock, monotonic=self.clock
        )

    async def find(self, text: str) -> list[str]:
        return await titles(self.index, text, limit=1)


@pytest.fixture
def store(either: Store) -> Store:
    return either


@pytest.fixture
async def machines(store: Store, tmp_path: Path, clock: Watch) -> AsyncIterator[list[Machine]]:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    made = [Machine(store, folder, clock) for folder in folders]
    for machine in made:
        await machine.follower.once()
        await machine.keeper.look()
    yield made
    for machine in made:
        await machine.index.close()


async def test_every_machine_finds_what_any_of_them_wrote(
    store: Store, machines: list[Machine]
) -> None:
    await store.write(put(FILM))
    for machine in machines:
        assert await machine.follower.once() == 1
        assert await machine.find("lighthouse") == ["The Lighthouse Keeper"]
    await store.write(update(FILM, title="The Windmill Keeper"))
    await machines[0].follower.once()
    assert await machines[0].find("windmill") == ["The Windmill Keeper"]
    assert await machines[1].find("windmill") == [], "it has not looked yet"
    await store.write(delete(FILM))
    for machine in machines:
        await machine.follower.once()
        assert await machine.find("windmill") == []


async def test_who_starts_again_goes_on_where_the_index_was(
    store: Store, machines: list[Machine]
) -> None:
    machine = machines[0]
    await store.write(put(FILM))
    await machine.follower.once()
    machine.start()
    assert await machine.follower.once() == 0
    await store.write(update(FILM, title="The Windmill Keeper"))
    machine.start()
    assert await machine.follower.once() == 1


async def test_who_was_away_for_longer_than_changes_are_kept_indexes_everything(
    store: Store, machines: list[Machine], clock: Watch
) -> None:
    machine = machines[0]
    await store.engine.load(FILM.schema.table, [FILM.to_item()])
    progress = await machine.index.progress()
    clock.forward(store.engine.retention_seconds)
    machine.start()
    await machine.follower.once()
    assert (await machine.index.state()).declared == ""
    await machine.keeper.look()
    assert await machine.find("lighthouse") == ["The Lighthouse Keeper"]
    assert (await machine.index.progress()).followed_at != progress.followed_at
    await machine.follower.once()
    assert (await machine.index.state()).declared == machine.indexer.declared


async def test_an_index_that_is_lost_takes_its_place_in_the_streams_along(
    store: Store, machines: list[Machine]
) -> None:
    machine = machines[0]
    await store.write(put(FILM))
    await machine.follower.once()
    machine.index.path.unlink()
    assert (await machine.index.progress()).positions == {}
    await machine.follower.once()
    assert await machine.find("lighthouse") == ["The Lighthouse Keeper"]


async def test_a_check_knows_whether_an_index_is_behind(
    store: Store, machines: list[Machine]
) -> None:
    machine = machines[0]
    progress = IndexProgress(machine.indexer, machine.index)
    assert not await progress.is_behind()
    await store.write(put(FILM))
    assert await progress.is_behind()
    await machine.follower.once()
    assert not await progress.is_behind()


async def test_of_several_processes_one_follows_and_another_takes_over(
    store: Store, machines: list[Machine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonroom.search.following.LOCK_SECONDS", 0.01)
    first = machines[0]
    rounds = {"first": 0, "second": 0}

    class Counted(IndexFollower):
        name = ""

        async def once(self) -> int:
            rounds[self.name] += 1
            return await super().once()

    followers = {name: Counted(first.indexer, first.index) for name in rounds}
    tasks = {}
    for name, follower in followers.items():
        follower.name = name
        tasks[name] = asyncio.create_task(follower.run())
        await store.write(put(movie(name, name)))
        while rounds["first"] < 1:  # noqa: ASYNC110 - another's work
            await asyncio.sleep(0.01)
    assert rounds["second"] == 0
    followers["first"].stop()
    await tasks["first"]
    while rounds["second"] < 1:  # noqa: ASYNC110 - another's work
        await asyncio.sleep(0.01)
    followers["second"].stop()
    await tasks["second"]
    assert await first.find("second") == ["second"]

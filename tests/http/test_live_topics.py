"""Whoever listens hears of changes, and one watcher looks for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import pytest

from commonroom.http.live_topics import OVER, Live, Over
from commonroom.store import Entity, Store, Table, create, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import Unavailable

notes = Table("Notes", room="tests", partition="note_id")


class Note(Entity, table=notes):
    note_id: str
    text: str
    version: int = 1


class Looking:
    """Reads a note's version and counts how often it was asked to."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.times = 0
        self.failing = False
        self.failed = asyncio.Event()

    async def __call__(self) -> str:
        self.times += 1
        if self.failing:
            self.failed.set()
            raise Unavailable("The store is away.")
        note = await self.store.get(Note.at(note_id="n"))
        return str(note.version if note else 0)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(EmbeddedEngine(tmp_path / "live.db", [notes], durability="OFF"))
    await store.write(create(Note(note_id="n", text="old")))
    yield store
    await store.close()


async def change(store: Store, text: str) -> None:
    await store.write(update(Note.at(note_id="n"), text=text))


async def test_a_listener_hears_the_present_version_and_then_each_new_one(store: Store) -> None:
    live = Live(store)
    heard = live.follow("note#n", Looking(store))
    assert await anext(heard) == "1"
    await change(store, "new")
    assert await anext(heard) == "2"
    await heard.aclose()


async def test_an_empty_version_is_heard_once(store: Store) -> None:
    live = Live(store)

    async def nothing() -> str:
        return ""

    heard = live.follow("nothing", nothing)
    assert await anext(heard) == ""
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(anext(heard), 0.2)
    live.close()


async def test_one_watcher_looks_for_all_who_listen(store: Store) -> None:
    live, looking = Live(store), Looking(store)
    listeners = [live.follow("note#n", looking) for _ in range(20)]
    assert await asyncio.gather(*map(anext, listeners)) == ["1"] * 20
    assert (live.topics, looking.times) == (1, 1)
    for listener in listeners:
        await listener.aclose()
    assert live.topics == 0


async def test_a_change_of_another_process_is_heard_too(store: Store, tmp_path: Path) -> None:
    live = Live(store)
    heard = live.follow("note#n", Looking(store))
    await anext(heard)
    other = Store(EmbeddedEngine(tmp_path / "live.db", [notes], durability="OFF"))
    await change(other, "from elsewhere")
    assert await anext(heard) == "2"
    await heard.aclose()
    await other.close()


async def test_a_store_that_is_away_ends_nothing(store: Store) -> None:
    live, looking = Live(store), Looking(store)
    heard = live.follow("note#n", looking)
    await anext(heard)
    looking.failing = True
    await change(store, "unseen")
    await looking.failed.wait()
    looking.failing = False
    await change(store, "seen")
    assert await anext(heard) == "3"
    await heard.aclose()


async def test_closing_lets_every_listener_go(store: Store) -> None:
    live = Live(store)
    heard = live.follow("note#n", Looking(store))
    await anext(heard)
    asyncio.get_running_loop().call_later(0.01, live.close)
    await anext(heard)
    with pytest.raises(StopAsyncIteration):
        await anext(heard)


async def test_nothing_is_read_where_nothing_was_written(store: Store) -> None:
    live, looking = Live(store), Looking(store)
    heard = live.follow("note#n", looking)
    await anext(heard)
    for _ in range(3):
        await store.engine.wait_for_changes(1)
    assert looking.times == 1
    await heard.aclose()


async def test_thousands_of_things_are_watched_at_a_time(store: Store) -> None:
    live = Live(store)
    lookings = [Looking(store) for _ in range(2000)]
    listeners = [live.follow(f"note#{number}", one) for number, one in enumerate(lookings)]
    assert await asyncio.gather(*map(anext, listeners)) == ["1"] * 2000
    await change(store, "new")
    assert await asyncio.gather(*map(anext, listeners)) == ["2"] * 2000
    for listener in listeners:
        await listener.aclose()
    assert live.topics == 0


async def test_a_crowd_hears_all_of_it_one_after_another(store: Store) -> None:
    live, looking = Live(store), Looking(store)
    listeners = [live.follow("note#n", looking) for _ in range(200)]
    await asyncio.gather(*map(anext, listeners))
    heard: list[str | Over | None] = []

    async def hear(listener: AsyncGenerator[str | Over | None, None]) -> None:
        heard.append(await anext(listener))

    hearing = [asyncio.create_task(hear(one)) for one in listeners]
    await change(store, "new")
    await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
    assert 0 < len(heard) < 200, "not all of them at once"
    await asyncio.gather(*hearing)
    assert heard == ["2"] * 200
    for listener in listeners:
        await listener.aclose()


class TestAccess:
    async def test_is_asked_again_once_something_was_written(self, store: Store) -> None:
        async def may() -> bool:
            return False

        live = Live(store, access_seconds=0.01)
        heard = live.follow("note#n", Looking(store), may)
        assert await anext(heard) == "1"
        await change(store, "whatever")
        assert [one async for one in heard][-1] is OVER
        assert live.topics == 0

    async def test_is_asked_again_at_last_where_nothing_was_written(self, store: Store) -> None:
        async def may() -> bool:
            return False

        live = Live(store, access_seconds=0.01)
        heard = live.follow("note#n", Looking(store), may)
        assert [one async for one in heard] == ["1", OVER]

    async def test_holds_while_nobody_can_say(self, store: Store) -> None:
        tries = 0

        async def may() -> bool:
            nonlocal tries
            tries += 1
            if tries < 3:
                raise Unavailable("The store is away.")
            return False

        live = Live(store, access_seconds=0.01)
        heard = live.follow("note#n", Looking(store), may)
        await anext(heard)
        await change(store, "whatever")
        assert [one async for one in heard][-1] is OVER
        assert tries == 3

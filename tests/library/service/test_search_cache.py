"""What a process remembers of libraries that were searched: not too much, and not for too long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.rules.search import SearchEntry
from commonroom.library.rules.search_index import LibrarySearchIndex
from commonroom.library.service.items import change_item, delete_item
from commonroom.library.service.library_key_cache import LAG_SECONDS, UNSETTLED_SECONDS
from commonroom.library.service.search import search
from commonroom.library.service.search_cache import SearchCache
from commonroom.library.tables import Library
from commonroom.store import Store, counting
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.library.bookcase import TABLES, book_of, library_of, somebody
from tests.support.hostile_engine import HostileEngine, Hostility

WARM = 4


def library(mark: int = 0, library_id: str = "L") -> Library:
    return Library(
        owner_id="O",
        library_id=library_id,
        library_name="Home",
        updated_at="2026-05-31T18:00:00.000Z",
        account_id="o",
        titles_changed=mark,
    )


def cards(number: int) -> LibrarySearchIndex:
    return LibrarySearchIndex(
        "L", [SearchEntry(0, str(one), f"Winter {one}", None, ()) for one in range(number)]
    )


def kept(memory: SearchCache, *ids: str) -> list[str]:
    return [one for one in ids if memory.get(library(library_id=one)) is not None]


class TestBounds:
    def test_those_that_were_not_asked_for_longest_go(self, clock: Watch) -> None:
        memory = SearchCache(most_bytes=2 * cards(1).bytes, clock=clock)
        memory.put(library(library_id="a"), cards(1))
        memory.put(library(library_id="b"), cards(1))
        assert kept(memory, "a") == ["a"]
        memory.put(library(library_id="c"), cards(1))
        assert kept(memory, "a", "b", "c") == ["a", "c"]

    def test_large_libraries_count_more_than_small_ones(self, clock: Watch) -> None:
        memory = SearchCache(most_bytes=2 * cards(500).bytes, clock=clock)
        memory.put(library(library_id="large"), cards(1000))
        for one in "abc":
            memory.put(library(library_id=one), cards(10))
        assert kept(memory, "large", *"abc") == ["a", "b", "c"]

    def test_the_newest_stays_however_large_it_is(self, clock: Watch) -> None:
        memory = SearchCache(most_bytes=cards(10).bytes, clock=clock)
        memory.put(library(library_id="a"), cards(5))
        memory.put(library(library_id="b"), cards(50))
        assert kept(memory, "a", "b") == ["b"]

    def test_a_library_is_remembered_as_of_one_mark(self, clock: Watch) -> None:
        memory = SearchCache(clock=clock)
        memory.put(library(mark=3), cards(1))
        assert memory.get(library(mark=3)) is not None
        assert memory.get(library(mark=4)) is None
        assert memory.get(library(mark=2)) is None

    async def test_a_few_owners_are_read_at_once_and_each_by_one(self, clock: Watch) -> None:
        memory = SearchCache(clock=clock)
        inside: list[str] = []
        most = 0

        async def read(owner_id: str) -> None:
            nonlocal most
            async with memory.reading(owner_id):
                assert owner_id not in inside
                inside.append(owner_id)
                most = max(most, len(inside))
                await asyncio.sleep(0)
                inside.remove(owner_id)

        await asyncio.gather(*(read(f"{number % 7}") for number in range(21)))
        assert most == 4


class Behind(HostileEngine):
    """An engine whose indexes lag, and that does not count its changes."""

    def change_number(self) -> None:
        """Unknown."""


@pytest.fixture
async def behind(tmp_path: Path, clock: Watch) -> AsyncIterator[Behind]:
    """Indexes that show nothing until they are given time."""
    inner = EmbeddedEngine(tmp_path / "data.db", TABLES, durability="OFF", clock=clock)
    slow = Hostility(lag=100_000)
    engine = await Behind.around(inner, TABLES, tmp_path, seed=1, clock=clock, hostility=slow)
    yield engine
    await engine.close()


class TestIndexesThatLag:
    async def test_are_asked_again_until_they_can_be_believed(
        self, behind: Behind, clock: Watch
    ) -> None:
        store, memory = Store(behind), SearchCache(clock=clock)
        ada = await somebody(store, clock, "Ada")
        home = await library_of(store, clock, ada)
        await behind.settle()
        await book_of(store, clock, ada, home, "Emma")
        assert (await search(Context(store, ada), memory, "emma")).hits == []
        await behind.settle()
        clock.forward(UNSETTLED_SECONDS)
        assert len((await search(Context(store, ada), memory, "emma")).hits) == 1
        assert await requests(store, memory, ada) == WARM
        clock.forward(LAG_SECONDS)
        assert await requests(store, memory, ada) > WARM
        clock.forward(LAG_SECONDS)
        assert await requests(store, memory, ada) == WARM

    async def test_are_believed_at_once_about_what_is_older(
        self, behind: Behind, clock: Watch
    ) -> None:
        store, memory = Store(behind), SearchCache(clock=clock)
        ada = await somebody(store, clock, "Ada")
        await book_of(store, clock, ada, await library_of(store, clock, ada), "Emma")
        await behind.settle()
        clock.forward(LAG_SECONDS)
        await search(Context(store, ada), memory, "emma")
        clock.forward(UNSETTLED_SECONDS)
        assert await requests(store, memory, ada) == WARM

    async def test_are_not_believed_about_what_is_gone_or_changed(
        self, behind: Behind, clock: Watch
    ) -> None:
        store, memory = Store(behind), SearchCache(clock=clock)
        ada = await somebody(store, clock, "Ada")
        home = await library_of(store, clock, ada)
        emma = await book_of(store, clock, ada, home, "Emma")
        emil = await book_of(store, clock, ada, home, "Emil")
        await behind.settle()
        await delete_item(Context(store, ada, clock()), home.library_id, emma.item_id)
        await change_item(
            Context(store, ada, clock()), home.library_id, emil.item_id, given={"title": "Emile"}
        )
        found = await search(Context(store, ada), memory, "em")
        assert [one.item.title for one in found.hits] == ["Emile"]


@pytest.fixture(params=["embedded", "dynamodb"])
def either(request: pytest.FixtureRequest) -> Store:
    """An empty store on either engine."""
    store: Store = request.getfixturevalue(request.param)
    return store


async def test_on_both_engines_everything_is_found_as_it_is(either: Store, clock: Watch) -> None:
    store, memory = either, SearchCache(clock=clock)
    ada = await somebody(store, clock, "Ada")
    home = await library_of(store, clock, ada)
    emma = await book_of(store, clock, ada, home, "Emma")
    assert len((await search(Context(store, ada), memory, "emma")).hits) == 1
    await change_item(
        Context(store, ada, clock()), home.library_id, emma.item_id, given={"title": "Emile"}
    )
    assert len((await search(Context(store, ada), memory, "emile")).hits) == 1
    await delete_item(Context(store, ada, clock()), home.library_id, emma.item_id)
    assert (await search(Context(store, ada), memory, "emile")).hits == []
    assert await requests(store, memory, ada) == WARM - 1, "there is no item to look at"


async def requests(store: Store, memory: SearchCache, person: User) -> int:
    with counting() as tally:
        await search(Context(store, person), memory, "emma")
    return tally.requests

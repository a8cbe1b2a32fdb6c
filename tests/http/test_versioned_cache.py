from __future__ import annotations

import asyncio

import pytest

from commonroom.http.versioned_cache import MAX_ENTRIES, MAX_SECONDS, EntryKey, VersionedCache

NOW = 1000.0
LATER = NOW + 10 * MAX_SECONDS


class Changes:
    """A store's change number, and how often it was looked at."""

    def __init__(self) -> None:
        self.number: int | None = 1
        self.looks = 0

    def __call__(self) -> int | None:
        self.looks += 1
        return self.number


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
def cache(changes: Changes) -> VersionedCache[str]:
    return VersionedCache(changes)


def place(cache: VersionedCache[str], question: str = "who?") -> EntryKey:
    found = cache.key_for(question)
    assert found is not None
    return found


async def a_turn() -> None:
    """Lets whoever waits have their turn."""
    await asyncio.sleep(0)


class TestAnAnswer:
    async def test_is_found_while_nothing_changes(self, cache: VersionedCache[str]) -> None:
        cache.keep(place(cache), "Ben", NOW, LATER)
        await a_turn()
        assert cache.find(place(cache), NOW + 1) == "Ben"

    async def test_is_for_its_own_question(self, cache: VersionedCache[str]) -> None:
        cache.keep(place(cache, "who?"), "Ben", NOW, LATER)
        assert cache.find(place(cache, "who else?"), NOW) is None

    async def test_counts_for_nothing_once_anything_has_changed(
        self, cache: VersionedCache[str], changes: Changes
    ) -> None:
        cache.keep(place(cache), "Ben", NOW, LATER)
        await a_turn()
        changes.number = 2
        assert cache.find(place(cache), NOW) is None

    async def test_counts_for_nothing_if_something_changed_while_it_was_looked_up(
        self, cache: VersionedCache[str], changes: Changes
    ) -> None:
        taken = place(cache)
        changes.number = 2
        await a_turn()
        cache.keep(taken, "Ben", NOW, LATER)
        assert cache.find(place(cache), NOW) is None

    async def test_is_not_revived_by_somebody_who_looks_up_something_else(
        self, cache: VersionedCache[str], changes: Changes
    ) -> None:
        taken = place(cache)
        changes.number = 2
        await a_turn()
        cache.keep(place(cache, "who else?"), "Eve", NOW, LATER)
        cache.keep(taken, "Ben", NOW, LATER)
        assert cache.find(place(cache), NOW) is None

    async def test_is_looked_up_again_after_a_minute(self, cache: VersionedCache[str]) -> None:
        cache.keep(place(cache), "Ben", NOW, LATER)
        assert cache.find(place(cache), NOW + MAX_SECONDS - 1) == "Ben"
        assert cache.find(place(cache), NOW + MAX_SECONDS) is None

    async def test_holds_no_longer_than_it_was_said_to(self, cache: VersionedCache[str]) -> None:
        cache.keep(place(cache), "Ben", NOW, NOW + 5)
        assert cache.find(place(cache), NOW + 4) == "Ben"
        assert cache.find(place(cache), NOW + 5) is None

    async def test_is_not_believed_when_the_clock_was_set_back(
        self, cache: VersionedCache[str]
    ) -> None:
        cache.keep(place(cache), "Ben", NOW, LATER)
        assert cache.find(place(cache), NOW - 1) is None

    async def test_that_is_given_anew_takes_the_place_of_the_old(
        self, cache: VersionedCache[str]
    ) -> None:
        cache.keep(place(cache), "Ben", NOW, LATER)
        cache.keep(place(cache), "Benjamin", NOW + 1, LATER)
        assert cache.find(place(cache), NOW + 2) == "Benjamin"


class TestTheMemory:
    async def test_is_bounded_and_lets_go_of_the_oldest(self, cache: VersionedCache[str]) -> None:
        for number in range(MAX_ENTRIES):
            cache.keep(place(cache, f"{number}"), f"{number}", NOW, LATER)
        cache.keep(place(cache, "0"), "0", NOW, LATER)
        cache.keep(place(cache, "one more"), "", NOW, LATER)
        assert cache.find(place(cache, "0"), NOW) == "0"
        assert cache.find(place(cache, "1"), NOW) is None
        assert cache.find(place(cache, "2"), NOW) == "2"

    async def test_has_no_places_where_nobody_numbers_changes(
        self, cache: VersionedCache[str], changes: Changes
    ) -> None:
        changes.number = None
        assert cache.key_for("who?") is None


class TestALook:
    async def test_is_shared_by_all_who_wait_for_their_turn(
        self, cache: VersionedCache[str], changes: Changes
    ) -> None:
        async def ask() -> EntryKey:
            return place(cache)

        places = await asyncio.gather(*(ask() for _ in range(5)))
        assert places == [(1, "who?")] * 5
        assert changes.looks == 1

    async def test_is_not_for_those_who_come_later(
        self, cache: VersionedCache[str], changes: Changes
    ) -> None:
        loop = asyncio.get_running_loop()
        seen: list[EntryKey] = []

        def ask() -> None:
            seen.append(place(cache))

        def ask_and_change() -> None:
            ask()
            changes.number = 2
            loop.call_soon(ask)  # somebody who comes after the change

        loop.call_soon(ask_and_change)
        loop.call_soon(ask)  # somebody who waited already
        await a_turn()
        await a_turn()
        assert seen == [(1, "who?"), (1, "who?"), (2, "who?")]

from __future__ import annotations

import pytest

from commonroom.http.timed_cache import MAX_ENTRIES, MAX_SECONDS, TimedCache
from commonroom.store import Ref, update
from commonroom.store.own_writes import OwnWrites
from tests.support.world import Name

NOW = 1000.0
LATER = NOW + 10 * MAX_SECONDS


def item_of(name: str) -> list[Ref[Name]]:
    """What an answer is made of: the item of the same name."""
    return [Name.at(name=name)]


@pytest.fixture
def writes() -> OwnWrites:
    return OwnWrites()


@pytest.fixture
def cache(writes: OwnWrites) -> TimedCache[str]:
    return TimedCache(writes, item_of)


def write(writes: OwnWrites, name: str) -> None:
    """Lets this process write an item."""
    writes.note([update(Name.at(name=name), holder="Eve").operation])


class TestAnAnswer:
    def test_is_found_for_its_own_question(self, cache: TimedCache[str]) -> None:
        cache.keep(cache.key_for("who?"), "Ben", NOW, LATER)
        assert cache.find(cache.key_for("who?"), NOW + 1) == "Ben"
        assert cache.find(cache.key_for("who else?"), NOW + 1) is None

    def test_holds_for_ten_seconds_and_no_longer(self, cache: TimedCache[str]) -> None:
        cache.keep(cache.key_for("who?"), "Ben", NOW, LATER)
        assert cache.find(cache.key_for("who?"), NOW + MAX_SECONDS - 1) == "Ben"
        assert cache.find(cache.key_for("who?"), NOW + MAX_SECONDS) is None

    def test_holds_no_longer_than_it_was_said_to(self, cache: TimedCache[str]) -> None:
        cache.keep(cache.key_for("who?"), "Ben", NOW, NOW + 5)
        assert cache.find(cache.key_for("who?"), NOW + 5) is None
        cache.keep(cache.key_for("who?"), "Ben", NOW, NOW)
        assert cache.find(cache.key_for("who?"), NOW) is None

    def test_is_not_believed_when_the_clock_was_set_back(self, cache: TimedCache[str]) -> None:
        cache.keep(cache.key_for("who?"), "Ben", NOW, LATER)
        assert cache.find(cache.key_for("who?"), NOW - 1) is None

    def test_ends_when_this_process_writes_what_it_is_made_of(
        self, cache: TimedCache[str], writes: OwnWrites
    ) -> None:
        cache.keep(cache.key_for("who?"), "Ben", NOW, LATER)
        write(writes, "Ada")
        assert cache.find(cache.key_for("who?"), NOW) == "Ben"
        write(writes, "Ben")
        assert cache.find(cache.key_for("who?"), NOW) is None

    def test_is_not_kept_if_it_was_written_while_it_was_looked_up(
        self, cache: TimedCache[str], writes: OwnWrites
    ) -> None:
        place = cache.key_for("who?")
        write(writes, "Ben")
        cache.keep(place, "Ben", NOW, LATER)
        assert cache.find(cache.key_for("who?"), NOW) is None

    def test_is_forgotten_by_whoever_wants_a_fresh_one(self, cache: TimedCache[str]) -> None:
        cache.keep(cache.key_for("who?"), "Ben", NOW, LATER)
        assert cache.find(cache.key_for("who?"), NOW, fresh=True) is None
        assert cache.find(cache.key_for("who?"), NOW) is None


def test_the_memory_is_bounded_and_lets_go_of_the_oldest(cache: TimedCache[str]) -> None:
    for number in range(MAX_ENTRIES):
        cache.keep(cache.key_for(number), f"{number}", NOW, LATER)
    cache.keep(cache.key_for(0), "0", NOW, LATER)
    cache.keep(cache.key_for("one more"), "", NOW, LATER)
    assert [cache.find(cache.key_for(number), NOW) for number in (0, 1, 2)] == ["0", None, "2"]

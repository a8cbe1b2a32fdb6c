"""What a process remembers of where people's libraries are: for a few seconds, and never alone."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.films import find_copies_in, find_library_keys
from commonroom.library.service.libraries import create_library, share, unshare
from commonroom.library.service.library_key_cache import (
    LAG_SECONDS,
    MAX_LIBRARIES,
    MAX_PEOPLE,
    MAX_SECONDS,
    UNSETTLED_SECONDS,
    LibraryKeyCache,
)
from commonroom.library.service.search_cache import SearchCache
from commonroom.library.tables import owner_id_of
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.library.bookcase import somebody


def known(cache: LibraryKeyCache, store: Store, owner_id: str) -> bool:
    """Whether it is remembered where somebody's libraries are."""
    return cache.find(owner_id, cache.mark(store, owner_id)) is not None


def keep(cache: LibraryKeyCache, store: Store, owner_id: str, number: int = 1) -> None:
    """Somebody's libraries have just been read."""
    keys = [(owner_id, str(one)) for one in range(number)]
    cache.keep(owner_id, cache.mark(store, owner_id), keys)


class TestPlaces:
    def test_are_known_for_ten_seconds(self, store: Store, clock: Watch) -> None:
        cache = LibraryKeyCache(clock)
        keep(cache, store, "ADA")
        clock.now += MAX_SECONDS - 1
        assert known(cache, store, "ADA")
        clock.now += 1
        assert not known(cache, store, "ADA")

    async def test_are_forgotten_once_somebody_makes_a_library(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        cache, me = LibraryKeyCache(clock), owner_id_of(ada.user_id)
        keep(cache, store, me)
        await create_library(Context(store, ada, clock.now), name="Home")
        assert not known(cache, store, me)

    async def test_are_forgotten_once_a_library_is_shared_with_them(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        ctx = Context(store, ada, clock.now)
        library = await create_library(ctx, name="Home")
        cache, bens = LibraryKeyCache(clock), owner_id_of(ben.user_id)
        keep(cache, store, bens)
        await share(ctx, library.library_id, "ben@example.org")
        assert not known(cache, store, bens)

    async def test_are_known_for_a_second_where_an_index_may_be_behind(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        cache, me = LibraryKeyCache(clock), owner_id_of(ada.user_id)
        await create_library(Context(store, ada, clock.now), name="Home")
        keep(cache, store, me)
        clock.now += UNSETTLED_SECONDS
        assert not known(cache, store, me)
        clock.now += LAG_SECONDS
        keep(cache, store, me)
        clock.now += MAX_SECONDS - 1
        assert known(cache, store, me)

    def test_are_bounded(self, store: Store, clock: Watch) -> None:
        cache = LibraryKeyCache(clock)
        keep(cache, store, "many", MAX_LIBRARIES + 1)
        assert not known(cache, store, "many")
        for number in range(MAX_PEOPLE + 1):
            keep(cache, store, str(number))
        assert not known(cache, store, "0")
        assert known(cache, store, "1")


class TestFinding:
    async def test_takes_no_request_the_second_time_on_dynamodb(
        self, either: Store, clock: Watch
    ) -> None:
        ctx, cache = Context(either, await somebody(either, clock, "Ada")), SearchCache(clock=clock)
        await create_library(ctx, name="Home")
        first = await find_library_keys(ctx, cache)
        with counting() as tally:
            assert await find_library_keys(ctx, cache) == first
        assert tally.requests == (0 if either.engine.name == "dynamodb" else 2)

    async def test_sees_what_another_process_shares_after_ten_seconds(
        self, dynamodb: Store, clock: Watch
    ) -> None:
        ada, ben = await somebody(dynamodb, clock, "Ada"), await somebody(dynamodb, clock, "Ben")
        here, there, cache = Store(dynamodb.engine), dynamodb, SearchCache(clock=clock)
        bens = Context(here, ben, clock.now)
        assert await find_library_keys(bens, cache) == []
        adas = Context(there, ada, clock.now)
        library = await create_library(adas, name="Home")
        await share(adas, library.library_id, "ben@example.org")
        assert await find_library_keys(bens, cache) == []
        clock.now += MAX_SECONDS
        assert await find_library_keys(bens, cache) == [(library.owner_id, library.library_id)]

    async def test_opens_nothing_by_itself(self, dynamodb: Store, clock: Watch) -> None:
        ada, ben = await somebody(dynamodb, clock, "Ada"), await somebody(dynamodb, clock, "Ben")
        adas, cache = Context(dynamodb, ada, clock.now), SearchCache(clock=clock)
        library = await create_library(adas, name="Home")
        await share(adas, library.library_id, "ben@example.org")
        bens = Context(Store(dynamodb.engine), ben, clock.now)
        keys = await find_library_keys(bens, cache)
        await unshare(adas, library.library_id, owner_id_of(ben.user_id))
        assert await find_library_keys(bens, cache) == keys
        assert (await find_copies_in(bens, cache, keys, [])).libraries == []

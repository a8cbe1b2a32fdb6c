"""TMDB stood in for on loopback, in front of the real catalogue."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.outgoing.circuit_breaker import CircuitBreaker
from commonroom.outgoing.fetcher import Fetcher
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.titles.builtin import Catalogue
from commonroom.titles.tables import tmdb_cache
from commonroom.titles.tmdb.client import LIMITS, CachedClient, ResponseCache, TmdbClient
from commonroom.titles.tmdb.source import PATIENCE, Tmdb
from tests.support.engines import Clock
from tests.support.tmdb import KEY, StandIn, standing_in


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    """TMDB, as far as Commonroom knows."""
    async with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
async def fetcher(stand_in: StandIn) -> AsyncIterator[Fetcher]:
    """A fetcher that trusts the stand-in."""
    fetcher = Fetcher([stand_in.address])
    yield fetcher
    await fetcher.close()


@pytest.fixture
def clock() -> Clock:
    """The time, for the store, the cache and whoever rests."""
    return Clock()


@pytest.fixture
async def store(tmp_path: Path, clock: Clock) -> AsyncIterator[Store]:
    """An empty store."""
    file = tmp_path / "films.db"
    store = Store(EmbeddedEngine(file, [tmdb_cache], durability="OFF", clock=clock))
    yield store
    await store.close()


@pytest.fixture
def catalogue() -> Catalogue:
    """What is behind TMDB."""
    return Catalogue()


class Sources:
    """Makes film sources as the house does, which are closed after the test."""

    def __init__(self, stand_in: StandIn, fetcher: Fetcher, store: Store, clock: Clock) -> None:
        self._stand_in = stand_in
        self._fetcher = fetcher
        self._store = store
        self._clock = clock
        self.made: list[Tmdb] = []

    def client(self, *, key: str = KEY, seconds: float = LIMITS.seconds) -> TmdbClient:
        """A client of the stand-in."""
        return TmdbClient(
            self._fetcher,
            self._stand_in.address,
            key,
            limits=replace(LIMITS, seconds=seconds),
            circuit_breaker=CircuitBreaker(clock=self._clock),
        )

    def cached_client(
        self, client: TmdbClient | None = None, store: Store | None = None
    ) -> CachedClient:
        """A client of the stand-in behind a cache."""
        cache = ResponseCache(store or self._store, self._clock)
        return CachedClient(client or self.client(), cache)

    def __call__(
        self,
        *,
        key: str = KEY,
        seconds: float = PATIENCE,
        patience: float | None = None,
        store: Store | None = None,
        region: str = "US",
    ) -> Tmdb:
        client = self.cached_client(self.client(key=key, seconds=seconds), store)
        self.made.append(Tmdb(client, Catalogue(), region, patience or seconds))
        return self.made[-1]


@pytest.fixture
async def sources(
    stand_in: StandIn, fetcher: Fetcher, store: Store, clock: Clock
) -> AsyncIterator[Sources]:
    """Makes film sources on the stand-in."""
    sources = Sources(stand_in, fetcher, store, clock)
    yield sources
    for one in sources.made:
        await one.close()

"""Where films and posters come from, by the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.catalog.builtin import Catalogue
from commonroom.catalog.film_source import film_source
from commonroom.catalog.films import FilmFilter
from commonroom.catalog.posters import Posters
from commonroom.catalog.tables import tmdb_cache
from commonroom.catalog.tmdb.source import Tmdb
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.support.tmdb import KEY, StandIn, film, standing_in


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    """TMDB, as far as Commonroom knows."""
    async with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store."""
    store = Store(EmbeddedEngine(tmp_path / "films.db", [tmdb_cache], durability="OFF"))
    yield store
    await store.close()


async def test_without_a_key_films_come_from_the_catalogue_and_nobody_is_asked(
    store: Store, stand_in: StandIn, tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path, tmdb_address=stand_in.address)
    fetcher = Fetcher.of(settings)
    source = film_source(settings, store, fetcher)
    assert isinstance(source, Catalogue)
    assert await source.discover(FilmFilter()) != []
    assert await Posters.of(settings, fetcher).poster("/abcdefgh.jpg") is None
    await source.close()
    await fetcher.close()
    assert stand_in.asked == []


async def test_with_a_key_they_come_from_tmdb(
    store: Store, stand_in: StandIn, tmp_path: Path
) -> None:
    stand_in.add(film(7, providers=[30]))
    settings = Settings(data=tmp_path, tmdb_key=KEY, tmdb_address=stand_in.address, region="US")
    fetcher = Fetcher.of(settings)
    source = film_source(settings, store, fetcher)
    assert isinstance(source, Tmdb)
    assert [one.title for one in await source.discover(FilmFilter())] == ["Film 7"]
    await source.close()
    await fetcher.close()

"""Films: which are wanted, and where films and posters come from, by the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import get_args

import pytest

from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.titles.builtin import Catalogue
from commonroom.titles.films import Film, FilmFilter, fits, passes
from commonroom.titles.posters import Posters
from commonroom.titles.sources import title_source
from commonroom.titles.tables import tmdb_cache
from commonroom.titles.titles import Certification
from commonroom.titles.tmdb.source import Tmdb
from tests.support.tmdb import KEY, StandIn, film, standing_in

FILM = Film(tmdb_id=1, title="Film", year=1999, genres=("35", "18"), vote_count=100)


@pytest.mark.parametrize(
    "wanted, fitting",
    [
        (FilmFilter(), True),
        (FilmFilter(genres=frozenset({"35", "27"})), True),
        (FilmFilter(genres=frozenset({"27"})), False),
        (FilmFilter(without_genres=frozenset({"18"})), False),
        (FilmFilter(without_genres=frozenset({"27"})), True),
        (FilmFilter(since=1999), True),
        (FilmFilter(since=2000), False),
        (FilmFilter(votes=100), True),
        (FilmFilter(votes=101), False),
    ],
)
def test_genres_year_and_votes(wanted: FilmFilter, fitting: bool) -> None:
    assert fits(FILM, wanted) is fitting


def test_a_film_of_no_known_year_does_not_fit() -> None:
    assert not fits(Film(tmdb_id=1, title="Film"), FilmFilter())


@pytest.mark.parametrize(
    "ceiling, passing",
    [
        ("G", ["G"]),
        ("PG", ["G", "PG"]),
        ("PG-13", ["G", "PG", "PG-13"]),
        ("R", ["G", "PG", "PG-13", "R", None]),
        ("NC-17", ["G", "PG", "PG-13", "R", None]),
    ],
)
def test_nothing_is_over_the_ceiling_and_under_r_nothing_unknown(
    ceiling: Certification, passing: list[Certification | None]
) -> None:
    every: list[Certification | None] = [*get_args(Certification), None]
    assert [one for one in every if passes(one, ceiling)] == passing


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
    source = title_source(settings, store, fetcher)
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
    source = title_source(settings, store, fetcher)
    assert isinstance(source, Tmdb)
    assert [one.title for one in await source.discover(FilmFilter())] == ["Film 7"]
    await source.close()
    await fetcher.close()

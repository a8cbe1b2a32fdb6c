"""The built-in catalogue as a source of films: what fits, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.catalog.builtin.catalogue import MOST_FILMS, Catalogue, known_films
from commonroom.catalog.film_source import FilmSource
from commonroom.catalog.films import CERTIFICATIONS, Certification, Film, FilmFilter
from commonroom.catalog.genres import GENRE_IDS, GENRES

CATALOGUE: FilmSource = Catalogue()

ENOUGH: list[tuple[Certification, str]] = [
    ("G", "Adventure, Animation, Comedy, Drama, Family, Fantasy"),
    ("PG", "Action, Music, Romance, Science Fiction"),
    ("PG-13", "Crime, Documentary, History, Mystery, Thriller"),
    ("R", "Horror, War, Western"),
]
"""From which ceiling on there are eight films of a genre since 1980, as many as a round has."""

some_genres = st.frozensets(st.sampled_from(sorted(GENRES)), max_size=4)
wishes = st.builds(
    FilmFilter,
    genres=some_genres,
    without_genres=some_genres,
    ceiling=st.sampled_from(CERTIFICATIONS),
    votes=st.integers(0, 10**6),
    since=st.integers(1900, 2100),
)


async def ids(wanted: FilmFilter, without: tuple[int, ...] = ()) -> list[int]:
    return [film.tmdb_movie_id for film in await CATALOGUE.discover(wanted, without)]


async def every_page(wanted: FilmFilter) -> list[Film]:
    """All films that fit, asked for until there are none left."""
    found: list[Film] = []
    while page := await CATALOGUE.discover(wanted, [film.tmdb_movie_id for film in found]):
        found += page
    return found


class TestDiscover:
    async def test_gives_the_most_popular_first_and_at_most_200(self) -> None:
        films = await CATALOGUE.discover(FilmFilter(since=1960))

        assert films == list(known_films()[:MOST_FILMS])
        assert len(films) == 200

    async def test_gives_the_next_ones_where_those_are_left_out(self) -> None:
        everything = await every_page(FilmFilter(since=1960))

        assert everything == list(known_films())

    async def test_takes_any_of_the_wanted_genres(self) -> None:
        wanted = frozenset({GENRE_IDS["Western"], GENRE_IDS["Documentary"]})
        films = await CATALOGUE.discover(FilmFilter(genres=wanted))

        assert all(wanted & {*film.genres} for film in films)
        assert {genre for film in films for genre in film.genres} >= wanted

    async def test_takes_none_of_the_unwanted_genres(self) -> None:
        unwanted = frozenset({GENRE_IDS["Drama"], GENRE_IDS["Horror"]})

        for film in await every_page(FilmFilter(without_genres=unwanted)):
            assert unwanted.isdisjoint(film.genres)

    async def test_begins_with_1980_where_nobody_says_otherwise(self) -> None:
        years = {film.year for film in await every_page(FilmFilter())}

        assert min(year for year in years if year) == 1980

    async def test_asks_no_votes_where_nobody_counts_them(self) -> None:
        assert await ids(FilmFilter(votes=10**9)) == await ids(FilmFilter(votes=0))

    @pytest.mark.parametrize("ceiling", CERTIFICATIONS)
    async def test_gives_nothing_above_the_ceiling(self, ceiling: Certification) -> None:
        certifications = {
            film.certification for film in await every_page(FilmFilter(ceiling=ceiling))
        }
        allowed = {*CERTIFICATIONS[: CERTIFICATIONS.index(ceiling) + 1]} - {"NC-17"}

        assert certifications - {None} == allowed
        assert (None in certifications) == (ceiling in ("R", "NC-17"))

    @pytest.mark.parametrize("ceiling, genres", ENOUGH)
    async def test_leaves_families_a_whole_evening_to_choose_from(
        self, ceiling: Certification, genres: str
    ) -> None:
        for name in genres.split(", "):
            wanted = FilmFilter(genres=frozenset({GENRE_IDS[name]}), ceiling=ceiling)

            assert len(await ids(wanted)) >= 8, name

    @given(wishes, st.sampled_from(CERTIFICATIONS))
    async def test_a_raised_ceiling_takes_no_film_away(
        self, wanted: FilmFilter, other: Certification
    ) -> None:
        lower, higher = sorted((wanted.ceiling, other), key=CERTIFICATIONS.index)
        strict = await every_page(replace(wanted, ceiling=lower))
        lenient = await every_page(replace(wanted, ceiling=higher))

        assert {film.tmdb_movie_id for film in strict} <= {film.tmdb_movie_id for film in lenient}

    @given(wishes, st.sampled_from(sorted(GENRES)))
    async def test_a_genre_left_out_adds_no_film(self, wanted: FilmFilter, genre: str) -> None:
        fewer = replace(wanted, without_genres=wanted.without_genres | {genre})
        before, after = await every_page(wanted), await every_page(fewer)

        assert {film.tmdb_movie_id for film in after} <= {film.tmdb_movie_id for film in before}

    @given(wishes)
    async def test_is_always_sorted_and_always_the_same(self, wanted: FilmFilter) -> None:
        films = await CATALOGUE.discover(wanted)

        assert films == sorted(films, key=lambda film: (-film.popularity, film.tmdb_movie_id))
        assert films == await Catalogue().discover(wanted)


class TestAFilm:
    async def test_is_found_by_its_id_with_all_that_is_known(self) -> None:
        film = await CATALOGUE.film(862)

        assert film is not None
        assert (film.title, film.year, film.runtime) == ("Toy Story", 1995, 81)
        assert (film.certification, film.directors) == ("G", ("John Lasseter",))

    @pytest.mark.parametrize("unknown", [0, -1, 10**12])
    async def test_that_is_not_there_is_none(self, unknown: int) -> None:
        assert await CATALOGUE.film(unknown) is None


async def test_a_closed_catalogue_still_answers() -> None:
    catalogue = Catalogue()
    await catalogue.close()

    assert await catalogue.film(862)

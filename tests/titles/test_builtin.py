"""The built-in catalogue: what is written down, what is found by filter and by title."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.titles.builtin import MAX_TITLES, Catalogue, known_films, written_films
from commonroom.titles.films import CERTIFICATIONS, Film, FilmFilter, FilmSource
from commonroom.titles.genres import GENRE_IDS, GENRES
from commonroom.titles.titles import Certification

CATALOGUE: FilmSource = Catalogue()

ENOUGH: list[tuple[Certification, str]] = [
    ("G", "Adventure, Animation, Comedy, Drama, Family, Fantasy"),
    ("PG", "Action, Music, Romance, Science Fiction"),
    ("PG-13", "Crime, Documentary, History, Mystery, Thriller"),
    ("R", "Horror, War, Western"),
]
"""From which ceiling on there are eight films of a genre since 1980, as many as a round has."""

FACTS = written_films()
RATINGS = (5.5, 6, 6.5, 7, 7.5, 8, 8.5)
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

        assert films == list(known_films()[:MAX_TITLES])
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
        assert (film.certification, film.makers) == ("G", ("John Lasseter",))

    @pytest.mark.parametrize("unknown", [0, -1, 10**12])
    async def test_that_is_not_there_is_none(self, unknown: int) -> None:
        assert await CATALOGUE.film(unknown) is None


async def test_a_closed_catalogue_still_answers() -> None:
    catalogue = Catalogue()
    await catalogue.close()

    assert await catalogue.film(862)


async def titles(text: str, limit: int = 20) -> list[str]:
    return [film.title for film in await CATALOGUE.search(text, limit)]


@pytest.mark.parametrize(
    "text, first",
    [
        ("Amélie", "Amélie"),
        ("amelie", "Amélie"),
        ("AME\u0301LIE", "Amélie"),
        ("les miserables", "Les Misérables"),
        ("wall-e", "WALL·E"),
        ("walle", "WALL·E"),
        ("spiderman 2", "Spider-Man 2"),
        ("pride and prejudice", "Pride & Prejudice"),
        ("schindlers list", "Schindler's List"),
        ("schindler’s list", "Schindler's List"),
        ("e.t.", "E.T. the Extra-Terrestrial"),
        ("the matrix", "The Matrix"),
        ("matrix", "The Matrix"),
        ("the up", "Up"),
    ],
)
async def test_accents_signs_and_articles_do_not_matter(text: str, first: str) -> None:
    assert (await titles(text))[0] == first


@pytest.mark.parametrize(
    "text, first",
    [
        ("godfater", "The Godfather"),
        ("toy stroy", "Toy Story"),
        ("jurasic prak", "Jurassic Park"),
        ("inglorious bastards", "Inglourious Basterds"),
        ("forest gump", "Forrest Gump"),
        ("spidreman", "Spider-Man"),
    ],
)
async def test_small_typos_are_forgiven(text: str, first: str) -> None:
    assert (await titles(text))[0] == first


async def test_the_very_title_comes_before_longer_and_more_popular_ones() -> None:
    assert (await titles("alien"))[:2] == ["Alien", "Aliens"]
    assert (await titles("star wars"))[0] == "Star Wars"
    assert (await titles("up"))[0] == "Up"


async def test_beginnings_of_words_are_enough_in_any_order() -> None:
    assert "The Lord of the Rings: The Two Towers" in await titles("tow ring lor")
    assert (await titles("back futu"))[0] == "Back to the Future"


async def test_among_equally_likely_titles_the_more_popular_comes_first() -> None:
    found = await CATALOGUE.search("harry potter")

    assert len(found) == 6
    assert found == sorted(found, key=lambda film: -film.popularity)


async def test_what_is_nearly_meant_follows_what_is_meant() -> None:
    assert await titles("seven") == ["Seven Years in Tibet", "Se7en"]


async def test_an_article_alone_finds_titles_that_have_it() -> None:
    assert "The Dark Knight" in await titles("the", 200)


@pytest.mark.parametrize("text", ["", " \t\n", "🎬", "?!…", "\x00", "\ud800", "qqzzxx", "x" * 1000])
async def test_what_resembles_no_title_finds_nothing(text: str) -> None:
    assert await titles(text) == []


async def test_a_title_at_the_start_of_a_long_text_is_not_found_by_all_of_it() -> None:
    assert await titles("toy story " + "and more words " * 100) == []


@pytest.mark.parametrize("limit, given", [(-1, 0), (0, 0), (1, 1), (5, 5), (10**6, 200)])
async def test_there_are_never_more_than_asked_for_nor_than_200(limit: int, given: int) -> None:
    assert len(await titles("t", limit)) == given


async def test_films_are_found_by_their_own_title() -> None:
    for film in known_films()[::7]:
        assert film in await CATALOGUE.search(film.title, 2)


@given(st.text(max_size=300), st.integers(-5, 300))
async def test_any_text_is_answered_and_always_in_the_same_way(text: str, limit: int) -> None:
    found = await CATALOGUE.search(text, limit)

    assert len(found) <= max(0, min(limit, 200))
    assert len({film.tmdb_movie_id for film in found}) == len(found)
    assert found == await Catalogue().search(text, limit)


def test_every_fact_is_well_formed() -> None:
    for fact in FACTS:
        assert fact.id > 0, fact
        assert re.fullmatch(r"tt\d{7,8}", fact.imdb), fact
        assert 1960 <= fact.year <= 2025, fact
        assert 60 <= fact.runtime <= 240, fact
        assert fact.certification != "NC-17", fact
        assert 1 <= fact.fame <= 100, fact
        assert fact.rating in RATINGS, fact
        assert 1 <= len(fact.genres) == len({*fact.genres} & GENRE_IDS.keys()) <= 6, fact
        assert 1 <= len(fact.directors) <= 3, fact
        assert len(fact.cast) == len({*fact.cast}) <= 5, fact


def test_every_text_is_fit_to_be_read() -> None:
    for fact in FACTS:
        assert 60 <= len(fact.overview) <= 140, fact
        assert fact.overview[0].isupper(), fact
        assert fact.overview.endswith("."), fact
        for text in (fact.title, fact.overview, *fact.directors, *fact.cast):
            assert text, fact
            assert text == " ".join(text.split()), fact
            assert text.isprintable(), fact


def test_no_film_is_written_down_twice() -> None:
    for identity in ("id", "imdb", "overview"):
        assert max(Counter(getattr(fact, identity) for fact in FACTS).values()) == 1
    assert max(Counter((fact.title, fact.year) for fact in FACTS).values()) == 1


def test_almost_every_film_names_its_cast() -> None:
    assert sum(len(fact.cast) >= 3 for fact in FACTS) >= 0.98 * len(FACTS)


def test_films_stand_in_the_file_of_their_decade_by_year() -> None:
    years = [fact.year for fact in FACTS]

    assert years == sorted(years)


@pytest.mark.parametrize(
    "certification, least", [("G", 60), ("PG", 100), ("PG-13", 110), ("R", 110)]
)
def test_there_is_choice_for_every_age(certification: str, least: int) -> None:
    assert sum(fact.certification == certification for fact in FACTS) >= least


def test_ratings_tell_films_apart() -> None:
    counts = Counter(fact.rating for fact in FACTS)

    assert counts.keys() == {*RATINGS}
    assert max(counts.values()) <= len(FACTS) / 3
    assert counts[8.5] <= len(FACTS) / 20, "the best are few"


@pytest.mark.parametrize("genre", sorted({*GENRES.values()} - {"TV Movie"}))
def test_there_is_choice_in_every_genre(genre: str) -> None:
    assert sum(genre in fact.genres for fact in FACTS) >= 12


@pytest.mark.parametrize("decade", range(1960, 2030, 10))
def test_there_is_choice_from_every_decade(decade: int) -> None:
    assert sum(decade <= fact.year < decade + 10 for fact in FACTS) >= 15


def test_popularity_is_one_order_without_ties() -> None:
    films = known_films()

    assert [film.popularity for film in films] == list(range(len(FACTS), 0, -1))
    assert {film.tmdb_movie_id for film in films} == {fact.id for fact in FACTS}


def test_films_know_their_genres_by_id_and_nothing_that_nobody_counted() -> None:
    for film in known_films():
        assert film.genres
        assert {*film.genres} <= GENRES.keys()
        assert film.vote_average in RATINGS
        assert film.vote_count is None
        assert film.services is None
        assert film.poster_path is None


@pytest.mark.parametrize(
    "title, year, tmdb, imdb, director",
    [
        ("Psycho", 1960, 539, "tt0054215", "Alfred Hitchcock"),
        ("Mary Poppins", 1964, 433, "tt0058331", "Robert Stevenson"),
        ("The Sound of Music", 1965, 15121, "tt0059742", "Robert Wise"),
        ("The Good, the Bad and the Ugly", 1966, 429, "tt0060196", "Sergio Leone"),
        ("2001: A Space Odyssey", 1968, 62, "tt0062622", "Stanley Kubrick"),
        ("The Godfather", 1972, 238, "tt0068646", "Francis Ford Coppola"),
        ("Jaws", 1975, 578, "tt0073195", "Steven Spielberg"),
        ("Star Wars", 1977, 11, "tt0076759", "George Lucas"),
        ("Alien", 1979, 348, "tt0078748", "Ridley Scott"),
        ("The Terminator", 1984, 218, "tt0088247", "James Cameron"),
        ("Back to the Future", 1985, 105, "tt0088763", "Robert Zemeckis"),
        ("My Neighbor Totoro", 1988, 8392, "tt0096283", "Hayao Miyazaki"),
        ("Do the Right Thing", 1989, 925, "tt0097216", "Spike Lee"),
        ("The Silence of the Lambs", 1991, 274, "tt0102926", "Jonathan Demme"),
        ("Jurassic Park", 1993, 329, "tt0107290", "Steven Spielberg"),
        ("Pulp Fiction", 1994, 680, "tt0110912", "Quentin Tarantino"),
        ("The Shawshank Redemption", 1994, 278, "tt0111161", "Frank Darabont"),
        ("Toy Story", 1995, 862, "tt0114709", "John Lasseter"),
        ("Titanic", 1997, 597, "tt0120338", "James Cameron"),
        ("Life Is Beautiful", 1997, 637, "tt0118799", "Roberto Benigni"),
        ("The Matrix", 1999, 603, "tt0133093", "Lana Wachowski"),
        ("Spirited Away", 2001, 129, "tt0245429", "Hayao Miyazaki"),
        ("Amélie", 2001, 194, "tt0211915", "Jean-Pierre Jeunet"),
        ("City of God", 2002, 598, "tt0317248", "Fernando Meirelles"),
        ("Finding Nemo", 2003, 12, "tt0266543", "Andrew Stanton"),
        ("Oldboy", 2003, 670, "tt0364569", "Park Chan-wook"),
        ("Pan's Labyrinth", 2006, 1417, "tt0457430", "Guillermo del Toro"),
        ("The Lives of Others", 2006, 582, "tt0405094", "Florian Henckel von Donnersmarck"),
        ("The Dark Knight", 2008, 155, "tt0468569", "Christopher Nolan"),
        ("3 Idiots", 2009, 20453, "tt1187043", "Rajkumar Hirani"),
        ("Inception", 2010, 27205, "tt1375666", "Christopher Nolan"),
        ("The Intouchables", 2011, 77338, "tt1675434", "Olivier Nakache"),
        ("A Separation", 2011, 60243, "tt1832382", "Asghar Farhadi"),
        ("Frozen", 2013, 109445, "tt2294629", "Jennifer Lee"),
        ("Paddington", 2014, 116149, "tt1109624", "Paul King"),
        ("Selma", 2014, 273895, "tt1020072", "Ava DuVernay"),
        ("Coco", 2017, 354912, "tt2380307", "Lee Unkrich"),
        ("Get Out", 2017, 419430, "tt5052448", "Jordan Peele"),
        ("Parasite", 2019, 496243, "tt6751668", "Bong Joon-ho"),
        ("Portrait of a Lady on Fire", 2019, 531428, "tt8613070", "Céline Sciamma"),
        ("Oppenheimer", 2023, 872585, "tt15398776", "Christopher Nolan"),
        ("The Wild Robot", 2024, 1184918, "tt29623480", "Chris Sanders"),
    ],
)
def test_facts_that_anybody_can_look_up_are_right(
    title: str, year: int, tmdb: int, imdb: str, director: str
) -> None:
    (fact,) = [fact for fact in FACTS if fact.id == tmdb]

    assert (fact.title, fact.year, fact.imdb) == (title, year, imdb)
    assert director in fact.directors

"""What is written down of the films that come with Commonroom."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from commonroom.catalog.builtin.catalogue import known_films, written_facts
from commonroom.catalog.genres import GENRE_IDS, GENRES

FACTS = written_facts()
RATINGS = (5.5, 6, 6.5, 7, 7.5, 8, 8.5)


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


@pytest.mark.parametrize("genre", sorted(GENRE_IDS.keys() - {"TV Movie"}))
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

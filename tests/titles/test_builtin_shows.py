"""The shows of the built-in catalogue: what is written down, and what is found by title."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from commonroom.titles.builtin import (
    Catalogue,
    known_films,
    known_shows,
    known_title,
    written_films,
    written_shows,
)
from commonroom.titles.genres import GENRE_IDS, TITLE_GENRES
from commonroom.titles.titles import TitleId

CATALOGUE = Catalogue()
FACTS = written_shows()
RATINGS = (7, 7.5, 8, 8.5, 9)
LAST_YEAR = 2026
COMMON_GENRES = (
    *("Action", "Adventure", "Animation", "Comedy", "Crime", "Drama", "Family", "Fantasy"),
    *("History", "Horror", "Mystery", "Romance", "Science Fiction", "Thriller"),
)


def test_there_are_about_as_many_as_somebody_can_name() -> None:
    assert len(FACTS) >= 150


def test_every_fact_is_well_formed() -> None:
    for fact in FACTS:
        assert fact.id > 0, fact
        assert re.fullmatch(r"tt\d{7,8}", fact.imdb), fact
        assert 1950 <= fact.start <= (fact.end or LAST_YEAR) <= LAST_YEAR, fact
        assert fact.seasons is None or 1 <= fact.seasons <= 20, fact
        assert (fact.seasons or 1) <= (fact.episodes or 1000) <= 1000, fact
        assert 1 <= fact.fame <= 100, fact
        assert fact.rating in RATINGS, fact
        assert 1 <= len(fact.genres) == len({*fact.genres} & GENRE_IDS.keys()) <= 6, fact
        assert len(fact.creators) == len({*fact.creators}) <= 6, fact
        assert 1 <= len(fact.cast) == len({*fact.cast}) <= 5, fact


def test_a_show_goes_on_or_has_a_last_year() -> None:
    for fact in FACTS:
        assert (fact.status == "ongoing") == (fact.end is None), fact


def test_a_show_of_a_single_year_has_a_single_season() -> None:
    for fact in FACTS:
        if fact.start == fact.end:
            assert fact.seasons == 1, fact


def test_shows_that_are_over_say_how_many_episodes_they_have() -> None:
    over = [fact for fact in FACTS if fact.status != "ongoing"]

    assert sum(fact.episodes is not None for fact in over) >= 0.95 * len(over)


def test_every_text_is_fit_to_be_read() -> None:
    for fact in FACTS:
        assert 60 <= len(fact.overview) <= 140, fact
        assert fact.overview[0].isupper(), fact
        assert fact.overview.endswith("."), fact
        for text in (fact.title, fact.overview, *fact.creators, *fact.cast):
            assert text, fact
            assert text == " ".join(text.split()), fact
            assert text.isprintable(), fact


def test_no_show_is_written_down_twice() -> None:
    for identity in ("id", "imdb", "overview"):
        assert max(Counter(getattr(fact, identity) for fact in FACTS).values()) == 1
    assert max(Counter((fact.title, fact.start) for fact in FACTS).values()) == 1


def test_no_show_is_a_film() -> None:
    assert {fact.imdb for fact in FACTS}.isdisjoint(fact.imdb for fact in written_films())


def test_shows_stand_in_the_file_of_their_decade_by_year() -> None:
    years = [fact.start for fact in FACTS]

    assert years == sorted(years)


@pytest.mark.parametrize("genre", COMMON_GENRES)
def test_there_is_choice_in_every_common_genre(genre: str) -> None:
    assert sum(genre in fact.genres for fact in FACTS) >= 8


@pytest.mark.parametrize("decade", range(1990, 2030, 10))
def test_there_is_choice_from_every_decade_that_people_remember(decade: int) -> None:
    assert sum(decade <= fact.start < decade + 10 for fact in FACTS) >= 15


def test_ratings_tell_shows_apart() -> None:
    counts = Counter(fact.rating for fact in FACTS)

    assert counts.keys() == {*RATINGS}
    assert max(counts.values()) <= len(FACTS) / 2


def test_popularity_is_one_order_without_ties() -> None:
    assert [show.popularity for show in known_shows()] == list(range(len(FACTS), 0, -1))


def test_shows_know_their_genres_by_id_and_nothing_that_nobody_counted() -> None:
    for show in known_shows():
        assert show.content_type == "SHOW"
        assert show.content_id == str(show.tmdb_id)
        assert show.genres
        assert {*show.genres} <= TITLE_GENRES.keys()
        assert (show.vote_count, show.services, show.poster_path) == (None, None, None)


def test_a_title_is_found_by_what_it_is_and_its_id() -> None:
    show, film = known_title(TitleId("SHOW", "95")), known_title(TitleId("MOVIE", "95"))

    assert show is not None
    assert show.title == "Buffy the Vampire Slayer"
    assert film is None or film.title != show.title
    assert known_title(known_films()[0].id) == known_films()[0]
    assert known_title(TitleId("SHOW", "a made-up one")) is None


class TestSearch:
    @pytest.mark.parametrize(
        "text, first",
        [
            ("breaking bad", "Breaking Bad"),
            ("braking bad", "Breaking Bad"),
            ("mash", "M*A*S*H"),
            ("shogun", "Shōgun"),
            ("the wire", "The Wire"),
            ("wire", "The Wire"),
            ("schitts creek", "Schitt's Creek"),
            ("deep space", "Star Trek: Deep Space Nine"),
        ],
    )
    async def test_finds_a_show_as_it_finds_a_film(self, text: str, first: str) -> None:
        assert (await CATALOGUE.search_shows(text))[0].title == first

    async def test_gives_both_shows_of_one_name_the_better_known_first(self) -> None:
        found = await CATALOGUE.search_shows("the office")

        assert [(one.title, one.year) for one in found[:2]] == [
            ("The Office", 2005),
            ("The Office", 2001),
        ]

    async def test_finds_no_films(self) -> None:
        assert await CATALOGUE.search_shows("the godfather") == []

    @pytest.mark.parametrize("limit, given", [(-1, 0), (0, 0), (3, 3)])
    async def test_gives_no_more_than_asked_for(self, limit: int, given: int) -> None:
        assert len(await CATALOGUE.search_shows("star", limit)) == given


@pytest.mark.parametrize(
    "title, start, tmdb, imdb, creator",
    [
        ("The Twilight Zone", 1959, 6357, "tt0052520", "Rod Serling"),
        ("Fawlty Towers", 1975, 2207, "tt0072500", "John Cleese"),
        ("Seinfeld", 1989, 1400, "tt0098904", "Larry David"),
        ("Twin Peaks", 1990, 1920, "tt0098936", "David Lynch"),
        ("Friends", 1994, 1668, "tt0108778", "Marta Kauffman"),
        ("The Sopranos", 1999, 1398, "tt0141842", "David Chase"),
        ("The Wire", 2002, 1438, "tt0306414", "David Simon"),
        ("Breaking Bad", 2008, 1396, "tt0903747", "Vince Gilligan"),
        ("The Bridge", 2011, 45016, "tt1733785", "Hans Rosenfeldt"),
        ("Game of Thrones", 2011, 1399, "tt0944947", "David Benioff"),
        ("Fleabag", 2016, 67070, "tt5687612", "Phoebe Waller-Bridge"),
        ("Dark", 2017, 70523, "tt5753856", "Jantje Friese"),
        ("Chernobyl", 2019, 87108, "tt7366338", "Craig Mazin"),
        ("Squid Game", 2021, 93405, "tt10919420", "Hwang Dong-hyuk"),
        ("Severance", 2022, 95396, "tt11280740", "Dan Erickson"),
    ],
)
def test_facts_that_anybody_can_look_up_are_right(
    title: str, start: int, tmdb: int, imdb: str, creator: str
) -> None:
    (fact,) = [fact for fact in FACTS if fact.id == tmdb]

    assert (fact.title, fact.start, fact.imdb) == (title, start, imdb)
    assert creator in fact.creators

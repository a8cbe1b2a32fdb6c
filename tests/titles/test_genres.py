"""Genres: one vocabulary for films and shows."""

from __future__ import annotations

import pytest

from commonroom.titles.genres import (
    GENRE_IDS,
    GENRES,
    SHOW_GENRES,
    TITLE_GENRES,
    film_genres,
    genre_named,
    genre_names,
    show_genres,
)


def test_there_are_the_nineteen_genres_of_films_and_four_that_only_shows_have() -> None:
    assert (len(GENRES), len(SHOW_GENRES)) == (19, 4)
    assert len(TITLE_GENRES) == len(GENRE_IDS) == 23
    assert all(genre.isdecimal() for genre in TITLE_GENRES)


@pytest.mark.parametrize("genre", TITLE_GENRES)
def test_a_genre_is_found_by_its_name(genre: str) -> None:
    name = TITLE_GENRES[genre]

    assert GENRE_IDS[name] == genre_named(name) == genre
    assert genre_named(f" {name.upper()} ") == genre


@pytest.mark.parametrize("name", ["", "35", "Comedies", "Sci-Fi"])
def test_what_is_no_genre_has_no_id(name: str) -> None:
    assert genre_named(name) is None


def test_what_tmdb_joins_for_shows_is_told_apart_as_for_films() -> None:
    assert show_genres([10765, 18, 10759]) == ("878", "14", "18", "28", "12")
    assert show_genres([10766, 18, 10762]) == ("18", "10751")
    assert show_genres([10768, 4711]) == ("10768",)


def test_films_have_genres_of_films_only() -> None:
    assert film_genres([35, 10764, 35, 4711]) == ("35",)


def test_names_of_unknown_genres_are_left_out() -> None:
    assert genre_names(["35", "4711", "10764"]) == ["Comedy", "Reality"]

"""TMDB's genres of films, by id and by name."""

from __future__ import annotations

import pytest

from commonroom.catalog.genres import GENRE_IDS, GENRES, genre_named


def test_there_are_the_nineteen_genres_of_films() -> None:
    assert len(GENRES) == len(GENRE_IDS) == 19
    assert all(genre.isdecimal() for genre in GENRES)


@pytest.mark.parametrize("genre", GENRES)
def test_a_genre_is_found_by_its_name(genre: str) -> None:
    name = GENRES[genre]

    assert GENRE_IDS[name] == genre_named(name) == genre
    assert genre_named(f" {name.upper()} ") == genre


@pytest.mark.parametrize("name", ["", "35", "Comedies", "Sci-Fi"])
def test_what_is_no_genre_has_no_id(name: str) -> None:
    assert genre_named(name) is None

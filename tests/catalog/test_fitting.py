"""Whether a film is what was wanted."""

from __future__ import annotations

from typing import get_args

import pytest

from commonroom.catalog.films import Certification, Film
from commonroom.catalog.fitting import fits, passes
from commonroom.catalog.source import Wanted

FILM = Film(tmdb_movie_id=1, title="Film", year=1999, genres=("35", "18"), vote_count=100)


@pytest.mark.parametrize(
    "wanted, fitting",
    [
        (Wanted(), True),
        (Wanted(genres=frozenset({"35", "27"})), True),
        (Wanted(genres=frozenset({"27"})), False),
        (Wanted(without_genres=frozenset({"18"})), False),
        (Wanted(without_genres=frozenset({"27"})), True),
        (Wanted(since=1999), True),
        (Wanted(since=2000), False),
        (Wanted(votes=100), True),
        (Wanted(votes=101), False),
    ],
)
def test_genres_year_and_votes(wanted: Wanted, fitting: bool) -> None:
    assert fits(FILM, wanted) is fitting


def test_a_film_of_no_known_year_does_not_fit() -> None:
    assert not fits(Film(tmdb_movie_id=1, title="Film"), Wanted())


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

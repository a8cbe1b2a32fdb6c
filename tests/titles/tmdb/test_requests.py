"""What TMDB is asked."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

from commonroom.titles.films import FilmFilter
from commonroom.titles.tmdb import requests
from commonroom.titles.tmdb.responses import TmdbFacts, TmdbPage


def asked(request: requests.TmdbRequest[TmdbPage[TmdbFacts]]) -> dict[str, str]:
    """The parameters, as a server reads them."""
    read = parse_qs(request.target.partition("?")[2], strict_parsing=True)
    return {name: value for name, (value,) in read.items()}


def test_any_of_the_genres_is_wanted_and_none_of_the_others() -> None:
    wanted = FilmFilter(genres=frozenset({"35", "28"}), without_genres=frozenset({"27", "10752"}))
    query = asked(requests.discover(wanted, 1))
    assert query["with_genres"] == "28|35"
    assert query["without_genres"] == "27,10752"


def test_the_rest_of_what_is_wanted_is_asked_for() -> None:
    query = asked(requests.discover(FilmFilter(ceiling="PG", votes=10, since=1960), 2))
    assert query == {
        "certification_country": "US",
        "certification.gte": "G",
        "certification.lte": "PG",
        "include_adult": "false",
        "include_video": "false",
        "language": "en-US",
        "page": "2",
        "primary_release_date.gte": "1960-01-01",
        "sort_by": "popularity.desc",
        "vote_count.gte": "10",
    }


def test_only_under_r_must_the_certification_be_known() -> None:
    assert "certification.gte" not in asked(requests.discover(FilmFilter(ceiling="R"), 1))


def test_the_same_question_is_kept_under_the_same_key_and_another_is_not() -> None:
    genres = ["35", "28", "16", "12", "10751", "18", "80"]
    one = requests.discover(FilmFilter(genres=frozenset(genres)), 1)
    same = requests.discover(FilmFilter(genres=frozenset(reversed(genres))), 1)
    assert one.key == same.key
    others: list[requests.TmdbRequest[Any]] = [
        requests.discover(FilmFilter(genres=frozenset(genres)), 2),
        requests.discover(FilmFilter(without_genres=frozenset(genres)), 1),
        requests.search("28"),
        requests.details(28, "US"),
        requests.details(28, "DE"),
        requests.details(29, "US"),
        requests.offers("movie", 28, "US"),
    ]
    assert len({one.key, *(other.key for other in others)}) == 8


def test_services_are_good_for_half_a_day_and_all_else_for_one() -> None:
    hours = {
        request.path: request.seconds / 3600
        for request in (
            requests.discover(FilmFilter(), 1),
            requests.search("film"),
            requests.details(1, "US"),
            requests.offers("movie", 1, "US"),
        )
    }
    assert hours == {
        "discover/movie": 24,
        "search/movie": 24,
        "movie/1": 24,
        "movie/1/watch/providers": 12,
    }


@pytest.mark.parametrize(
    "text, plain",
    [
        ("  The   GODFATHER ", "the godfather"),
        ("Amélie & Co. 100% #1 + 2?", "amélie & co. 100% #1 + 2?"),
        ("千と千尋", "千と千尋"),
        ("half a pair \ud800", "half a pair ?"),
        ("x" * 1000, "x" * 100),
    ],
)
def test_any_text_can_be_searched_for(text: str, plain: str) -> None:
    assert asked(requests.search(text))["query"] == plain

"""A row means one title of the catalogue, or nobody can say which."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.titles.titles import ContentType, TitleFacts
from commonroom.watchlists.rules.formats import TitleRead
from commonroom.watchlists.rules.matching import best_match


def film(title: str, year: int | None, content_type: ContentType = "MOVIE") -> TitleFacts:
    return TitleFacts(
        content_type=content_type, content_id=f"{title}-{year}", title=title, year=year
    )


def chosen(row: dict[str, Any], *found: TitleFacts) -> str | None:
    best = best_match(TitleRead(**row), found)
    return None if best is None else best.content_id


@pytest.mark.parametrize(
    "title", ["The Matrix", "matrix", "MATRIX, The", "The  Mátrix", "A Matrix", "The Matrix!"]
)
def test_case_accents_signs_and_articles_do_not_matter(title: str) -> None:
    assert chosen({"title": title, "year": 1999}, film("The Matrix", 1999)) == "The Matrix-1999"


@pytest.mark.parametrize("year, found", [(1998, True), (2000, True), (1997, False), (2001, False)])
def test_a_year_may_be_off_by_one(year: int, found: bool) -> None:
    assert (chosen({"title": "Matrix", "year": year}, film("Matrix", 1999)) is not None) is found


def test_the_very_year_comes_before_a_near_one() -> None:
    both = (film("Heat", 1995), film("Heat", 1996))
    assert chosen({"title": "Heat", "year": 1996}, *both) == "Heat-1996"
    assert chosen({"title": "Heat", "year": 1995}, *both) == "Heat-1995"


def test_of_two_that_are_equally_likely_none_is_taken() -> None:
    assert chosen({"title": "Heat", "year": 1996}, film("Heat", 1995), film("Heat", 1997)) is None
    assert chosen({"title": "Heat"}, film("Heat", 1986), film("Heat", 1995)) is None


def test_without_a_year_the_only_one_is_meant() -> None:
    assert chosen({"title": "Heat"}, film("Heat", 1995), film("Heatwave", 2022)) == "Heat-1995"


def test_where_a_file_does_not_say_what_it_is_a_film_is_likelier() -> None:
    both = (film("Fargo", 2014, "SHOW"), film("Fargo", 2014))
    assert chosen({"title": "Fargo", "year": 2014}, *both) == "Fargo-2014"
    best = best_match(TitleRead("Fargo", 2014, "SHOW"), both)
    assert best is not None
    assert best.content_type == "SHOW"
    best = best_match(TitleRead("Fargo", 2014), both)
    assert best is not None
    assert best.content_type == "MOVIE"


def test_the_original_title_is_a_title_too() -> None:
    row = {"title": "Die Verurteilten", "original_title": "Heat", "year": 1995}
    assert chosen(row, film("Heat", 1995)) == "Heat-1995"


def test_who_has_an_id_takes_no_title_of_another_year() -> None:
    made = film("Dune", 1983)
    assert chosen({"title": "Dune", "year": 1984, "imdb_id": "tt0087182"}, made) is None
    assert chosen({"title": "Dune", "year": 1984}, made) == "Dune-1983"


def test_two_ids_are_two_titles_and_one_is_one() -> None:
    known = replace(film("Dune", 1984), imdb_id="tt0087182")
    row = {"title": "Dune", "year": 1984}
    assert chosen(row | {"imdb_id": "tt1160419"}, known) is None
    assert chosen(row | {"imdb_id": "tt0087182", "tmdb_id": 841}, known) == "Dune-1984"
    assert chosen(row | {"title": "Der Wüstenplanet", "imdb_id": "tt0087182"}, known) == "Dune-1984"


def test_the_very_year_counts_before_the_better_source() -> None:
    best = best_match(TitleRead("Heat", 1996), [film("Heat", 1995)], [film("Heat", 1996)])
    assert best is not None
    assert best.content_id == "Heat-1996"


def test_something_of_another_name_is_not_meant() -> None:
    assert chosen({"title": "Heat", "year": 1995}, film("Dead Heat", 1995)) is None

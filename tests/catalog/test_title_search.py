"""Searching the built-in catalogue by what people type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.catalog.builtin.catalogue import Catalogue, known_films

CATALOGUE = Catalogue()


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
async def test_small_slips_are_forgiven(text: str, first: str) -> None:
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

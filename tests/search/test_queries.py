"""What somebody looks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.search.queries import (
    MAX_WORDS,
    SearchQuery,
    facet_groups,
    genre_facet,
    parse,
    typos_allowed,
    year_facets,
)


def test_articles_count_only_where_there_is_nothing_else() -> None:
    assert parse("the lord of the rings").words == ("lord", "of", "rings")  # type: ignore[union-attr]
    assert parse("the").words == ("the",)  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\x00", "\u200b"])
def test_nothing_is_looked_for_where_nothing_was_typed(text: str) -> None:
    assert parse(text) is None


@given(st.text(max_size=10_000))
def test_any_text_is_cut_to_what_an_index_is_asked(text: str) -> None:
    terms = parse(text)
    if terms is not None:
        assert 1 <= len(terms.words) <= MAX_WORDS
        assert terms.wholes


@pytest.mark.parametrize("word, typos", [("up", 0), ("jaw", 0), ("jaws", 1), ("godfather", 2)])
def test_longer_words_may_have_more_typos(word: str, typos: int) -> None:
    assert typos_allowed(word) == typos


@given(st.integers(1800, 2200), st.integers(1800, 2200), st.integers(1800, 2200))
def test_a_year_has_a_facet_of_exactly_those_ranges_that_it_lies_in(
    year: int, first: int, last: int
) -> None:
    (group,) = facet_groups(SearchQuery(text="", year_from=first, year_to=last))
    counted, lowest = max(1850, min(year, 2150)), max(1850, first)
    is_within = lowest <= counted <= min(last, 2150)
    assert is_within == (not set(group).isdisjoint(year_facets(year)))
    assert len(group) <= 60


def test_genres_are_the_same_in_capitals_and_with_other_signs() -> None:
    assert genre_facet("Science Fiction") == genre_facet("science-fiction")
    assert genre_facet("War & Politics") == genre_facet("war and politics")

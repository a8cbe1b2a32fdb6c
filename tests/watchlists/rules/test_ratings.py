"""Ratings: half stars of five, reviews, and what an average is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import InvalidField
from commonroom.watchlists.rules.ratings import (
    MAX_REVIEW,
    agrees,
    as_fields,
    check_rating,
    clean_review,
    count_ratings,
    ratings_of,
    with_change,
)
from tests.watchlists.examples import movie

said = st.integers(1, 10) | st.none()


@pytest.mark.parametrize("rating", range(1, 11))
def test_a_rating_is_one_to_ten_half_stars(rating: int) -> None:
    assert check_rating(rating) == rating


@pytest.mark.parametrize("rating", [-1, 0, 11, 10**9])
def test_nothing_else_is(rating: int) -> None:
    with pytest.raises(InvalidField) as refused:
        check_rating(rating)
    assert refused.value.field == "rating"


@pytest.mark.parametrize("text", [None, "", "  \n ", "\u200b"])
def test_nothing_said_is_no_review(text: str | None) -> None:
    assert clean_review(text) is None


def test_a_review_keeps_its_lines_and_has_a_bound() -> None:
    assert clean_review(" One.\r\n\r\nTwo. ") == "One.\n\nTwo."
    assert clean_review("x" * MAX_REVIEW) == "x" * MAX_REVIEW
    with pytest.raises(InvalidField) as refused:
        clean_review("x" * (MAX_REVIEW + 1))
    assert refused.value.field == "review"


def test_a_title_that_nobody_rated_has_no_average() -> None:
    assert count_ratings([]).average is None


def test_an_average_is_exact() -> None:
    counted = count_ratings([10, 7, 7])

    assert (counted.count, counted.sum, counted.average) == (3, 24, 8.0)
    assert {number: times for number, times in counted.spread.items() if times} == {7: 2, 10: 1}


@given(st.lists(said), said, said)
def test_a_changed_rating_counts_as_if_all_were_counted_anew(
    others: list[int | None], before: int | None, after: int | None
) -> None:
    counted = count_ratings(others)

    assert with_change(counted, given=[after]) == count_ratings([*others, after])
    assert with_change(count_ratings([*others, before]), gone=[before]) == counted
    changed = with_change(count_ratings([*others, before]), gone=[before], given=[after])
    assert changed == count_ratings([*others, after])


def test_a_review_alone_counts_for_no_average() -> None:
    counted = count_ratings([8, None, 6])

    assert (counted.count, counted.average, counted.unrated) == (2, 7.0, 1)


@given(st.lists(said))
def test_what_a_title_keeps_comes_back(given: list[int | None]) -> None:
    counted = count_ratings(given)
    title = movie(603, **as_fields(counted))

    assert ratings_of(title) == counted
    assert agrees(title, counted)


def test_a_title_that_says_something_else_does_not_agree() -> None:
    fields = as_fields(count_ratings([8, 8]))

    for wrong in ({"rating": 7.0}, {"rating_count": 3}, {"rating_spread": {"8": 1, "7": 1}}):
        assert not agrees(movie(603, **fields | wrong), count_ratings([8, 8]))

"""Decisions about ratings: half stars of five, reviews, and what an average is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from commonroom.errors import InvalidField
from commonroom.texts import fit_lines
from commonroom.titles.tables import Movie, Show

LOWEST, HIGHEST = 1, 10
MAX_REVIEW = 2000


def check_rating(rating: int) -> int:
    """Returns a rating from 1 to 10: as many half stars."""
    if not LOWEST <= rating <= HIGHEST:
        raise InvalidField("rating", "Choose half a star to five stars.")
    return rating


def clean_review(text: str | None) -> str | None:
    """Returns a review as it is kept; None where nothing is said."""
    return fit_lines("review", text, MAX_REVIEW)


class Ratings(Struct, frozen=True):
    """All ratings of a title: how many, their sum, and how often each was given."""

    count: int
    sum: int
    spread: Mapping[int, int]
    unrated: int = 0
    """How many reviews stand alone, which count for nothing else."""

    @property
    def average(self) -> float | None:
        """The average out of ten; None where there are none."""
        return round(self.sum / self.count, 4) if self.count else None


def count_ratings(ratings: Iterable[int | None]) -> Ratings:
    """Ratings counted one by one; None stands for a review alone."""
    said = list(ratings)
    given = [one for one in said if one is not None]
    spread = {number: given.count(number) for number in range(LOWEST, HIGHEST + 1)}
    return Ratings(len(given), sum(given), spread, len(said) - len(given))


def ratings_of(title: Movie | Show) -> Ratings:
    """Returns the ratings that a title says it has."""
    numbers = range(LOWEST, HIGHEST + 1)
    spread = {number: title.rating_spread.get(str(number), 0) for number in numbers}
    return Ratings(title.rating_count, title.rating_sum, spread, title.unrated_review_count)


def agrees(title: Movie | Show, ratings: Ratings) -> bool:
    """Returns whether a title says of its ratings what they are."""
    return ratings_of(title) == ratings and title.rating == ratings.average


def with_change(
    ratings: Ratings, *, gone: Iterable[int | None] = (), given: Iterable[int | None] = ()
) -> Ratings:
    """Returns the ratings of a title once one has changed; None stands for a review alone."""
    spread = dict(ratings.spread)
    count, total, unrated = ratings.count, ratings.sum, ratings.unrated
    for numbers, sign in ((gone, -1), (given, 1)):
        for number in numbers:
            if number is None:
                unrated += sign
                continue
            spread[number] = spread.get(number, 0) + sign
            count, total = count + sign, total + sign * number
    return Ratings(count, total, spread, unrated)


def as_fields(ratings: Ratings) -> dict[str, Any]:
    """Ratings by the names under which a title keeps them."""
    return {
        "rating": ratings.average,
        "rating_count": ratings.count,
        "rating_sum": ratings.sum,
        "rating_spread": {str(number): times for number, times in ratings.spread.items() if times},
        "unrated_review_count": ratings.unrated,
    }

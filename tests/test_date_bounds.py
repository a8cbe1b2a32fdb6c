"""No date that somebody enters is further away than ten years ahead or a hundred back."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from commonroom.date_bounds import check_day, check_moment, is_within_bounds
from commonroom.errors import InvalidField

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("day", [date(2036, 5, 1), date(1926, 5, 1), date(2026, 5, 1)])
def test_within_the_bounds_any_date_will_do(day: date) -> None:
    check_day("day", day, NOW)
    assert is_within_bounds(day, NOW)


@pytest.mark.parametrize(
    "day, words",
    [
        (date(2036, 5, 2), "within the next ten years"),
        (date(9999, 12, 31), "within the next ten years"),
        (date(1926, 4, 30), "within the last hundred years"),
        (date(1, 1, 1), "within the last hundred years"),
    ],
)
def test_beyond_them_it_is_refused_by_its_field(day: date, words: str) -> None:
    with pytest.raises(InvalidField, match=words) as refused:
        check_day("due_date", day, NOW)
    assert refused.value.field == "due_date"
    assert not is_within_bounds(day, NOW)


def test_moments_have_the_same_bounds() -> None:
    check_moment("start", NOW, NOW)
    for years in (11, -101):
        with pytest.raises(InvalidField):
            check_moment("start", NOW + years * 366 * 24 * 3600, NOW)

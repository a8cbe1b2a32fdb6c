"""What is said later stands before what was said earlier."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonroom.hangouts.rules.talk import newest_first_id

MOMENTS = st.integers(0, 10**14)


@given(MOMENTS, MOMENTS)
def test_later_ids_sort_before_earlier_ones(one: int, other: int) -> None:
    first, second = (newest_first_id(moment / 1000) for moment in sorted((one, other)))
    if abs(one - other) > 1:
        assert second < first


def test_two_of_one_moment_are_not_the_same() -> None:
    assert newest_first_id(1.0) != newest_first_id(1.0)

from datetime import UTC, datetime, timedelta, timezone
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.moments import MAX_SKEW_SECONDS, elapsed, in_utc
from tests.support.clocks import SET_BACK


class TestAMomentInUtc:
    @pytest.mark.parametrize(
        "text",
        [
            "2026-05-31T18:00:00Z",
            "2026-05-31T18:00:00.000Z",
            "2026-05-31T20:00:00+02:00",
            "2026-05-31T18:00:00.000999+00:00",
            "20260531T180000Z",
        ],
    )
    def test_writes_a_moment_in_one_way(self, text: str) -> None:
        assert in_utc(text) == "2026-05-31T18:00:00.000Z"

    @given(
        st.lists(
            st.datetimes(datetime(1000, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)),
            min_size=2,
            max_size=2,
        ),
        st.integers(-23, 23),
    )
    def test_sorts_as_moments_do(self, moments: list[datetime], hours: int) -> None:
        elsewhere = timezone(timedelta(hours=hours))
        one, other = (moment.replace(microsecond=0) for moment in moments)
        texts = [
            in_utc(one.isoformat()),
            in_utc(other.astimezone(elsewhere).isoformat()),
        ]

        assert (texts[0] < texts[1]) is (one < other)

    @pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01T00:00:00Z", "18:00"])
    def test_refuses_what_is_no_moment(self, text: str) -> None:
        with pytest.raises(ValueError, match="no date and time"):
            in_utc(text)

    def test_refuses_a_moment_that_could_be_anywhere(self) -> None:
        with pytest.raises(ValueError, match="time zone"):
            in_utc("2026-05-31T18:00:00")

    @pytest.mark.parametrize("text", ["0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00"])
    def test_refuses_a_moment_before_or_after_all_years(self, text: str) -> None:
        with pytest.raises(ValueError, match="outside the years"):
            in_utc(text)


class TestElapsed:
    def test_is_how_long_ago_a_moment_was_or_may_have_been_by_another_clock(self) -> None:
        assert elapsed(1000.0, 1010.0) == 10.0
        assert elapsed(1000.0 + MAX_SKEW_SECONDS, 1000.0) == -MAX_SKEW_SECONDS

    @pytest.mark.parametrize("ahead", SET_BACK)
    def test_has_no_end_for_a_moment_of_a_clock_set_back_since(self, ahead: float) -> None:
        assert elapsed(1000.0 + ahead, 1000.0) == inf

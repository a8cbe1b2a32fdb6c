"""Moments that people type become fit to be kept, or are refused."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.moments import iso
from commonroom.shareables.rules.lifecycle import check_dates, moment
from commonroom.shareables.tables.not_known import DAY

NOW = 1_780_000_000.0
YEAR = 365 * DAY


class TestMoments:
    def test_a_moment_is_kept_in_utc(self) -> None:
        assert moment("at", "2026-07-01T18:00+02:00") == "2026-07-01T16:00:00.000Z"

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            "soon",
            "2026-07-01",
            "2026-07-01T18:00",
            "9999-12-31T23:59-14:00",
            "9999-12-31T23:59Z",  # tomorrow, east of Greenwich, no calendar has
            "0001-01-01T00:00Z",
        ],
    )
    def test_what_is_no_moment_is_refused(self, typed: str) -> None:
        with pytest.raises(InvalidField):
            moment("at", typed)


class TestBounds:
    @pytest.mark.parametrize("field", ["start_time", "end_time"])
    def test_an_event_of_guests_ends_within_two_years(self, field: str) -> None:
        check_dates(NOW, {field: iso(NOW + 2 * YEAR)}, is_guests=True, confirm_past=True)
        later = {field: iso(NOW + 2 * YEAR + DAY)}
        with pytest.raises(InvalidField, match="two years") as refused:
            check_dates(NOW, later, is_guests=True, confirm_past=True)
        assert refused.value.field == field
        check_dates(NOW, later, is_guests=False, confirm_past=True)

    @pytest.mark.parametrize("field", ["start_time", "end_time", "rsvp_deadline", "closes_at"])
    @pytest.mark.parametrize("years", [11, -101])
    def test_no_date_is_further_away_than_any_can_be(self, field: str, years: int) -> None:
        with pytest.raises(InvalidField) as refused:
            check_dates(NOW, {field: iso(NOW + years * YEAR)}, is_guests=False, confirm_past=True)
        assert refused.value.field == field

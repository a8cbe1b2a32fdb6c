"""Times are what people mean by them: exact or a part of the day, also when the clocks change."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import InvalidField
from commonroom.hangouts.rules.times import (
    DAY,
    HOUR,
    MAX_DURATION,
    PERIOD_HOURS,
    entered_moment,
    new_time_span,
    phase,
    span_of_moments,
    time_span,
)
from commonroom.hangouts.tables import EnteredTime, Period

ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]


def at(text: str, zone: str = "Europe/Berlin") -> EnteredTime:
    return EnteredTime(start_time=text, time_zone=zone)


def moment(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


class TestExact:
    def test_without_an_end_it_takes_two_hours(self) -> None:
        span = time_span(at("2026-05-01T19:00:00+02:00"))
        assert (span.start, span.end) == (moment("2026-05-01T17:00Z"), moment("2026-05-01T19:00Z"))
        assert span.entered.end_time is None

    def test_it_keeps_what_was_entered(self) -> None:
        entered = EnteredTime(
            start_time="2026-05-01T19:00+02:00",
            end_time="2026-05-01T23:00+02:00",
            time_zone="Europe/Berlin",
        )
        assert time_span(entered).entered == entered

    def test_the_zone_of_whoever_enters_it_stands_in_for_a_missing_one(self) -> None:
        entered = EnteredTime(start_time="2026-05-01T19:00+02:00")
        assert time_span(entered, "Europe/Paris").entered.time_zone == "Europe/Paris"
        assert time_span(entered).entered.time_zone == "UTC"

    @pytest.mark.parametrize(
        "entered, field",
        [
            (EnteredTime(), "time.start_time"),
            (at("tomorrow"), "time.start_time"),
            (at("2026-05-01T19:00:00"), "time.start_time"),
            (at("1999-05-01T19:00:00+02:00"), "time.start_time"),
            (at("3000-05-01T19:00:00+02:00"), "time.start_time"),
            (at("2026-05-01T19:00:00+02:00", "Mars/Olympus"), "time_zone"),
            (EnteredTime(period_start="2026-05-01T19:00:00+02:00"), "time.period"),
            (EnteredTime(period="evening"), "time.period_start"),
            (
                EnteredTime(period="evening", start_time="2026-05-01T19:00:00+02:00"),
                "time.period",
            ),
        ],
    )
    def test_what_is_no_time_is_refused_by_its_field(
        self, entered: EnteredTime, field: str
    ) -> None:
        with pytest.raises(InvalidField) as refused:
            time_span(entered)
        assert refused.value.field == field

    @pytest.mark.parametrize("year, fits", [(2000, True), (2036, True), (2037, False)])
    def test_what_is_entered_now_is_within_ten_years(self, year: int, fits: bool) -> None:
        now = datetime(2026, 6, 1, tzinfo=UTC).timestamp()
        start = f"{year}-05-01T18:00:00+00:00"
        for entered in (at(start), EnteredTime(period="evening", period_start=start)):
            if fits:
                assert new_time_span(entered, None, now) == time_span(entered)
                continue
            with pytest.raises(InvalidField, match="ten years"):
                new_time_span(entered, None, now)

    @pytest.mark.parametrize(
        "end, fits",
        [
            ("2026-05-01T19:00:00+02:00", False),
            ("2026-05-01T18:00:01+01:00", True),
            ("2026-06-01T19:00:00+02:00", True),
            ("2026-06-01T19:00:01+02:00", False),
        ],
    )
    def test_it_ends_after_it_starts_and_within_a_month(self, end: str, fits: bool) -> None:
        entered = EnteredTime(start_time="2026-05-01T19:00:00+02:00", end_time=end)
        if fits:
            assert time_span(entered).end - time_span(entered).start <= MAX_DURATION
        else:
            with pytest.raises(InvalidField):
                time_span(entered)


class TestOfMomentsAlone:
    def test_a_start_is_a_time_in_utc_without_an_end(self) -> None:
        span = span_of_moments(1_900_000_000, None)
        assert span is not None
        assert span.entered == EnteredTime(start_time="2030-03-17T17:46:40+00:00", time_zone="UTC")
        assert (span.start, span.end) == (1_900_000_000, 1_900_000_000 + 2 * HOUR)

    def test_an_end_stays(self) -> None:
        span = span_of_moments(1_900_000_000, 1_900_003_600)
        assert span is not None
        assert span.end == 1_900_003_600

    @pytest.mark.parametrize("start", [0, -(10**12), 1_900_000_000_000, 10**30])
    def test_what_is_no_moment_of_a_hangout_is_none(self, start: int) -> None:
        assert span_of_moments(start, None) is None


class TestPeriods:
    @pytest.mark.parametrize("period, hours", PERIOD_HOURS.items())
    def test_each_has_its_length(self, period: Period, hours: int) -> None:
        entered = EnteredTime(
            period=period, period_start="2026-05-02T09:00+02:00", time_zone="Europe/Berlin"
        )
        span = time_span(entered)
        assert span.end - span.start == hours * HOUR

    @pytest.mark.parametrize(
        "zone, start, hours",
        [
            ("Europe/Berlin", "2026-03-28T22:00:00+01:00", 7),
            ("Europe/Berlin", "2026-10-24T22:00:00+02:00", 9),
            ("America/New_York", "2026-03-07T22:00:00-05:00", 7),
            ("America/New_York", "2026-10-31T22:00:00-04:00", 9),
            ("Australia/Lord_Howe", "2026-10-03T22:00:00+10:30", 7.5),
            ("Australia/Lord_Howe", "2026-04-04T22:00:00+11:00", 8.5),
        ],
    )
    def test_a_night_ends_at_six_also_when_the_clocks_change(
        self, zone: str, start: str, hours: float
    ) -> None:
        entered = EnteredTime(period="night", period_start=start, time_zone=zone)
        span = time_span(entered)
        assert span.end - span.start == hours * HOUR
        assert datetime.fromtimestamp(span.end, ZoneInfo(zone)).hour == 6

    @pytest.mark.parametrize(
        "start, days", [("2026-03-28T00:00+01:00", 47), ("2026-10-24T00:00+02:00", 49)]
    )
    def test_a_weekend_ends_on_monday_at_midnight(self, start: str, days: int) -> None:
        entered = EnteredTime(period="weekend", period_start=start, time_zone="Europe/Berlin")
        span = time_span(entered)
        assert span.end - span.start == days * HOUR

    @given(st.integers(0, 2 * 365 * DAY), st.sampled_from(ZONES), st.sampled_from([*PERIOD_HOURS]))
    def test_it_always_ends_after_its_start(self, offset: int, zone: str, period: Period) -> None:
        start = moment("2026-01-01T00:00Z") + offset
        entered = EnteredTime(
            period=period, period_start=entered_moment(start, zone), time_zone=zone
        )
        span = time_span(entered)
        assert span.start == start
        assert abs(span.end - span.start - PERIOD_HOURS[period] * HOUR) <= HOUR


class TestClockChanges:
    @pytest.mark.parametrize("zone", ZONES)
    def test_both_hours_that_a_clock_shows_twice_are_kept_apart(self, zone: str) -> None:
        night = {"Europe/Berlin": "2026-10-25T02:30", "America/New_York": "2026-11-01T01:30"}
        local = datetime.fromisoformat(night.get(zone, "2026-04-05T01:45"))
        first, second = (
            local.replace(tzinfo=ZoneInfo(zone), fold=fold).isoformat() for fold in (0, 1)
        )
        assert time_span(at(second, zone)).start > time_span(at(first, zone)).start

    def test_a_moment_is_written_with_the_offset_of_its_day(self) -> None:
        assert entered_moment(moment("2026-07-01T10:00Z"), "Europe/Berlin") == (
            "2026-07-01T12:00:00+02:00"
        )
        assert entered_moment(moment("2026-01-01T10:00Z"), "Europe/Berlin") == (
            "2026-01-01T11:00:00+01:00"
        )


@pytest.mark.parametrize(
    "start, end, expected",
    [
        (None, None, "floating"),
        (101, 200, "upcoming"),
        (100, 200, "in_progress"),
        (50, 101, "in_progress"),
        (50, 100, "past"),
        (50, None, "past"),
    ],
)
def test_a_hangout_is_before_during_or_after(
    start: int | None, end: int | None, expected: str
) -> None:
    assert phase(start, end, 100) == expected

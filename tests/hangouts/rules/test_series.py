"""What repeats is on the dates that people mean, at the time that their clocks show."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import InvalidField
from commonroom.hangouts.rules.series import date_of, dates, next_date, repetition, time_on
from commonroom.hangouts.rules.times import time_span
from commonroom.hangouts.tables import EnteredTime, Frequency, Repetition

FAR = date(2100, 1, 1)
NOW = datetime(2026, 5, 1, tzinfo=UTC).timestamp()


def some(frequency: Frequency, first: date, number: int = 4) -> list[str]:
    found = dates(first, Repetition(frequency=frequency), FAR)
    return [one.isoformat() for one in islice(found, number)]


class TestDates:
    def test_days_and_weeks(self) -> None:
        thursday = date(2026, 10, 22)
        assert some("DAILY", thursday, 2) == ["2026-10-22", "2026-10-23"]
        assert some("WEEKLY", thursday, 3) == ["2026-10-22", "2026-10-29", "2026-11-05"]
        assert some("EVERY_OTHER_WEEK", thursday, 2) == ["2026-10-22", "2026-11-05"]

    def test_the_same_day_of_the_month_or_its_last(self) -> None:
        assert some("MONTHLY_BY_DAY", date(2027, 1, 15), 2) == ["2027-01-15", "2027-02-15"]
        assert some("MONTHLY_BY_DAY", date(2027, 1, 31)) == [
            "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30",
        ]  # fmt: skip
        assert some("MONTHLY_BY_DAY", date(2028, 1, 30), 3) == [
            "2028-01-30", "2028-02-29", "2028-03-30",
        ]  # fmt: skip

    def test_the_same_weekday_of_the_month_a_fifth_being_the_last(self) -> None:
        second_friday, fifth_thursday = date(2026, 10, 9), date(2026, 10, 29)
        assert some("MONTHLY_BY_WEEKDAY", second_friday, 3) == [
            "2026-10-09", "2026-11-13", "2026-12-11",
        ]  # fmt: skip
        assert some("MONTHLY_BY_WEEKDAY", fifth_thursday, 3) == [
            "2026-10-29", "2026-11-26", "2026-12-31",
        ]  # fmt: skip

    def test_until_a_day_or_so_many_times(self) -> None:
        first = date(2026, 5, 1)
        until = Repetition(frequency="WEEKLY", until="2026-05-15")
        assert len(list(dates(first, until, FAR))) == 3
        assert len(list(dates(first, Repetition(frequency="WEEKLY", times=5), FAR))) == 5
        assert next_date(first, until, date(2026, 5, 15)) is None
        assert next_date(first, until, date(2026, 5, 8)) == date(2026, 5, 15)

    @given(
        st.dates(date(2026, 1, 1), date(2030, 12, 31)),
        st.sampled_from(
            ["DAILY", "WEEKLY", "EVERY_OTHER_WEEK", "MONTHLY_BY_DAY", "MONTHLY_BY_WEEKDAY"]
        ),
    )
    def test_the_first_is_always_among_them_and_none_is_skipped(
        self, first: date, frequency: Frequency
    ) -> None:
        rule = Repetition(frequency=frequency)
        found = list(islice(dates(first, rule, FAR), 14))
        assert found[0] == first
        longest = {"DAILY": 1, "WEEKLY": 7, "EVERY_OTHER_WEEK": 14}.get(frequency, 35)
        gaps = [later - one for one, later in pairwise(found)]
        assert all(timedelta() < gap <= timedelta(days=longest) for gap in gaps)
        assert next_date(first, rule, found[5]) == found[6]

    @pytest.mark.parametrize(
        "wrong",
        [
            Repetition(frequency="DAILY", times=1),
            Repetition(frequency="DAILY", times=5, until="2026-06-01"),
            Repetition(frequency="DAILY", until="2026-04-30"),
            Repetition(frequency="DAILY", until="2036-06-30"),
            Repetition(frequency="DAILY", until="soon"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, wrong: Repetition) -> None:
        with pytest.raises(InvalidField):
            repetition(wrong, date(2026, 5, 1), NOW)


class TestTimes:
    @pytest.mark.parametrize(
        "zone, first, days",
        [
            ("Europe/Berlin", date(2026, 3, 26), ("2026-03-29", "2026-10-25")),
            ("America/New_York", date(2026, 3, 5), ("2026-03-08", "2026-11-01")),
            ("Australia/Lord_Howe", date(2026, 4, 2), ("2026-04-05", "2026-10-04")),
        ],
    )
    def test_clocks_show_the_same_before_and_after_they_change(
        self, zone: str, first: date, days: tuple[str, str]
    ) -> None:
        there = ZoneInfo(zone)
        start = datetime(first.year, first.month, first.day, 19, tzinfo=there)
        entered = EnteredTime(
            start_time=start.isoformat(),
            end_time=(start + timedelta(hours=4)).isoformat(),
            time_zone=zone,
        )
        offsets = set()
        for text in days:
            for away in (-1, 0, 1):
                day = date.fromisoformat(text) + timedelta(days=away)
                on = time_on(entered, day)
                assert date_of(on) == day
                read = datetime.fromisoformat(on.start_time or "")
                assert (read.hour, read.minute) == (19, 0)
                assert datetime.fromisoformat(on.end_time or "").hour == 23
                assert read == datetime(day.year, day.month, day.day, 19, tzinfo=there)
                offsets.add(read.utcoffset())
        assert len(offsets) == 2

    def test_a_time_that_the_clocks_leave_out_is_an_hour_later_that_day(self) -> None:
        entered = EnteredTime(
            start_time="2026-03-22T02:30:00+01:00",
            end_time="2026-03-22T02:45:00+01:00",
            time_zone="Europe/Berlin",
        )
        on = time_on(entered, date(2026, 3, 29))
        assert (on.start_time, on.end_time) == (
            "2026-03-29T03:30:00+02:00",
            "2026-03-29T03:45:00+02:00",
        )
        assert time_on(on, date(2026, 4, 5)).start_time == "2026-04-05T03:30:00+02:00"

    def test_one_that_clocks_show_twice_is_the_first(self) -> None:
        entered = EnteredTime(start_time="2026-10-18T02:30:00+02:00", time_zone="Europe/Berlin")
        assert time_on(entered, date(2026, 10, 25)).start_time == "2026-10-25T02:30:00+02:00"

    def test_an_end_that_would_come_before_its_start_keeps_its_length(self) -> None:
        entered = EnteredTime(
            start_time="2026-03-22T02:30:00+01:00",
            end_time="2026-03-22T03:15:00+01:00",
            time_zone="Europe/Berlin",
        )
        span = time_span(time_on(entered, date(2026, 3, 29)))
        assert span.end - span.start == 45 * 60

    def test_parts_of_days_stay_parts_of_days(self) -> None:
        entered = EnteredTime(
            period="night", period_start="2026-10-18T22:00:00+02:00", time_zone="Europe/Berlin"
        )
        on = time_on(entered, date(2026, 10, 25))
        assert on.period == "night"
        assert on.period_start == "2026-10-25T22:00:00+01:00"

    def test_what_has_no_day_cannot_repeat(self) -> None:
        with pytest.raises(InvalidField):
            date_of(EnteredTime(time_zone="UTC"))

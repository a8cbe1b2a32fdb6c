"""Until when something is lent, as one chooses it and as pages say it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.library.pages.loan_cards import chosen_due_date, due_day

DAYS = st.dates(date(2000, 1, 1), date(2099, 1, 1))


def living_in(zone: str | None) -> User:
    """Somebody who lives somewhere."""
    return User(user_id="u-1", display_name="Ada", created_at="", time_zone=zone)


def noon(day: date) -> float:
    """The middle of a day in London."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp()


class TestChoosing:
    @given(DAYS)
    def test_a_month_later_is_the_same_day_or_the_last_of_the_next_month(self, day: date) -> None:
        later = date.fromisoformat(chosen_due_date("1-month", "", noon(day), living_in(None)) or "")
        assert later.day == day.day or (later + timedelta(1)).day == 1
        assert (later.year * 12 + later.month) - (day.year * 12 + day.month) == 1

    @pytest.mark.parametrize(
        "day, later",
        [("2026-01-31", "2026-02-28"), ("2028-01-31", "2028-02-29"), ("2026-12-05", "2027-01-05")],
    )
    def test_such_as(self, day: str, later: str) -> None:
        now = noon(date.fromisoformat(day))
        assert chosen_due_date("1-month", "", now, living_in(None)) == later

    def test_days_are_counted_where_somebody_lives(self) -> None:
        now = noon(date(2026, 5, 1))  # in Auckland the next day has begun
        assert chosen_due_date("2-weeks", "", now, living_in("Pacific/Auckland")) == "2026-05-16"
        assert chosen_due_date("2-weeks", "", now, living_in("America/Lima")) == "2026-05-15"

    def test_a_day_that_was_typed_counts_only_where_one_is_chosen(self) -> None:
        now, ada = noon(date(2026, 5, 1)), living_in(None)
        assert chosen_due_date("day", " 2026-05-31 ", now, ada) == "2026-05-31"
        assert chosen_due_date("", "2026-05-31", now, ada) is None
        with pytest.raises(InvalidField):
            chosen_due_date("day", " ", now, ada)


class TestSaying:
    @pytest.mark.parametrize(
        "due, words",
        [
            ("2026-04-28", "3 days overdue"),
            ("2026-04-30", "1 day overdue"),
            ("2026-05-01", "due today"),
            ("2026-05-02", "due tomorrow"),
            ("2026-05-06", "due in 5 days"),
        ],
    )
    def test_when_it_should_be_back(self, due: str, words: str) -> None:
        shown = due_day(due, noon(date(2026, 5, 1)), living_in("Europe/London"))
        assert shown is not None
        assert shown.words == words
        assert shown.is_overdue is words.endswith("overdue")

    @given(DAYS, st.sampled_from(["Pacific/Auckland", "Pacific/Kiritimati", "America/Adak", None]))
    def test_its_moment_is_on_that_day_wherever_one_lives(
        self, day: date, zone: str | None
    ) -> None:
        shown = due_day(day.isoformat(), noon(date(2026, 5, 1)), living_in(zone))
        assert shown is not None
        there = ZoneInfo(zone) if zone else UTC
        assert datetime.fromtimestamp(shown.moment, there).date() == day

    def test_without_a_date_there_is_nothing_to_say(self) -> None:
        assert due_day(None, 0, living_in(None)) is None

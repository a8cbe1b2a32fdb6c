"""When something is due, and loans told as pairs."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.library.rules.loans import (
    Loan,
    chosen_due_date,
    due_date,
    is_overdue,
    next_moment,
    overdue_from,
    pair_loans,
    today,
)
from commonroom.library.tables import Book, LoanEvent
from commonroom.moments import iso, seconds

DAYS = st.dates(date(2000, 1, 1), date(2099, 1, 1))
NOON = seconds("2026-05-31T12:00:00.000Z")
PLACE: dict[str, Any] = {"owner_id": "O", "library_id": "L", "item_id": "I"}


def person(time_zone: str | None = None) -> User:
    return User(user_id="u", display_name="Ada", created_at=iso(NOON), time_zone=time_zone)


def event(
    kind: Literal["LENT", "RETURNED"], at: str, who: str = "Ben", lent_at: str | None = None
) -> LoanEvent:
    return LoanEvent(**PLACE, type=kind, event=who, updated_at=at, lent_at=lent_at)


def noon(day: date) -> float:
    """The middle of a day in London."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp()


NOW = noon(date(2026, 5, 1))


class TestADueDate:
    @pytest.mark.parametrize("text", [None, ""])
    def test_can_be_missing(self, text: str | None) -> None:
        assert due_date(text, NOW) is None

    def test_is_a_day(self) -> None:
        assert due_date("2026-05-31", NOW) == "2026-05-31"

    @pytest.mark.parametrize(
        "text", ["tomorrow", "2026-02-30", "20260531", "2026-W22-7", "2037-01-01", "1925-01-01"]
    )
    def test_is_nothing_else(self, text: str) -> None:
        with pytest.raises(InvalidField):
            due_date(text, NOW)

    def test_ends_where_the_owner_lives(self) -> None:
        assert iso(overdue_from("2026-05-31", person())) == "2026-06-01T00:00:00.000Z"
        assert (
            iso(overdue_from("2026-05-31", person("Europe/Berlin"))) == "2026-05-31T22:00:00.000Z"
        )

    def test_is_a_day_of_whoever_asks(self) -> None:
        late = seconds("2026-05-31T23:30:00.000Z")
        assert today(late, person()) == "2026-05-31"
        assert today(late, person("Europe/Berlin")) == "2026-06-01"

    @pytest.mark.parametrize(
        "lent_to, due, overdue",
        [
            ("Ben", "2026-05-30", True),
            ("Ben", "2026-05-31", False),
            ("Ben", None, False),
            (None, "2026-05-30", False),
        ],
    )
    def test_is_over_the_day_after(
        self, lent_to: str | None, due: str | None, overdue: bool
    ) -> None:
        book = Book(**PLACE, account_id="u", title="T", lent_to=lent_to, due_date=due)
        assert is_overdue(book, "2026-05-31") is overdue


class TestChoosingADueDate:
    @given(DAYS)
    def test_a_month_later_is_the_same_day_or_the_last_of_the_next_month(self, day: date) -> None:
        later = date.fromisoformat(chosen_due_date("1-month", "", noon(day), person(None)) or "")
        assert later.day == day.day or (later + timedelta(1)).day == 1
        assert (later.year * 12 + later.month) - (day.year * 12 + day.month) == 1

    @pytest.mark.parametrize(
        "day, later",
        [("2026-01-31", "2026-02-28"), ("2028-01-31", "2028-02-29"), ("2026-12-05", "2027-01-05")],
    )
    def test_such_as(self, day: str, later: str) -> None:
        now = noon(date.fromisoformat(day))
        assert chosen_due_date("1-month", "", now, person(None)) == later

    def test_days_are_counted_where_somebody_lives(self) -> None:
        now = noon(date(2026, 5, 1))  # in Auckland the next day has begun
        assert chosen_due_date("2-weeks", "", now, person("Pacific/Auckland")) == "2026-05-16"
        assert chosen_due_date("2-weeks", "", now, person("America/Lima")) == "2026-05-15"

    def test_a_day_that_was_typed_counts_only_where_one_is_chosen(self) -> None:
        now, ada = noon(date(2026, 5, 1)), person(None)
        assert chosen_due_date("day", " 2026-05-31 ", now, ada) == "2026-05-31"
        assert chosen_due_date("", "2026-05-31", now, ada) is None
        with pytest.raises(InvalidField):
            chosen_due_date("day", " ", now, ada)


class TestTheNextMoment:
    @given(now=st.sampled_from([NOON, 10.0**10]), ahead=st.integers(-5000, 5000))
    def test_comes_after_the_last_whatever_a_clock_says(self, now: float, ahead: int) -> None:
        last = iso(now + ahead / 1000)
        assert next_moment(now, last) > last
        assert next_moment(now, last) >= iso(now)

    def test_is_now_where_nothing_happened_before(self) -> None:
        assert next_moment(NOON, None) == iso(NOON)


class TestLoans:
    FIRST = iso(NOON)
    SECOND = iso(NOON + 86400)
    THIRD = iso(NOON + 2 * 86400)

    def test_are_told_as_pairs_with_how_long_they_lasted(self) -> None:
        told = pair_loans(
            [
                event("LENT", self.THIRD, "Eve"),
                event("RETURNED", self.SECOND, lent_at=self.FIRST),
                event("LENT", self.FIRST),
            ],
            self.THIRD,
        )
        assert told == [
            Loan("Eve", self.THIRD, None, None),
            Loan("Ben", self.FIRST, self.SECOND, None),
        ]
        assert [one.lasted for one in told] == [None, 86400]

    def test_are_told_whole_on_the_page_of_their_return(self) -> None:
        before = pair_loans([event("RETURNED", self.SECOND, lent_at=self.FIRST)], None)
        after = pair_loans([event("LENT", self.FIRST)], None)
        assert before == [Loan("Ben", self.FIRST, self.SECOND, None)]
        assert after == []

    def test_of_earlier_versions_are_paired_by_what_stands_before(self) -> None:
        told = pair_loans([event("RETURNED", self.SECOND), event("LENT", self.FIRST)], None)
        assert told == [Loan("Ben", self.FIRST, self.SECOND, None)]

    def test_whose_beginning_nobody_knows_have_no_duration(self) -> None:
        (told,) = pair_loans([event("RETURNED", self.SECOND)], None)
        assert told.lasted is None

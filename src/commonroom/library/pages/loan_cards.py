"""Loans as pages show them: who has it, since when, until when, and due dates to choose."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.library import words
from commonroom.library.rules.loans import overdue_from, today
from commonroom.library.tables import Book, Video
from commonroom.moments import seconds

SOON = 7
HALF_A_DAY = 12 * 3600


class LoanCard(Struct, frozen=True):
    """A loan that lasts."""

    borrower: str
    since: str | None
    lasted: str | None
    """For how long, in words; None on the first day."""
    due: DueDay | None
    has_account: bool
    """Whether the borrower sees it among what they borrowed."""

    @property
    def is_overdue(self) -> bool:
        """Whether it should be back already."""
        return self.due is not None and self.due.is_overdue


def loan_of(item: Book | Video, now: float, reader: User) -> LoanCard | None:
    """The loan of an item as whoever looks may see it; None where it stands on the shelf."""
    if item.lent_to is None:
        return None
    passed = 0.0 if item.lent_at is None else now - seconds(item.lent_at)
    return LoanCard(
        item.lent_to,
        item.lent_at,
        words.duration(passed) if passed >= words.DAY else None,
        due_day(item.due_date, now, reader),
        item.borrower_id is not None,
    )


Choice: TypeAlias = Literal["", "2-weeks", "1-month", "day"]
"""What a form offers: no date, one of two usual ones, or a day that is typed."""


class DueDay(Struct, frozen=True):
    """The day on which something should be back, seen from where the reader lives."""

    date: str
    moment: float
    """In the middle of that day there, for whoever writes it out."""
    days: int
    """How many days are left; below 0 where it is overdue."""

    @property
    def is_overdue(self) -> bool:
        """Whether it should be back already."""
        return self.days < 0

    @property
    def is_soon(self) -> bool:
        """Whether it should be back within a week."""
        return 0 <= self.days <= SOON

    @property
    def words(self) -> str:
        """When that is, such as `due in 5 days`."""
        return words.due_in_words(self.days)


def due_day(due: str | None, now: float, reader: User) -> DueDay | None:
    """A due date as it is shown; None where there is none."""
    if due is None:
        return None
    left = date.fromisoformat(due) - date.fromisoformat(today(now, reader))
    return DueDay(due, overdue_from(due, reader) - HALF_A_DAY, left.days)


def chosen_due_date(choice: Choice, typed: str, now: float, person: User) -> str | None:
    """The due date that somebody chose; None for none."""
    day = date.fromisoformat(today(now, person))
    match choice:
        case "2-weeks":
            return (day + timedelta(weeks=2)).isoformat()
        case "1-month":
            return _month_later(day).isoformat()
        case "day":
            if not typed.strip():
                raise InvalidField("due_date", "Choose a due date.")
            return typed.strip()
    return None


def _month_later(day: date) -> date:
    """The same day of the next month, or its last one."""
    year, month = divmod(12 * day.year + day.month, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))

"""Until when something is lent: as one chooses it, and as pages say it."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Literal, TypeAlias

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.library import loan_words
from commonroom.library.rules.lending import overdue_from, today

Choice: TypeAlias = Literal["", "2-weeks", "1-month", "day"]
"""What a form offers: no date, one of two usual ones, or a day that is typed."""

SOON = 7
HALF_A_DAY = 12 * 3600


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
        return loan_words.due(self.days)


def due_day(due: str | None, now: float, reader: User) -> DueDay | None:
    """A due date as it is shown; None where there is none."""
    if due is None:
        return None
    left = date.fromisoformat(due) - date.fromisoformat(today(now, reader))
    return DueDay(due, overdue_from(due, reader) - HALF_A_DAY, left.days)


def chosen(choice: Choice, typed: str, now: float, person: User) -> str | None:
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

"""Decisions about loans: when something is due, and which events are one loan."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.date_bounds import check_day
from commonroom.errors import InvalidField
from commonroom.library.tables import Book, LoanEvent, Video
from commonroom.moments import in_utc, iso, seconds

DueChoice: TypeAlias = Literal["", "2-weeks", "1-month", "day"]
"""What a form offers: no date, one of two usual ones, or a day that is typed."""


class Loan(Struct, frozen=True):
    """One loan: from lending to return; without a return while it lasts."""

    borrower: str
    lent_at: str | None
    """None where only the return is known."""
    returned_at: str | None
    due_date: str | None

    @property
    def lasted(self) -> float | None:
        """For how many seconds; None while it lasts, or where nobody knows when it began."""
        if self.lent_at is None or self.returned_at is None:
            return None
        return seconds(self.returned_at) - seconds(self.lent_at)


def due_date(text: str | None, now: float) -> str | None:
    """Returns the day on which something should be back, such as 2026-05-31."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise InvalidField("due_date", "Choose a valid due date.") from None
    if text != day.isoformat():
        raise InvalidField("due_date", "Choose a valid due date.")
    check_day("due_date", day, now)
    return text


def chosen_due_date(choice: DueChoice, typed: str, now: float, person: User) -> str | None:
    """Returns the chosen due date; None for none."""
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


def overdue_from(due: str, owner: User) -> float:
    """The moment from which something is overdue: the end of its day, where the owner lives."""
    next_day = date.fromisoformat(due) + timedelta(days=1)
    return datetime.combine(next_day, time(), _zone(owner)).timestamp()


def is_overdue(item: Book | Video, today: str) -> bool:
    """Returns whether something that is lent should be back."""
    return item.lent_to is not None and item.due_date is not None and item.due_date < today


def today(now: float, person: User) -> str:
    """Returns the day that it is where a person lives."""
    return datetime.fromtimestamp(now, _zone(person)).date().isoformat()


def next_moment(now: float, last: str | None) -> str:
    """Now, or a millisecond after what happened last where a clock says that this is still to come.

    So events of an item never fall on one instant, and stand in the order in which they happened.
    """
    if last is None:
        return iso(now)
    after = datetime.fromisoformat(last) + timedelta(milliseconds=1)
    return max(iso(now), in_utc(after.isoformat()))


def pair_loans(events: Sequence[LoanEvent], open_since: str | None) -> list[Loan]:
    """Loans out of a part of a history, the newest first.

    A return says which loan it ends, so of what was lent only the loan that still lasts is told by
    itself; where an earlier version did not say it, a return is told with what was lent before.
    """
    told: list[Loan] = []
    for number, event in enumerate(events):
        if event.type == "RETURNED":
            told.append(_ended(event, events[number + 1] if number + 1 < len(events) else None))
        elif event.updated_at == open_since:
            told.append(Loan(event.event, event.updated_at, None, event.due_date))
    return told


def _ended(returned: LoanEvent, before: LoanEvent | None) -> Loan:
    lent_at, due = returned.lent_at, returned.due_date
    if lent_at is None and before is not None and before.type == "LENT":
        lent_at, due = before.updated_at, before.due_date
    return Loan(returned.event, lent_at, returned.updated_at, due)


def _zone(person: User) -> tzinfo:
    return ZoneInfo(person.time_zone) if person.time_zone else UTC


def _month_later(day: date) -> date:
    """Returns that day of the next month, or the month's last one."""
    year, month = divmod(12 * day.year + day.month, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))

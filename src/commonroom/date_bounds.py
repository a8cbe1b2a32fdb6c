"""Date bounds: how far from now any entered date can be, whatever it is the date of.

What is stored is older than this rule at times, and is shown as it is.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from commonroom.errors import InvalidField

MAX_AHEAD = timedelta(days=3653)
MAX_BACK = timedelta(days=36_525)


def check_moment(field: str, moment: float, now: float) -> None:
    """Refuses a moment, in seconds since 1970, that is too far away."""
    if moment > now + MAX_AHEAD.total_seconds():
        raise InvalidField(field, "Choose a date within the next ten years.")
    if moment < now - MAX_BACK.total_seconds():
        raise InvalidField(field, "Choose a date within the last hundred years.")


def check_day(field: str, day: date, now: float) -> None:
    """Refuses a day that is too far away."""
    midday = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    check_moment(field, midday.timestamp(), now)


def is_within_bounds(day: date, now: float) -> bool:
    """Whether a day is not too far away."""
    try:
        check_day("", day, now)
    except InvalidField:
        return False
    return True

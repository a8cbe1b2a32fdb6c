"""Times of hangouts: exact, or a part of a day; a hangout without one is floating."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.rules import time_zone
from commonroom.date_bounds import check_moment
from commonroom.errors import InvalidField
from commonroom.hangouts.tables import EnteredTime, HangoutSummary, Period

HOUR, DAY = 3600, 24 * 3600
WITHOUT_END = 2 * HOUR
"""How long a hangout takes where nobody said."""
MAX_DURATION = 31 * DAY
PERIOD_HOURS: dict[Period, int] = {
    "morning": 4,
    "afternoon": 4,
    "evening": 4,
    "night": 8,
    "day": 12,
    "weekend": 48,
}
PERIOD_STARTS: dict[Period, int] = {
    "morning": 8,
    "afternoon": 13,
    "evening": 18,
    "night": 22,
    "day": 9,
    "weekend": 0,
}
"""The hour at which a period begins where only its day was chosen; a weekend's, on a Saturday."""
FIRST_YEAR, LAST_YEAR = 2000, 2999

Phase: TypeAlias = Literal["floating", "upcoming", "in_progress", "past"]


class TimeSpan(Struct, frozen=True):
    """A hangout's time as it is stored: what was entered, and from when to when that is."""

    entered: EnteredTime
    start: int
    """Epoch seconds."""
    end: int


def time_span(entered: EnteredTime, default_zone: str | None = None) -> TimeSpan:
    """Returns what an entered time comes to; refused where it cannot be one."""
    zone = time_zone(entered.time_zone or default_zone or "UTC")
    entered = replace(entered, time_zone=zone)
    if entered.period is None:
        return _exact(entered)
    return _fuzzy(entered, ZoneInfo(zone))


def new_time_span(entered: EnteredTime, default_zone: str | None, now: float) -> TimeSpan:
    """Returns what an entered time comes to; refused where it is too far away as well."""
    span = time_span(entered, default_zone)
    field = "time.start_time" if entered.period is None else "time.period_start"
    check_moment(field, span.start, now)
    return span


def _exact(entered: EnteredTime) -> TimeSpan:
    if entered.period_start is not None:
        raise InvalidField("time.period", "Choose a part of the day.")
    if entered.start_time is None:
        raise InvalidField("time.start_time", "Enter a start.")
    start = _moment("time.start_time", entered.start_time)
    if entered.end_time is None:
        return TimeSpan(entered, start, start + WITHOUT_END)
    end = _moment("time.end_time", entered.end_time)
    if end <= start:
        raise InvalidField("time.end_time", "The end must be after the start.")
    if end - start > MAX_DURATION:
        raise InvalidField("time.end_time", f"A hangout lasts at most {MAX_DURATION // DAY} days.")
    return TimeSpan(entered, start, end)


def _fuzzy(entered: EnteredTime, zone: ZoneInfo) -> TimeSpan:
    if entered.start_time is not None or entered.end_time is not None:
        raise InvalidField("time.period", "Enter an exact time or a part of the day, not both.")
    if entered.period is None or entered.period_start is None:
        raise InvalidField("time.period_start", "Choose a day.")
    start = _moment("time.period_start", entered.period_start)
    return TimeSpan(entered, start, _hours_later(start, PERIOD_HOURS[entered.period], zone))


def _hours_later(start: int, hours: int, zone: ZoneInfo) -> int:
    """So many hours later by the clocks there: a night ends at six, also when they change."""
    there = datetime.fromtimestamp(start, zone).replace(tzinfo=None) + timedelta(hours=hours)
    return int(there.replace(tzinfo=zone).timestamp())


def _moment(field: str, text: str) -> int:
    """Epoch seconds of a moment with its offset."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidField(field, "Enter a valid date and time.") from None
    if read.tzinfo is None:
        raise InvalidField(field, "Say the offset too, such as 2026-05-01T19:00:00+02:00.")
    if not FIRST_YEAR <= read.year <= LAST_YEAR:
        raise InvalidField(field, f"Choose a year from {FIRST_YEAR} to {LAST_YEAR}.")
    return int(read.timestamp())


def phase(start: int | None, end: int | None, now: float) -> Phase:
    """Returns where a hangout stands at a moment; it is over at its end, not after it."""
    if start is None:
        return "floating"
    if now < start:
        return "upcoming"
    return "in_progress" if now < (start if end is None else end) else "past"


def is_over(hangout: HangoutSummary, now: float) -> bool:
    """Returns whether a hangout was, at a moment."""
    return phase(hangout.start_timestamp, hangout.end_timestamp, now) == "past"


def takes_answers(hangout: HangoutSummary, now: float) -> bool:
    """Returns whether a hangout is neither cancelled nor over."""
    return hangout.cancelled_at is None and not is_over(hangout, now)


def span_of_moments(start: int, end: int | None) -> TimeSpan | None:
    """Returns the time of a hangout of which only moments are known; None where they are none."""
    try:
        moments = [None if it is None else entered_moment(it, "UTC") for it in (start, end)]
        return time_span(EnteredTime(start_time=moments[0], end_time=moments[1]))
    except (InvalidField, OverflowError, ValueError):
        return None


def entered_moment(start: int, zone: str) -> str:
    """Returns a moment as it is entered there: with the offset that the clocks have then."""
    return datetime.fromtimestamp(start, UTC).astimezone(ZoneInfo(zone)).isoformat()

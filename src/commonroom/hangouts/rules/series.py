"""Series: the dates of what repeats, and the time of each, on the clocks where it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from commonroom.date_bounds import check_day
from commonroom.errors import InvalidField
from commonroom.hangouts.tables import EnteredTime, Repetition

AHEAD = timedelta(days=365)
"""How far ahead hangouts are made."""
MAX_TIMES = 730


def repetition(given: Repetition, first: date, now: float) -> Repetition:
    """Returns how something repeats from a date on; refused where that makes no sense."""
    if given.times is not None and given.until is not None:
        raise InvalidField("repetition.times", "Choose a last day or a number of times, not both.")
    if given.times is not None and not 2 <= given.times <= MAX_TIMES:
        raise InvalidField("repetition.times", f"Choose 2 to {MAX_TIMES} times.")
    if given.until is None:
        return given
    try:
        until = date.fromisoformat(given.until)
    except ValueError:
        raise InvalidField("repetition.until", "Choose a day.") from None
    if until < first:
        raise InvalidField("repetition.until", "The last day must be after the first.")
    check_day("repetition.until", until, now)
    return replace(given, until=until.isoformat())


def dates(first: date, repeats: Repetition, through: date) -> Iterator[date]:
    """Yields the dates from the first on, through a day."""
    from dateutil import rrule  # when something repeats

    begin = datetime.combine(first, clock_time())
    end = through if repeats.until is None else min(through, date.fromisoformat(repeats.until))
    rule = rrule.rrule(
        dtstart=begin,
        until=datetime.combine(end, clock_time()),
        **_rule(first, repeats),
    )
    for number, one in enumerate(rule):
        if repeats.times is not None and number >= repeats.times:
            return
        yield one.date()


def _rule(first: date, repeats: Repetition) -> dict[str, Any]:
    from dateutil import rrule

    match repeats.frequency:
        case "DAILY":
            return {"freq": rrule.DAILY}
        case "WEEKLY":
            return {"freq": rrule.WEEKLY}
        case "EVERY_OTHER_WEEK":
            return {"freq": rrule.WEEKLY, "interval": 2}
        case "MONTHLY_BY_DAY":
            # On the 31st, or on the last day of a month that has none.
            some = range(min(first.day, 28), first.day + 1)
            return {"freq": rrule.MONTHLY, "bymonthday": tuple(some), "bysetpos": -1}
        case "MONTHLY_BY_WEEKDAY":
            # A fifth Monday is the last one: most months have four.
            which = -1 if first.day > 28 else (first.day + 6) // 7
            return {"freq": rrule.MONTHLY, "byweekday": rrule.weekday(first.weekday(), which)}


def next_date(first: date, repeats: Repetition, after: date) -> date | None:
    """Returns the date that follows another; None where that was the last."""
    # Of all that repeat, what comes once a month takes longest; the 31st at most two months.
    later = dates(first, repeats, after + timedelta(days=63))
    return next((one for one in later if one > after), None)


def date_of(entered: EnteredTime) -> date:
    """Returns the day of a time, where it is."""
    return _wall_clock(_start_text(entered), _zone(entered)).date()


def time_on(template: EnteredTime, day: date) -> EnteredTime:
    """Returns the time on another day: what the clocks show stays, whatever their offset is."""
    zone = _zone(template)
    away = day - date_of(template)
    if template.period is not None:
        start = _moved(_start_text(template), zone, away)
        return replace(template, period_start=start.isoformat())
    start = _moved(_start_text(template), zone, away)
    if template.end_time is None:
        return replace(template, start_time=start.isoformat())
    end = _moved(template.end_time, zone, away)
    if end <= start:  # in the hour that the clocks leave out
        lasts = datetime.fromisoformat(template.end_time) - datetime.fromisoformat(
            _start_text(template)
        )
        end = (start.astimezone(UTC) + lasts).astimezone(zone)
    return replace(template, start_time=start.isoformat(), end_time=end.isoformat())


def _start_text(entered: EnteredTime) -> str:
    text = entered.start_time if entered.period is None else entered.period_start
    if text is None:
        raise InvalidField("time", "A hangout that repeats needs a day.")
    return text


def _zone(entered: EnteredTime) -> ZoneInfo:
    return ZoneInfo(entered.time_zone or "UTC")


def _wall_clock(text: str, zone: ZoneInfo) -> datetime:
    """Returns what the clocks show there at a moment."""
    return datetime.fromisoformat(text).astimezone(zone).replace(tzinfo=None)


def _moved(text: str, zone: ZoneInfo, away: timedelta) -> datetime:
    """Returns the clock time so many days later; one that is left out then is an hour later."""
    there = (_wall_clock(text, zone) + away).replace(tzinfo=zone)
    return there.astimezone(UTC).astimezone(zone)

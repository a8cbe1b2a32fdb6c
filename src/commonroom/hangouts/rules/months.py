"""Months of a calendar, and their days where a person lives."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from commonroom.accounts.rules import time_zone
from commonroom.errors import InvalidField
from commonroom.hangouts.rules.times import FIRST_YEAR, LAST_YEAR

_MONTH = re.compile(r"(\d{4})-(\d{2})")


def read_month(text: str) -> date:
    """Returns the first day of a month that a person names."""
    found = _MONTH.fullmatch(text)
    if found is None or not (1 <= int(found[2]) <= 12 and FIRST_YEAR <= int(found[1]) <= LAST_YEAR):
        raise InvalidField("month", "Choose a month, such as 2026-05.")
    return date(int(found[1]), int(found[2]), 1)


def next_month(first: date) -> date:
    """Returns the first day of the month after."""
    return (first + timedelta(days=31)).replace(day=1)


def month_bounds(text: str, zone: str | None) -> tuple[int, int]:
    """Returns when a month begins and ends where a person lives, as epoch seconds."""
    first = read_month(text)
    return midnight(first, zone), midnight(next_month(first), zone)


def midnight(day: date, zone: str | None) -> int:
    """Returns when a day begins where a person lives."""
    there = ZoneInfo(time_zone(zone or "UTC"))
    return int(datetime(day.year, day.month, day.day, tzinfo=there).timestamp())

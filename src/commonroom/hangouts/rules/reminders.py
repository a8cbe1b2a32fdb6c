"""Reminders: when people are reminded of a hangout."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from commonroom.hangouts.rules.times import HOUR
from commonroom.hangouts.tables import HangoutSummary

BEFORE = 2 * HOUR
EVENING = 18
"""The hour of the evening before what takes a day or a weekend."""


def reminder_at(hangout: HangoutSummary) -> int | None:
    """Returns the moment, in epoch seconds; None for what has no day, or is cancelled."""
    start, entered = hangout.start_timestamp, hangout.time
    if start is None or hangout.cancelled_at is not None:
        return None
    if entered is None or entered.period not in ("day", "weekend"):
        return start - BEFORE
    zone = ZoneInfo(entered.time_zone or "UTC")
    eve = datetime.fromtimestamp(start, zone).date() - timedelta(days=1)
    return int(datetime.combine(eve, time(EVENING), zone).timestamp())

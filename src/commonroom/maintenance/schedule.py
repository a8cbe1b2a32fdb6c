"""The daily schedule: at which moments something is to be done."""

from __future__ import annotations

from datetime import datetime, timedelta
from datetime import time as time_of_day
from zoneinfo import ZoneInfo

OFF = "off"


def last_moment(now: float, at: str, zone: str) -> float | None:
    """The last moment up to now at which it is `at` o'clock; None where that is switched off.

    Without a zone, it is the machine's.
    """
    if at == OFF:
        return None
    local = datetime.fromtimestamp(now, ZoneInfo(zone) if zone else None)
    today = datetime.combine(local.date(), time_of_day.fromisoformat(at), local.tzinfo)
    return max(
        moment
        for moment in (day.timestamp() for day in (today, today - timedelta(days=1)))
        if moment <= now
    )

"""Times by the clock where a person lives: the next one, and whether it is quiet; also in spring.

A zone's clock leaves an hour out in spring, and shows one twice in autumn.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta, tzinfo

CLOCK_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)
MINUTE = 60.0


def is_clock_time(text: str) -> bool:
    """Whether this is a time of the day, such as 08:00."""
    return CLOCK_TIME.fullmatch(text) is not None


def next_time(now: float, zone: tzinfo, clock: str) -> float:
    """The next moment of this time, once a day: a time that comes twice counts the first time."""
    today = datetime.fromtimestamp(now, zone).date()
    days = (today + timedelta(days=more) for more in range(3))
    moments = (_moment(datetime.combine(day, time.fromisoformat(clock), zone)) for day in days)
    return next(moment for moment in moments if moment > now)


def quiet_until(now: float, zone: tzinfo, start: str, end: str) -> float | None:
    """When it is no longer quiet; None where it is not now. Quiet may go over midnight."""
    if not _is_quiet(now, zone, start, end):
        return None
    today = datetime.fromtimestamp(now, zone).date()
    typed = time.fromisoformat(end)
    ends = [
        _moment(datetime.combine(today + timedelta(days=more), typed.replace(fold=fold), zone))
        for more in range(3)
        for fold in (0, 1)
    ]
    # Of an hour that comes twice, the second end counts, too; in one that is left out it is over
    # with the minute in which the clock jumps.
    until = min(one for one in ends if one > now and not _is_quiet(one, zone, start, end))
    while not _is_quiet(until - MINUTE, zone, start, end) and until - MINUTE > now:
        until -= MINUTE
    return until


def _is_quiet(now: float, zone: tzinfo, start: str, end: str) -> bool:
    clock = f"{datetime.fromtimestamp(now, zone):%H:%M}"
    if start <= end:
        return start <= clock < end
    return clock >= start or clock < end


def _moment(local: datetime) -> float:
    return local.astimezone(UTC).timestamp()

"""Time zones in calendar files: what the clocks of a zone show in the years that a file needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain
from zoneinfo import ZoneInfo

MAX_KEPT_YEARS = 2048
"""Of all zones together, each less than a kilobyte."""


def time_zone_lines(zone: str, years: Collection[int]) -> Iterator[str]:
    """The lines of a VTIMEZONE that holds in these years, of UTC; it says nothing of any other.

    So a file grows with what is in it, and not with the time between: an entry needs two years at
    the most, and a year has a few changes of the clocks.
    """
    yield "BEGIN:VTIMEZONE"
    yield f"TZID:{zone}"
    for year in sorted(years):
        at_start, *changes = _observances(zone, year)
        yield from chain.from_iterable(changes if year - 1 in years else (at_start, *changes))
    yield "END:VTIMEZONE"


@lru_cache(maxsize=MAX_KEPT_YEARS)
def _observances(zone: str, year: int) -> tuple[tuple[str, ...], ...]:
    """Returns what the clocks show when a year begins, and after each change in it."""
    place = ZoneInfo(zone)
    start, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    there = start.astimezone(place)
    changes = (
        _observance(one, _offset((one - timedelta(seconds=1)).astimezone(place)), place)
        for one in clock_changes(place, start, end)
    )
    return (_observance(start, _offset(there), place), *changes)


def _observance(moment: datetime, before: timedelta, zone: ZoneInfo) -> tuple[str, ...]:
    after = moment.astimezone(zone)
    kind = "DAYLIGHT" if after.dst() else "STANDARD"
    return (
        f"BEGIN:{kind}",
        # Its beginning is said on the clocks as they were until then.
        f"DTSTART:{moment + before:%Y%m%dT%H%M%S}",
        f"TZNAME:{after.tzname()}",
        f"TZOFFSETFROM:{_written(before)}",
        f"TZOFFSETTO:{_written(_offset(after))}",
        f"END:{kind}",
    )


def _written(offset: timedelta) -> str:
    """Returns an offset as iCalendar has it: with seconds only where there are some."""
    minutes, seconds = divmod(abs(int(offset.total_seconds())), 60)
    sign = "-" if offset < timedelta() else "+"
    return f"{sign}{minutes // 60:02}{minutes % 60:02}" + (f"{seconds:02}" if seconds else "")


def clock_changes(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """Yields the moments at which the clocks of a zone change, to the second."""
    day = timedelta(days=1)
    before = _offset(start.astimezone(zone))
    while start < end:
        following = start + day
        after = _offset(following.astimezone(zone))
        if before != after:
            yield _change_between(zone, start, following)
        start, before = following, after


def _change_between(zone: ZoneInfo, earlier: datetime, later: datetime) -> datetime:
    before = _offset(earlier.astimezone(zone))
    while later - earlier > timedelta(seconds=1):
        middle = (earlier + (later - earlier) / 2).replace(microsecond=0)
        if _offset(middle.astimezone(zone)) == before:
            earlier = middle
        else:
            later = middle
    return later


def _offset(moment: datetime) -> timedelta:
    return moment.utcoffset() or timedelta()

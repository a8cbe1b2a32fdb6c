"""Calendars: what rooms put into them, and the iCalendar files (RFC 5545) that carry it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias
from zoneinfo import ZoneInfo

from msgspec import Struct

if TYPE_CHECKING:
    from icalendar import Event, Timezone

MAKER = "-//Commonroom//EN"
MEDIA_TYPE = "text/calendar"
REFRESH = timedelta(hours=1)
"""How often a program that follows a calendar may look."""
MARGIN = timedelta(days=400)
"""How long before the first entry and after the last the rules of a zone are said."""

Status: TypeAlias = Literal["CONFIRMED", "TENTATIVE", "CANCELLED"]


class CalendarEntry(Struct, frozen=True, kw_only=True):
    """Something with a time, as a room gives it to a calendar."""

    uid: str
    """The same for the same thing, for ever."""
    version: int
    """Rises with every change, so that programs take the newest."""
    changed_at: str
    title: str
    start: int
    """Epoch seconds."""
    end: int
    zone: str
    """On whose clocks it is."""
    whole_days: bool = False
    """Whether it is about days and not about hours."""
    place: str | None = None
    description: str | None = None
    path: str
    """Of the page about it."""
    status: Status = "CONFIRMED"
    takes_time: bool = True
    """Whether whoever has it there is busy then."""


def calendar_file(
    entries: Sequence[CalendarEntry], house: str, *, name: str | None = None
) -> bytes:
    """A file for calendars; with a name, it is one that programs follow.

    `house` is the address of this installation.
    """
    from icalendar import Calendar  # eighty modules, for few requests

    made = Calendar()
    made.add("prodid", MAKER)
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    if name is not None:
        made.add("x-wr-calname", name)
        made.add("name", name)
        made.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    for zone, first, last in _zones(entries):
        made.add_component(_time_zone(zone, first, last))
    for one in entries:
        made.add_component(_event(one, house))
    written: bytes = made.to_ical()
    return written


def _event(entry: CalendarEntry, house: str) -> Event:
    from icalendar import Event

    made = Event()
    made.add("uid", entry.uid)
    made.add("sequence", entry.version)
    made.add("dtstamp", datetime.fromisoformat(entry.changed_at).astimezone(UTC))
    made.add("last-modified", datetime.fromisoformat(entry.changed_at).astimezone(UTC))
    zone = ZoneInfo(entry.zone)
    start, end = (datetime.fromtimestamp(it, zone) for it in (entry.start, entry.end))
    if entry.whole_days:
        made.add("dtstart", start.date())
        made.add("dtend", _day_after(end))
    else:
        made.add("dtstart", _on_the_clock(start))
        made.add("dtend", _on_the_clock(end))
    made.add("summary", entry.title)
    made.add("status", entry.status)
    made.add("transp", "OPAQUE" if entry.takes_time else "TRANSPARENT")
    made.add("url", house + entry.path)
    if entry.place is not None:
        made.add("location", entry.place)
    if entry.description is not None:
        made.add("description", entry.description)
    return made


def _day_after(end: datetime) -> date:
    """The day after the last: what ends at midnight does not reach into the next day."""
    return (end - timedelta(seconds=1)).date() + timedelta(days=1)


def _on_the_clock(moment: datetime) -> datetime:
    """A moment with its zone; in UTC in the hour that clocks show a second time.

    A file can only name the first of two.
    """
    if moment.fold or moment.tzinfo == ZoneInfo("UTC"):
        return moment.astimezone(UTC)
    return moment


def _zones(entries: Iterable[CalendarEntry]) -> Iterator[tuple[str, date, date]]:
    """The zones of entries, each with the days for which its rules are needed."""
    ends: dict[str, tuple[int, int]] = {}
    for one in entries:
        if not one.whole_days and one.zone != "UTC":
            first, last = ends.get(one.zone, (one.start, one.end))
            ends[one.zone] = (min(first, one.start), max(last, one.end))
    for zone, (first, last) in ends.items():
        yield zone, _day(first) - MARGIN, _day(last) + MARGIN


def _day(moment: int) -> date:
    return datetime.fromtimestamp(moment, UTC).date()


@lru_cache(maxsize=256)
def _time_zone(name: str, first: date, last: date) -> Timezone:
    """The rules of a zone between two days, one after the other."""
    from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

    zone = ZoneInfo(name)
    made = Timezone()
    made.add("tzid", name)
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)
    end = datetime(last.year, last.month, last.day, tzinfo=UTC)
    for moment in (start, *clock_changes(zone, start, end)):
        before = (moment - timedelta(seconds=1)).astimezone(zone)
        after = moment.astimezone(zone)
        rule = TimezoneDaylight() if after.dst() else TimezoneStandard()
        # Of a rule, the beginning is said on the clocks as they were until then.
        rule.add("dtstart", (moment + _offset(before)).replace(tzinfo=None))
        rule.add("tzoffsetfrom", _offset(before))
        rule.add("tzoffsetto", _offset(after))
        rule.add("tzname", after.tzname())
        made.add_component(rule)
    return made


def clock_changes(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """The moments at which the clocks of a zone change, to the second."""
    day = timedelta(days=1)
    while start < end:
        following = start + day
        if _offset(start.astimezone(zone)) != _offset(following.astimezone(zone)):
            yield _change_between(zone, start, following)
        start = following


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

"""Calendars: what rooms put into them, and the iCalendar files (RFC 5545) that carry it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo

from msgspec import Struct

from commonroom.http.markdown import plain
from commonroom.http.time_zone_rules import time_zone_lines

MAKER = "-//Commonroom//EN"
MEDIA_TYPE = "text/calendar"
REFRESH_HOURS = 1
"""How often a program that follows a calendar may look."""
MAX_LINE_BYTES = 75

Status: TypeAlias = Literal["CONFIRMED", "TENTATIVE", "CANCELLED"]

_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class CalendarEntry(Struct, frozen=True, kw_only=True):
    """Something with a time, as a room gives it to a calendar."""

    uid: str
    """A unique id that stays for the same thing, for ever."""
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
    """Markdown, as it was typed."""
    path: str
    """Of the page about it."""
    status: Status = "CONFIRMED"
    takes_time: bool = True
    """Whether the calendar's owner is busy then."""


def calendar_file(
    entries: Sequence[CalendarEntry], house: str, *, name: str | None = None
) -> bytes:
    """Returns a file for calendars; with a name, it is one that programs follow.

    `house` is the address of this installation.
    """
    return b"".join(map(_folded, _lines(entries, house, name)))


def _lines(entries: Sequence[CalendarEntry], house: str, name: str | None) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield f"PRODID:{MAKER}"
    yield "METHOD:PUBLISH"
    if name is not None:
        yield f"NAME:{_text(name)}"
        yield f"X-WR-CALNAME:{_text(name)}"
        yield f"REFRESH-INTERVAL;VALUE=DURATION:PT{REFRESH_HOURS}H"
    for zone, years in _zones(entries).items():
        yield from time_zone_lines(zone, years)
    for one in entries:
        yield from _event_lines(one, house)
    yield "END:VCALENDAR"


def _event_lines(entry: CalendarEntry, house: str) -> Iterator[str]:
    changed = _in_utc(datetime.fromisoformat(entry.changed_at))
    zone = ZoneInfo(entry.zone)
    start, end = (datetime.fromtimestamp(it, zone) for it in (entry.start, entry.end))
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(entry.uid)}"
    yield f"SEQUENCE:{entry.version}"
    yield f"DTSTAMP:{changed}"
    yield f"LAST-MODIFIED:{changed}"
    if entry.whole_days:
        yield f"DTSTART;VALUE=DATE:{start:%Y%m%d}"
        yield f"DTEND;VALUE=DATE:{_day_after(end):%Y%m%d}"
    else:
        yield f"DTSTART{_on_the_clock(start, entry.zone)}"
        yield f"DTEND{_on_the_clock(end, entry.zone)}"
    yield f"SUMMARY:{_text(entry.title)}"
    yield f"STATUS:{entry.status}"
    yield f"TRANSP:{'OPAQUE' if entry.takes_time else 'TRANSPARENT'}"
    yield f"URL:{_CONTROLS.sub('', house + entry.path)}"
    if entry.place is not None:
        yield f"LOCATION:{_text(entry.place)}"
    if entry.description is not None:
        yield f"DESCRIPTION:{_text(plain(entry.description))}"
    yield "END:VEVENT"


def _day_after(end: datetime) -> date:
    """Returns the day after the last: what ends at midnight does not reach into the next day."""
    return (end - timedelta(seconds=1)).date() + timedelta(days=1)


def _on_the_clock(moment: datetime, zone: str) -> str:
    """Returns a moment with its zone; in UTC in the hour that clocks show a second time.

    A file can only name the first of two.
    """
    if moment.fold or zone == "UTC":
        return f":{_in_utc(moment)}"
    return f";TZID={zone}:{moment:%Y%m%dT%H%M%S}"


def _in_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _zones(entries: Sequence[CalendarEntry]) -> dict[str, set[int]]:
    """Returns the zones of entries, each with the years in which something begins or ends."""
    found: dict[str, set[int]] = {}
    for one in entries:
        if not one.whole_days and one.zone != "UTC":
            years = (datetime.fromtimestamp(it, UTC).year for it in (one.start, one.end))
            found.setdefault(one.zone, set()).update(years)
    return found


def _text(text: str) -> str:
    """Returns a text as a value: none of its signs ends it, or the line."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).translate(_ESCAPED)


def _folded(line: str) -> bytes:
    """Returns a line with its end, in parts where it is longer than a line may be."""
    rest = line.encode()
    if len(rest) <= MAX_LINE_BYTES:
        return rest + b"\r\n"
    parts, room = [], MAX_LINE_BYTES
    while len(rest) > room:
        end = room
        while rest[end] & 0xC0 == 0x80:  # within a sign
            end -= 1
        parts.append(rest[:end])
        rest, room = rest[end:], MAX_LINE_BYTES - 1  # after the space that goes on
    return b"\r\n ".join([*parts, rest]) + b"\r\n"

"""Calendar files say the right moments, in every zone and at both changes of the clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from io import StringIO
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from dateutil.tz import tzical
from icalendar import Calendar

from commonroom.http.calendars import CalendarEntry, calendar_file
from commonroom.http.time_zone_rules import clock_changes

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe")
HOUR = 3600


def entry(start: int, zone: str, **more: Any) -> CalendarEntry:
    fields: dict[str, Any] = {
        "uid": f"{start}@commonroom",
        "version": 1,
        "changed_at": "2026-05-01T10:00:00Z",
        "title": "Karaoke",
        "start": start,
        "end": start + 2 * HOUR,
        "zone": zone,
        "path": "/hangouts/1",
    }
    return CalendarEntry(**{**fields, **more})


def written_of(*entries: CalendarEntry) -> bytes:
    return calendar_file(entries, "https://example.org")


def parsed(*entries: CalendarEntry) -> list[Any]:
    return list(Calendar.from_ical(written_of(*entries)).walk("VEVENT"))


def changes_of(zone: str) -> list[int]:
    """The moments at which clocks change in two years."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    found = clock_changes(ZoneInfo(zone), start, start + timedelta(days=730))
    return [int(one.timestamp()) for one in found]


@pytest.mark.parametrize("zone", ZONES)
def test_entries_around_both_changes_of_the_clocks_are_at_their_moment(zone: str) -> None:
    changes = changes_of(zone)
    assert len(changes) == 4
    starts = [at + step * HOUR // 4 for at in changes for step in range(-12, 13)]
    read = parsed(*(entry(one, zone) for one in starts))
    assert [one.decoded("dtstart").timestamp() for one in read] == starts
    assert [one.decoded("dtend").timestamp() for one in read] == [it + 2 * HOUR for it in starts]


@pytest.mark.parametrize("zone", ZONES)
def test_a_program_that_knows_no_zones_finds_their_rules_in_the_file(zone: str) -> None:
    """Read by another library, which believes the file and nothing else."""
    changes = changes_of(zone)
    written = written_of(*(entry(one, zone) for one in changes)).decode()
    said = tzical(StringIO(written)).get(zone)
    for at in changes:
        for moment in (at - HOUR, at - 1, at, at + HOUR, at + 90 * 24 * HOUR):
            there = datetime.fromtimestamp(moment, ZoneInfo(zone))
            if there.fold or there.astimezone(UTC) != _later(there):
                continue  # which a file can only name in UTC
            plain = there.replace(tzinfo=None, fold=0)
            assert plain.replace(tzinfo=said).utcoffset() == there.utcoffset(), there


def _later(there: datetime) -> datetime:
    return there.replace(fold=1).astimezone(UTC)


@pytest.mark.parametrize("zone", ZONES)
def test_a_file_grows_with_what_is_in_it_and_not_with_the_time_between(zone: str) -> None:
    far = [datetime(year, 7, 1, 12, tzinfo=UTC) for year in (1970, 2999)]
    first, last = (int(one.timestamp()) for one in far)
    written = written_of(entry(first, zone, end=last))
    assert len(written) < 2000
    said = tzical(StringIO(written.decode())).get(zone)
    for one in far:
        there = one.astimezone(ZoneInfo(zone))
        plain = there.replace(tzinfo=None)
        assert plain.replace(tzinfo=said).utcoffset() == there.utcoffset()
    (read,) = parsed(entry(first, zone, end=last))
    assert [read.decoded(it).timestamp() for it in ("dtstart", "dtend")] == [first, last]


@pytest.mark.parametrize("zone", [*ZONES, "Pacific/Kiritimati", "Africa/Monrovia", "Asia/Kolkata"])
def test_the_rules_of_a_zone_hold_from_the_first_to_the_last_hour_of_a_year(zone: str) -> None:
    new_year = [datetime(year, 1, 1, tzinfo=UTC) for year in (1971, 1972, 2030)]
    starts = [int(one.timestamp()) + away for one in new_year for away in (-HOUR, 0, 13 * HOUR)]
    written = written_of(*(entry(one, zone) for one in starts)).decode()
    said = tzical(StringIO(written)).get(zone)
    for at in starts:
        there = datetime.fromtimestamp(at, ZoneInfo(zone))
        plain = there.replace(tzinfo=None)
        offset = plain.replace(tzinfo=said).utcoffset()
        assert offset is not None
        assert there.utcoffset() is not None
        # That library counts in whole minutes.
        assert abs(offset - (there.utcoffset() or offset)) < timedelta(minutes=1), there


def test_the_hour_that_clocks_show_twice_is_said_in_utc_the_second_time() -> None:
    first = int(datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin")).timestamp())
    written = written_of(entry(first, "Europe/Berlin"), entry(first + HOUR, "Europe/Berlin"))
    assert b"DTSTART;TZID=Europe/Berlin:20261025T023000" in written
    assert b"DTSTART:20261025T013000Z" in written


def test_whole_days_have_dates_and_no_hours() -> None:
    saturday = int(datetime(2026, 6, 13, tzinfo=ZoneInfo("Europe/Berlin")).timestamp())
    weekend = entry(saturday, "Europe/Berlin", end=saturday + 48 * HOUR, whole_days=True)
    day = entry(saturday + 9 * HOUR, "Europe/Berlin", end=saturday + 21 * HOUR, whole_days=True)
    first, second = parsed(weekend, day)
    assert (first.decoded("dtstart"), first.decoded("dtend")) == (
        date(2026, 6, 13),
        date(2026, 6, 15),
    )
    assert second.decoded("dtend") == date(2026, 6, 14)
    assert b"VTIMEZONE" not in written_of(weekend, day)


def test_what_people_typed_cannot_write_lines_of_its_own() -> None:
    nasty = "Tea; cake, \\ and\r\nEND:VEVENT\nBEGIN:VALARM" + "x" * 200 + "é" * 100
    (read,) = parsed(entry(1_780_000_000, "UTC", title=nasty, place=nasty, description=nasty))
    assert read["summary"].replace("\n", "") == nasty.replace("\r\n", "").replace("\n", "")
    assert not read.subcomponents
    lines = written_of(entry(1_780_000_000, "UTC", title=nasty)).split(b"\r\n")
    assert max(map(len, lines)) <= 75


def test_the_same_entries_give_the_same_bytes() -> None:
    entries = [entry(1_780_000_000 + number, zone) for number, zone in enumerate(ZONES)]
    assert written_of(*entries) == written_of(*entries)

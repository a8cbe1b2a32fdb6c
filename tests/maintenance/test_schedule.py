"""A daily schedule, in whichever zone."""

from datetime import UTC, datetime

import pytest

from commonroom.maintenance.schedule import last_moment


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "now, zone, expected",
    [
        ("2026-11-16T03:30:00", "UTC", "2026-11-16T03:30:00"),
        ("2026-11-16T03:29:59", "UTC", "2026-11-15T03:30:00"),
        ("2026-11-16T12:00:00", "Europe/Berlin", "2026-11-16T02:30:00"),
        ("2026-11-16T02:00:00", "Europe/Berlin", "2026-11-15T02:30:00"),
        ("2026-11-16T12:00:00", "Asia/Kolkata", "2026-11-15T22:00:00"),
        ("2026-07-16T12:00:00", "Europe/Berlin", "2026-07-16T01:30:00"),
    ],
)
def test_the_last_moment_is_of_today_or_yesterday(now: str, zone: str, expected: str) -> None:
    assert last_moment(at(now), "03:30", zone) == at(expected)


@pytest.mark.parametrize("day", ["2026-03-29", "2026-03-30", "2026-10-25", "2026-10-26"])
def test_where_clocks_change_there_is_one_a_day(day: str) -> None:
    start = at(f"{day}T00:00:00")
    moments = {
        last_moment(start + minutes * 60, "02:30", "Europe/Berlin") for minutes in range(1440)
    }
    assert len([moment for moment in moments if moment is not None and moment >= start]) == 1


def test_without_a_zone_it_is_the_machines() -> None:
    now = datetime(2026, 11, 16, 12, 0).timestamp()
    assert last_moment(now, "03:30", "") == datetime(2026, 11, 16, 3, 30).timestamp()


def test_it_can_be_off() -> None:
    assert last_moment(at("2026-11-16T03:30:00"), "off", "UTC") is None

"""Times by a person's own clock, also where that jumps."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.notifications.clock_times import is_clock_time, next_time, quiet_until

BERLIN = ZoneInfo("Europe/Berlin")
KATHMANDU = ZoneInfo("Asia/Kathmandu")


def at(text: str, zone: ZoneInfo = BERLIN, fold: int = 0) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).timestamp()


@pytest.mark.parametrize(
    "now, until",
    [
        ("2026-05-01T21:59", None),
        ("2026-05-01T22:00", "2026-05-02T07:00"),
        ("2026-05-02T06:59", "2026-05-02T07:00"),
        ("2026-05-02T07:00", None),
        ("2026-03-28T23:00", "2026-03-29T07:00"),  # the night is an hour shorter
        ("2026-10-24T23:00", "2026-10-25T07:00"),  # or longer
    ],
)
def test_quiet_goes_over_midnight(now: str, until: str | None) -> None:
    expected = None if until is None else at(until)
    assert quiet_until(at(now), BERLIN, "22:00", "07:00") == expected


def test_quiet_on_one_day_ends_on_it() -> None:
    assert quiet_until(at("2026-05-01T13:30"), BERLIN, "13:00", "15:00") == at("2026-05-01T15:00")
    assert quiet_until(at("2026-05-01T12:59"), BERLIN, "13:00", "15:00") is None


def test_quiet_that_would_end_in_the_hour_that_is_left_out_ends_with_the_jump() -> None:
    ends = quiet_until(at("2026-03-29T01:30"), BERLIN, "22:00", "02:30")
    assert ends == at("2026-03-29T03:00")


def test_quiet_in_the_hour_that_comes_twice_is_quiet_twice() -> None:
    first, second = (at("2026-10-25T02:15", fold=fold) for fold in (0, 1))
    assert quiet_until(first, BERLIN, "22:00", "02:30") == at("2026-10-25T02:30")
    assert quiet_until(second, BERLIN, "22:00", "02:30") == at("2026-10-25T02:30", fold=1)


@pytest.mark.parametrize(
    "now, clock, expected",
    [
        ("2026-05-01T07:59", "08:00", "2026-05-01T08:00"),
        ("2026-05-01T08:00", "08:00", "2026-05-02T08:00"),
        ("2026-03-28T09:00", "08:00", "2026-03-29T08:00"),
        ("2026-10-24T09:00", "08:00", "2026-10-25T08:00"),
        ("2026-03-29T01:00", "02:30", "2026-03-29T03:30"),  # there is no half past two
    ],
)
def test_the_next_time_is_the_same_on_the_wall(now: str, clock: str, expected: str) -> None:
    assert next_time(at(now), BERLIN, clock) == at(expected)


def test_a_time_that_comes_twice_counts_once() -> None:
    first = next_time(at("2026-10-25T01:00"), BERLIN, "02:30")
    assert first == at("2026-10-25T02:30")
    assert next_time(first, BERLIN, "02:30") == at("2026-10-26T02:30")


moments = st.floats(min_value=1.7e9, max_value=1.9e9)
times = st.times().map(lambda one: f"{one:%H:%M}")


@given(moments, times, times, st.sampled_from([BERLIN, KATHMANDU, ZoneInfo("UTC")]))
def test_when_quiet_ends_it_is_not_quiet_and_until_then_it_is(
    now: float, start: str, end: str, zone: ZoneInfo
) -> None:
    until = quiet_until(now, zone, start, end)
    if until is None:
        return
    assert now < until < now + 26 * 3600
    assert quiet_until(until, zone, start, end) is None
    assert quiet_until(until - 1, zone, start, end) == until


@pytest.mark.parametrize("text", ["8:00", "24:00", "12:60", "", "08:00:00", "\u0660\u0668:00"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert not is_clock_time(text)

"""Polling is quick while things happen, and costs no more than so much when nothing does."""

from __future__ import annotations

import pytest

from commonroom.store.streams.pace import BUSY_SECONDS, REQUESTS_A_MINUTE, SLOWING, Pace
from tests.store.streams.shelves import Time


@pytest.mark.parametrize("shards", [1, 8, 200])
def test_an_idle_minute_costs_the_same_whatever_the_number_of_shards(shards: int) -> None:
    clock = Time()
    pace = Pace(clock)
    clock.now += 24 * 3600

    requests = shards * 60 / pace.pause(shards)

    assert requests <= max(REQUESTS_A_MINUTE, 60 / BUSY_SECONDS)


def test_a_change_is_seen_within_two_seconds_for_a_minute_after_the_last() -> None:
    clock = Time()
    pace = Pace(clock)
    pauses = []
    for _ in range(60):
        clock.now += 1
        pauses.append(pace.pause(shards := 100))

    assert shards * 60 / REQUESTS_A_MINUTE > 2, "it has reason to slow down"
    assert max(pauses) <= 2.0
    assert pauses[: int(SLOWING)] == [BUSY_SECONDS] * int(SLOWING)


def test_it_slows_down_little_by_little_and_is_quick_again_at_once() -> None:
    clock = Time()
    pace = Pace(clock)
    pauses = []
    for _ in range(100):
        clock.now += 10
        pauses.append(pace.pause(8))

    assert pauses == sorted(pauses)
    assert pauses[-1] == 8 * 60 / REQUESTS_A_MINUTE
    pace.quicken()
    assert pace.pause(8) == BUSY_SECONDS

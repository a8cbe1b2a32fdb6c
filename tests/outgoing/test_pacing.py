"""Not asking more often than is welcome."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonroom.outgoing.pacing import Pace


@given(st.lists(st.floats(0, 1), max_size=200))
def test_whoever_waits_for_their_turn_keeps_to_the_pace(pauses: list[float]) -> None:
    """However they come: in no second are there more turns than those at once and those after."""
    now = 0.0
    pace = Pace(per_second=30, at_once=10, clock=lambda: now)
    turns = []
    for pause in pauses:
        now += pause * pause
        turns.append(now + pace.turn())
    for index, turn in enumerate(turns):
        assert sum(turn <= other < turn + 1 - 1e-9 for other in turns[index:]) <= 40


def test_the_first_need_not_wait_and_the_others_come_evenly() -> None:
    pace = Pace(per_second=2, at_once=3, clock=lambda: 100.0)
    assert [pace.turn() for _ in range(6)] == [0, 0, 0, 0.5, 1.0, 1.5]


def test_after_a_pause_some_may_come_at_once_again() -> None:
    now = 100.0
    pace = Pace(per_second=2, at_once=3, clock=lambda: now)
    for _ in range(10):
        pace.turn()
    now += 10
    assert [pace.turn() for _ in range(4)] == [0, 0, 0, 0.5]

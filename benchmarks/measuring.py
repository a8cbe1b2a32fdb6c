"""Measuring on a machine that others use too: short rounds in turn, and their medians."""

from __future__ import annotations

import gc
import time
from collections.abc import Awaitable, Callable, Sequence
from statistics import median

Round = Callable[[], Awaitable[object]]
Clock = Callable[[], float]


async def seconds_per_call(
    *sides: Round,
    calls: int,
    rounds: int,
    warm_up: int = 1,
    clock: Clock = time.perf_counter,
) -> list[float]:
    """What a call takes on each side, where every round makes so many calls."""
    taken = await in_turns(*sides, calls=calls, rounds=rounds, warm_up=warm_up, clock=clock)
    return [median(one) for one in taken]


async def in_turns(
    *sides: Round,
    calls: int | Sequence[int],
    rounds: int,
    warm_up: int = 1,
    clock: Clock | Sequence[Clock] = time.perf_counter,
) -> list[list[float]]:
    """What a call takes on each side, round by round.

    The sides take turns, so that a busy moment of the machine meets all of them alike, and each
    begins a round with nothing to collect. The rounds that warm up come first and do not count.
    Each may have a clock of its own, and make another number of calls.
    """
    clocks = [clock] * len(sides) if callable(clock) else clock
    times = [calls] * len(sides) if isinstance(calls, int) else calls
    taken: list[list[float]] = [[] for _ in sides]
    gc.collect()
    gc.freeze()
    for number in range(warm_up + rounds):
        for side in _turns(len(sides), number):
            taken[side].append(await _timed(sides[side], clocks[side]) / times[side])
    gc.unfreeze()
    return [one[warm_up:] for one in taken]


def typical(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """The round whose ratio is the median of all rounds' ratios."""
    pairs = sorted(zip(ours, theirs, strict=True), key=lambda pair: pair[0] / pair[1])
    return pairs[len(pairs) // 2]


def undisturbed(taken: Sequence[float]) -> float:
    """What a call takes in the better quarter of rounds: others can only add to processor time."""
    return sorted(taken)[len(taken) // 4]


def _turns(sides: int, number: int) -> Sequence[int]:
    """Who is first changes from round to round."""
    return [(number + side) % sides for side in range(sides)]


async def _timed(side: Round, clock: Clock) -> float:
    gc.collect()
    start = clock()
    await side()
    return clock() - start

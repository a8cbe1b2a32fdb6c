from __future__ import annotations

from itertools import count

from benchmarks.measuring import in_turns, seconds_per_call, typical, undisturbed


class TestTurns:
    async def test_sides_take_turns_and_the_first_rounds_do_not_count(self) -> None:
        came: list[str] = []
        ticks = count()

        async def one() -> None:
            came.append("one")

        async def other() -> None:
            came.append("other")
            next(ticks)

        taken = await in_turns(
            one, other, calls=2, rounds=3, warm_up=1, clock=lambda: float(next(ticks))
        )
        assert came == ["one", "other", "other", "one", "one", "other", "other", "one"]
        assert taken == [[0.5] * 3, [1.0] * 3]

    async def test_each_side_may_have_a_clock_and_a_number_of_calls_of_its_own(self) -> None:
        slow, fast = count(step=10), count()

        async def nothing() -> None: ...

        taken = await in_turns(
            nothing,
            nothing,
            calls=[1, 2],
            rounds=2,
            clock=[lambda: float(next(slow)), lambda: float(next(fast))],
        )
        assert taken == [[10.0] * 2, [0.5] * 2]

    async def test_a_call_takes_the_median_of_its_rounds(self) -> None:
        times = iter([0, 50, 0, 3, 0, 1, 0, 9])

        async def nothing() -> None: ...

        assert await seconds_per_call(
            nothing, calls=1, rounds=3, clock=lambda: float(next(times))
        ) == [3.0]


def test_the_typical_round_is_the_one_with_the_median_ratio() -> None:
    ours, theirs = [2.0, 30.0, 8.0], [1.0, 10.0, 1.0]
    assert typical(ours, theirs) == (30.0, 10.0)


def test_what_is_undisturbed_is_the_better_quarter() -> None:
    assert undisturbed([9.0, 1.0, 5.0, 2.0]) == 2.0
    assert undisturbed([3.0]) == 3.0

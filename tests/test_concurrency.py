"""The same work for each of many, so many at a time."""

import asyncio

import pytest

from commonroom.concurrency import gather_each


class Broken(Exception):
    """What the work can meet."""


async def test_results_come_in_the_order_of_what_was_given() -> None:
    async def work(number: int) -> int:
        await asyncio.sleep(0 if number % 2 else 0.001)
        return number * 10

    assert await gather_each(work, range(7), limit=3) == [0, 10, 20, 30, 40, 50, 60]


async def test_no_more_than_the_limit_run_at_once() -> None:
    running, most = 0, 0

    async def work(_: int) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    await gather_each(work, range(20), limit=4)

    assert most == 4


async def test_the_first_failure_is_raised_as_it_is() -> None:
    async def work(number: int) -> None:
        if number == 2:
            raise Broken

    with pytest.raises(Broken):
        await gather_each(work, range(5), limit=2)

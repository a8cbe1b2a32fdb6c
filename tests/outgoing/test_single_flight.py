"""Work that several wait for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from commonroom.outgoing.errors import Unreachable
from commonroom.outgoing.single_flight import SingleFlight, TooMuch


class Work:
    """Something that is done when it is told to."""

    def __init__(self) -> None:
        self.begun = 0
        self.go_on = asyncio.Event()

    async def __call__(self) -> int:
        self.begun += 1
        await self.go_on.wait()
        return self.begun

    async def fail(self) -> int:
        """Ends in an error."""
        await self()
        raise LookupError


@pytest.fixture
async def flight() -> AsyncIterator[SingleFlight[int]]:
    """Room for two things at once."""
    flight: SingleFlight[int] = SingleFlight(2)
    yield flight
    await flight.close()


async def begun() -> None:
    """Lets everything go as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_same_thing_is_done_once_for_all_who_want_it(flight: SingleFlight[int]) -> None:
    work = Work()
    waiting = [asyncio.create_task(flight.run("a", work)) for _ in range(5)]
    await begun()
    work.go_on.set()
    assert await asyncio.gather(*waiting) == [1] * 5
    assert await flight.run("a", work) == 2, "what is over is begun anew"


async def test_who_stops_waiting_does_not_stop_it_for_others(flight: SingleFlight[int]) -> None:
    work = Work()
    first, second = (asyncio.create_task(flight.run("a", work)) for _ in range(2))
    await begun()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    work.go_on.set()
    assert await second == 1


async def test_all_who_wait_learn_of_an_error(flight: SingleFlight[int]) -> None:
    work = Work()
    waiting = [asyncio.create_task(flight.run("a", work.fail)) for _ in range(2)]
    await begun()
    work.go_on.set()
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one) for one in ended] == [LookupError] * 2


async def test_only_so_much_is_done_at_once(flight: SingleFlight[int]) -> None:
    work = Work()
    waiting = [asyncio.create_task(flight.run(key, work)) for key in "ab"]
    await begun()
    with pytest.raises(TooMuch):
        await flight.run("c", work)
    work.go_on.set()
    await asyncio.gather(*waiting)
    assert await flight.run("c", work) == 3


async def test_closing_tells_those_who_wait(flight: SingleFlight[int]) -> None:
    waiting = asyncio.create_task(flight.run("a", Work()))
    await begun()
    await flight.close()
    with pytest.raises(Unreachable, match="shutting down"):
        await waiting

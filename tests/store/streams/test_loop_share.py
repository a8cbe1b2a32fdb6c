"""What follows from writes leaves the pages beside it most of the loop's time."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.store import Store, create
from commonroom.store.streams import Change, Consumer, LoopShare, Worker
from commonroom.store.streams.loop_share import PART, SAVED_SECONDS
from tests.store.streams.shelves import Seen, Thing, Time, consumer, thing


class Loop:
    """A loop whose time passes only where somebody works or sleeps."""

    def __init__(self) -> None:
        self.clock = Time()
        self.slept = 0.0

    @property
    def share(self) -> LoopShare:
        return LoopShare(self.clock, self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.clock.now += seconds
        await asyncio.sleep(0)

    async def work(self, steps: int, seconds: float) -> int:
        for _ in range(steps):
            self.clock.now += seconds
            await asyncio.sleep(0)
        return steps


@pytest.fixture
def loop() -> Loop:
    return Loop()


class TestAShare:
    async def test_of_a_few_steps_is_worked_at_once(self, loop: Loop) -> None:
        assert await loop.share.work(loop.work(10, SAVED_SECONDS / 20)) == 10
        assert loop.slept == 0

    @pytest.mark.parametrize("at_once", [1, 16])
    async def test_is_a_third_however_many_work(self, loop: Loop, at_once: int) -> None:
        share, steps, seconds = loop.share, 320 // at_once, 0.005
        began = loop.clock.now
        await asyncio.gather(*(_task(share, loop.work(steps, seconds)) for _ in range(at_once)))
        worked = 320 * seconds
        assert loop.clock.now - began == pytest.approx(worked + loop.slept)
        assert worked / (worked + loop.slept) == pytest.approx(PART, abs=0.05)

    async def test_is_no_more_after_a_long_rest(self, loop: Loop) -> None:
        share = loop.share
        loop.clock.now += 3600
        await share.work(loop.work(200, 0.005))
        assert loop.slept == pytest.approx((1.0 - SAVED_SECONDS) / PART - 1.0, rel=0.1)

    async def test_tells_those_who_work_of_what_fails(self, loop: Loop) -> None:
        async def fail() -> None:
            loop.clock.now += 1
            await asyncio.sleep(0)
            raise LookupError("not there")

        share = loop.share
        with pytest.raises(LookupError):
            await share.work(fail())
        assert await share.work(loop.work(1, 0.001)) == 1

    async def test_lets_work_be_cancelled_while_it_rests(self, loop: Loop) -> None:
        ended: list[str] = []
        resting = asyncio.Event()

        async def rest(_: float) -> None:
            resting.set()
            await asyncio.Event().wait()

        async def work() -> None:
            try:
                await loop.work(10, 1)
            finally:
                ended.append("cleared up")

        task = asyncio.create_task(_task(LoopShare(loop.clock, rest), work()))
        await resting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == ["cleared up"]


async def _task(share: LoopShare, work: object) -> None:
    await share.work(work)  # type: ignore[arg-type] # a coroutine


async def test_a_worker_with_a_share_hands_everything_over(store: Store, loop: Loop) -> None:
    seen = Seen()
    for number in range(250):
        await store.write(create(thing(number)))

    async def handle(store: Store, change: Change) -> None:
        loop.clock.now += 0.01
        await seen(store, change)

    share = LoopShare(loop.clock, loop.sleep)
    worker = Worker(store, [Consumer("test", (Thing,), handle)], share=share)
    assert await worker.drain() == 250
    assert seen.names == [f"{number:03}" for number in range(250)]
    assert loop.slept > 0


async def test_a_handler_that_takes_too_long_is_ended_also_where_it_rests(
    store: Store, loop: Loop
) -> None:
    async def never(store: Store, change: Change) -> None:
        loop.clock.now += 1
        await asyncio.Event().wait()

    slow = Consumer("test", (Thing,), never, timeout_seconds=0.01)
    other = Seen()
    await store.write(create(thing(1)))
    worker = Worker(store, [slow, consumer(other, name="other")], share=loop.share)
    await worker.drain()
    assert other.names == ["001"]

"""Networks and accounts that use more than their share of the processor wait; nobody else does."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

import pytest

from commonroom.accounts.secrets import hash_password
from commonroom.concurrency import gather_each
from commonroom.errors import ProcessorTimeUsed
from commonroom.http.processor_time import (
    ACCOUNT_SAVES,
    MAX_DELAY_SECONDS,
    NETWORK_SAVES,
    NEWCOMERS,
    Meter,
    ProcessorBudget,
    charge_caller,
    run_metered,
)
from commonroom.imports.lifecycle import read_beside
from commonroom.metering import MeteredThreads, create_metered_task, metered, unmetered

SHARE = 0.5
DEAR, CHEAP = 2.0, 0.005
ADA = (b"cookie", b"session=adas")


class Clock:
    """A clock that goes on only where it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def budget(clock: Clock) -> ProcessorBudget:
    return ProcessorBudget(SHARE, clock)


def asked_by(*headers: tuple[bytes, bytes], client: str = "192.0.2.1") -> Any:
    """A request, as a server gives it."""
    shown = [(b"host", b"home.example"), *headers]
    return {"type": "http", "scheme": "http", "headers": shown, "client": (client, 1), "state": {}}


async def enter(
    budget: ProcessorBudget,
    *headers: tuple[bytes, bytes],
    network: str = "192.0.2.1",
    user_id: str | None = None,
) -> Meter:
    """What a request passes until its handler works: the door, and the guard that knows it."""
    scope = asked_by(*headers, client=network)
    meter = budget.meter(scope, network)
    if meter.allowance.left <= 0:
        await budget.admit(meter, scope, network)
    await charge_caller(scope, user_id)
    return meter


async def use_up(budget: ProcessorBudget, *, further: float = 0.0, **who: Any) -> None:
    """Takes all that somebody has saved, and so much more."""
    meter = await enter(budget, **who)
    meter.charge(meter.allowance.left + further)


class TestMetering:
    @pytest.fixture
    def spent(self) -> list[float]:
        return []

    async def test_only_the_steps_of_the_work_count_and_not_what_it_waits_for(
        self, clock: Clock, spent: list[float]
    ) -> None:
        turn = asyncio.Event()

        async def work(seconds: float) -> str:
            clock.now += seconds
            await turn.wait()
            clock.now += seconds
            return "done"

        others: list[float] = []
        both = asyncio.gather(
            _awaited(metered(work(1), spent.append, clock)),
            _awaited(metered(work(10), others.append, clock)),
        )
        await asyncio.sleep(0)
        clock.now += 100
        turn.set()
        assert list(await both) == ["done", "done"]
        assert (sum(spent), sum(others)) == (2, 20)

    async def test_failures_and_being_cancelled_go_through_and_count(
        self, clock: Clock, spent: list[float]
    ) -> None:
        async def failing() -> None:
            clock.now += 1
            await asyncio.sleep(0)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await metered(failing(), spent.append, clock)
        assert sum(spent) == 1
        ended = []

        async def waiting() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                clock.now += 5
                ended.append(True)

        task = asyncio.create_task(_awaited(metered(waiting(), spent.append, clock)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == [True]
        assert sum(spent) == 6

    async def test_threads_count_for_the_request_that_they_are_for(
        self, budget: ProcessorBudget
    ) -> None:
        asyncio.get_running_loop().set_default_executor(MeteredThreads())
        meter = await enter(budget)
        took = []

        def busy() -> None:
            began = time.thread_time()
            while time.thread_time() - began < 0.01:
                pass
            took.append(time.thread_time() - began)

        async def work() -> None:
            await asyncio.to_thread(busy)

        await run_metered(work(), meter)
        await asyncio.to_thread(busy)  # which is for no request
        assert took[0] <= meter.spent
        assert len(took) == 2
        assert meter.allowance.left == pytest.approx(SHARE * NETWORK_SAVES - meter.spent)


def busy() -> float:
    """Takes a while of processor time, and says how much."""
    began = time.thread_time()
    while time.thread_time() - began < 0.01:
        pass
    return time.thread_time() - began


class TestTasks:
    """What a request does in tasks, and in threads of others than the event loop's, is its own."""

    @pytest.fixture(autouse=True)
    async def factory(self) -> None:
        asyncio.get_running_loop().set_task_factory(create_metered_task)

    async def test_what_a_request_gathers_counts_for_it(self, budget: ProcessorBudget) -> None:
        meter = await enter(budget)
        took: list[float] = []

        async def child(_number: int = 0) -> None:
            await asyncio.sleep(0)
            took.append(busy())

        async def work() -> None:
            await asyncio.gather(child(), asyncio.create_task(child()))
            await gather_each(child, range(2))
            async with asyncio.TaskGroup() as group:
                group.create_task(child())

        await run_metered(work(), meter)
        assert len(took) == 5
        assert meter.spent >= sum(took)
        before = meter.spent
        await asyncio.gather(child())  # which is for no request
        assert meter.spent == before

    async def test_what_goes_on_for_everybody_counts_for_nobody(
        self, budget: ProcessorBudget
    ) -> None:
        meter = await enter(budget)
        shared: list[asyncio.Task[None]] = []

        async def child() -> None:
            await asyncio.sleep(0)
            busy()

        async def work() -> None:
            with unmetered():
                shared.append(asyncio.create_task(child()))

        await run_metered(work(), meter)
        before = meter.spent
        await asyncio.gather(*shared)
        assert meter.spent == before

    async def test_a_task_that_fails_or_is_cancelled_does_so_as_ever(
        self, budget: ProcessorBudget
    ) -> None:
        async def failing() -> None:
            raise ZeroDivisionError

        async def work() -> None:
            waiting = asyncio.create_task(asyncio.Event().wait())
            await asyncio.sleep(0)
            waiting.cancel()
            results = await asyncio.gather(waiting, failing(), return_exceptions=True)
            assert [type(one) for one in results] == [asyncio.CancelledError, ZeroDivisionError]

        await run_metered(work(), await enter(budget))

    async def test_reading_files_and_hashing_passwords_count(self, budget: ProcessorBudget) -> None:
        meter = await enter(budget)
        took: list[float] = []

        async def work() -> None:
            took.append(await read_beside(busy))
            before = meter.spent
            await hash_password("a lamp in the hall")
            took.append(meter.spent - before)

        await run_metered(work(), meter)
        assert meter.spent >= took[0]
        assert took[1] > 0


class TestWaiting:
    async def test_a_network_that_has_used_its_share_is_refused_and_others_are_not(
        self, budget: ProcessorBudget
    ) -> None:
        await use_up(budget, further=2.0)
        with pytest.raises(ProcessorTimeUsed) as refused:
            await enter(budget)
        assert refused.value.retry_after == 2.0 / SHARE
        await enter(budget, network="192.0.2.2")

    async def test_it_may_go_on_as_time_goes_by(
        self, budget: ProcessorBudget, clock: Clock
    ) -> None:
        await use_up(budget, further=2.0)
        clock.now += 2.0 / SHARE + 1
        assert (await enter(budget)).allowance.left == pytest.approx(SHARE)

    async def test_no_more_is_saved_than_a_burst(
        self, budget: ProcessorBudget, clock: Clock
    ) -> None:
        clock.now += 1_000_000
        assert (await enter(budget)).allowance.left == SHARE * NETWORK_SAVES

    async def test_who_is_a_moment_early_waits_and_is_let_in_one_after_the_other(self) -> None:
        budget = ProcessorBudget(SHARE)
        await use_up(budget, further=0.01)
        running: list[int] = []

        async def one(number: int) -> None:
            meter = await enter(budget)
            running.append(number)
            meter.charge(MAX_DELAY_SECONDS * SHARE * 2)

        results = await asyncio.gather(
            *(one(number) for number in range(5)), return_exceptions=True
        )
        assert len(running) == 1, "what the first used is not there for the others"
        assert [type(it) for it in results].count(ProcessorTimeUsed) == 4

    async def test_ten_dear_requests_a_second_get_their_network_s_share_and_no_other_waits(
        self, clock: Clock
    ) -> None:
        waits: Counter[str] = Counter()
        began, used = clock(), 0.0

        async def sleep(seconds: float) -> None:
            waits[asking] += 1
            clock.now += seconds

        budget = ProcessorBudget(SHARE, clock, sleep)
        for number in range(10 * 60):
            clock.now = max(clock.now, began + number / 10)
            asking = "attacker"
            try:
                (await enter(budget)).charge(DEAR)
                used += DEAR
            except ProcessorTimeUsed:
                waits["refused"] += 1
            asking = "other"
            (await enter(budget, network="192.0.2.2")).charge(CHEAP)
        assert used <= SHARE * (NETWORK_SAVES + clock() - began) + DEAR
        assert waits["attacker"] > 0
        assert waits["refused"] > 0
        assert waits["other"] == 0

    async def test_the_machine_itself_never_waits(self, budget: ProcessorBudget) -> None:
        here = {"network": "127.0.0.1"}
        await use_up(budget, further=100.0, **here)
        scope = asked_by(client="127.0.0.1") | {"headers": [(b"host", b"localhost:8400")]}
        await budget.admit(budget.meter(scope, "127.0.0.1"), scope, "127.0.0.1")
        with pytest.raises(ProcessorTimeUsed):
            await enter(budget, (b"x-forwarded-for", b"198.51.100.1"), **here)


class TestAccounts:
    async def test_an_account_pays_for_itself_also_for_what_was_taken_before_it_was_known(
        self, budget: ProcessorBudget
    ) -> None:
        scope = asked_by(ADA)
        meter = budget.meter(scope, "192.0.2.1")
        meter.charge(1.0)
        await charge_caller(scope, "ada")
        meter.charge(2.0)
        assert budget.account("ada").left == SHARE * ACCOUNT_SAVES - 3.0
        assert (await enter(budget)).allowance.left == SHARE * NETWORK_SAVES

    async def test_a_household_is_not_slowed_by_guests_behind_its_address(
        self, budget: ProcessorBudget
    ) -> None:
        await use_up(budget, further=100.0)
        for _ in range(3 * NEWCOMERS.burst):
            await enter(budget, ADA, user_id="ada")
        with pytest.raises(ProcessorTimeUsed):
            await enter(budget)

    async def test_who_shows_credentials_of_nobody_is_soon_refused_at_the_door(
        self, budget: ProcessorBudget
    ) -> None:
        await use_up(budget, further=100.0)
        scopes = [asked_by((b"cookie", b"session=%d" % number)) for number in range(100)]
        refused = 0
        for scope in scopes:
            try:
                await budget.admit(budget.meter(scope, "192.0.2.1"), scope, "192.0.2.1")
            except ProcessorTimeUsed:
                refused += 1
        assert refused == len(scopes) - NEWCOMERS.burst
        with pytest.raises(ProcessorTimeUsed):  # and whoever got so far, by the guard
            await charge_caller(scopes[0], None)

    async def test_an_account_that_has_used_its_share_is_refused_from_anywhere(
        self, budget: ProcessorBudget
    ) -> None:
        await use_up(budget, further=100.0, user_id="ada")
        for network in ("192.0.2.1", "192.0.2.2"):
            with pytest.raises(ProcessorTimeUsed):
                await enter(budget, ADA, network=network, user_id="ada")
        await enter(budget, user_id="ben")
        await enter(budget)

    async def test_who_was_signed_out_is_known_no_longer(self, budget: ProcessorBudget) -> None:
        await use_up(budget, further=100.0)
        await enter(budget, ADA, user_id="ada")
        with pytest.raises(ProcessorTimeUsed):
            await enter(budget, ADA)
        for number in range(NEWCOMERS.burst):
            await use_newcomer(budget, number)
        with pytest.raises(ProcessorTimeUsed):
            await enter(budget, ADA, user_id="ada")


async def use_newcomer(budget: ProcessorBudget, number: int) -> None:
    """Somebody else comes in to be recognised."""
    scope = asked_by((b"cookie", b"session=%d" % number))
    try:
        await budget.admit(budget.meter(scope, "192.0.2.1"), scope, "192.0.2.1")
    except ProcessorTimeUsed:
        return


async def _awaited(work: Any) -> Any:
    return await work

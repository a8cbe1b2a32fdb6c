"""Timers are done at their moment, at least once, by one process at a time, in order."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from commonroom.moments import iso
from commonroom.store import ConditionFailed, Store, counting, create, delete, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import BeingUpgraded, Unavailable
from commonroom.store.streams import RetryPolicy
from commonroom.timers import Scheduler, Timer, timer
from commonroom.timers.scheduler import BATCH, LEASE_SECONDS, QUIET_POLLS
from commonroom.timers.tables import BUCKETS, failed_timers, tables, timers, waiting_timers
from tests.accounts.people import Watch
from tests.support.clocks import DAY, SET_BACK, YEAR
from tests.support.hostile_engine import Hostility, hostile_file

IMPATIENT = RetryPolicy(first_delay=10, longest_delay=40, max_attempts=4)


class Diary:
    """A handler that writes down what it did, and fails or asks to come again where told to."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.failing: set[str] = set()
        self.again: dict[str, float] = {}

    async def __call__(self, store: Store, timer: Timer, now: float) -> float | None:
        name = timer.about["name"]
        if name in self.failing:
            raise RuntimeError(f"no luck with {name}")
        self.done.append(name)
        return self.again.pop(name, None)


@pytest.fixture
def diary() -> Diary:
    return Diary()


@pytest.fixture
def scheduler(store: Store, diary: Diary, clock: Watch) -> Scheduler:
    return Scheduler(store, {"note": diary}, retry_policy=IMPATIENT, clock=clock)


def note(name: str, at: float) -> Timer:
    return timer("note", at, {"name": name})


async def left(store: Store) -> list[Timer]:
    asked = [waiting_timers(bucket=f"due#{number}") for number in range(BUCKETS)]
    return (await store.merged(asked, limit=100)).items


class TestADamagedTimer:
    async def test_holds_no_other_up(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        names = [f"{number:02}" for number in range(30)]
        for number, name in enumerate(names):
            await store.write(put(note(name, clock() + number)))
        damaged = note("00", clock()).to_item() | {"tries": "many"}
        await store.engine.load(timers, [damaged])
        clock.forward(60)

        assert await scheduler.once() == 29

        assert diary.done == names[1:]


class TestWhatIsDue:
    async def test_is_done_in_the_order_of_its_moments_and_is_gone(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        names = [f"{number:02}" for number in range(30)]
        for number, name in sorted(enumerate(names), key=lambda one: one[1][::-1]):
            await store.write(put(note(name, clock() + number)))
        clock.forward(60)
        assert await scheduler.once() == 30
        assert diary.done == names
        assert await left(store) == []
        assert await scheduler.once() == 0

    async def test_is_not_done_before_its_moment(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        await store.write(put(note("early", clock() + 10)), put(note("late", clock() + 20)))
        clock.forward(9)
        assert await scheduler.once() == 0
        clock.forward(1)
        assert await scheduler.once() == 1
        assert diary.done == ["early"]

    async def test_knows_its_moment_however_late_it_is_done(
        self, store: Store, clock: Watch
    ) -> None:
        seen: list[tuple[float, float]] = []

        async def look(store: Store, timer: Timer, now: float) -> None:
            seen.append((timer.moment, now))

        due = clock()
        await store.write(put(note("late", due)))
        clock.forward(5000)
        await Scheduler(store, {"note": look}, clock=clock).once()
        assert seen == [(due, clock())]

    async def test_may_be_more_than_fits_in_one_go(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        many = [put(note(f"{number}", clock())) for number in range(BATCH + 10)]
        await store.write(*many)
        assert await scheduler.once() == BATCH
        assert await scheduler.once() == 10
        assert len(set(diary.done)) == BATCH + 10

    async def test_set_twice_is_done_once(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        await store.write(put(note("once", clock())))
        await store.write(put(note("once", clock())))
        await scheduler.once()
        assert diary.done == ["once"]

    async def test_can_be_taken_back(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        await store.write(put(note("never", clock())))
        await store.write(delete(note("never", clock())))
        assert await scheduler.once() == 0

    async def test_goes_into_the_transaction_of_its_reason(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        taken = note("reason", clock() + 100)
        await store.write(create(taken))
        with pytest.raises(ConditionFailed):
            await store.write(create(taken), put(note("consequence", clock())))
        assert await scheduler.once() == 0

    async def test_comes_again_when_its_handler_says_so(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        diary.again = {"daily": clock() + LEASE_SECONDS}
        await store.write(put(note("daily", clock())))
        await scheduler.once()
        assert [(one.due_at, one.tries) for one in await left(store)] == [
            (iso(clock() + LEASE_SECONDS), 0)
        ]
        clock.forward(LEASE_SECONDS)
        await scheduler.once()
        assert diary.done == ["daily", "daily"]
        assert await left(store) == []

    async def test_does_not_come_again_at_once_when_its_handler_asks_for_the_past(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        diary.again = {"eager": clock() - 1000}
        await store.write(put(note("eager", clock())))
        assert await scheduler.once() == 1
        assert await scheduler.once() == 0
        assert len(await left(store)) == 1


class TestAHandlerThatFails:
    async def test_is_tried_again_after_pauses_that_grow(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        diary.failing = {"bad"}
        await store.write(put(note("bad", clock())), put(note("good", clock())))
        waits = []
        await scheduler.once()
        for _ in range(2):
            [one] = await left(store)
            waits.append(round(one.moment - clock()))
            clock.forward(one.moment - clock())
            await scheduler.once()
        diary.failing = set()
        [one] = await left(store)
        waits.append(round(one.moment - clock()))
        clock.forward(one.moment - clock())
        await scheduler.once()
        assert waits == [10, 20, 40]
        assert diary.done == ["good", "bad"]
        assert await left(store) == []

    async def test_is_given_up_in_the_end_and_kept_where_it_shows(
        self,
        store: Store,
        scheduler: Scheduler,
        diary: Diary,
        clock: Watch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        diary.failing = {"bad"}
        await store.write(put(note("bad", clock())))
        for _ in range(10):
            await scheduler.once()
            clock.forward(60)
        [given_up] = (await store.page(failed_timers())).items
        assert (given_up.kind, given_up.about, given_up.tries) == ("note", {"name": "bad"}, 4)
        assert given_up.error == "RuntimeError: no luck with bad"
        assert "A timer for note was given up." in caplog.messages
        assert await left(store) == []
        clock.forward(31 * 24 * 3600)
        assert (await store.page(failed_timers())).items == []

    async def test_that_waits_for_an_upgrade_is_never_given_up(
        self, store: Store, clock: Watch
    ) -> None:
        tried = []

        async def ask(store: Store, timer: Timer, now: float) -> None:
            tried.append(timer)
            raise BeingUpgraded("This cannot be shown yet.")

        scheduler = Scheduler(store, {"note": ask}, retry_policy=IMPATIENT, clock=clock)
        await store.write(put(note("patient", clock())))
        for _ in range(10):
            await scheduler.once()
            clock.forward(60)
        assert len(tried) == 10
        assert (await store.page(failed_timers())).items == []

    async def test_that_hangs_counts_as_failed(
        self, store: Store, clock: Watch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def hang(store: Store, timer: Timer, now: float) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr("commonroom.timers.scheduler.HANDLER_SECONDS", 0.01)
        await store.write(put(note("slow", clock())))
        assert await Scheduler(store, {"note": hang}, clock=clock).once() == 1
        [one] = await left(store)
        assert one.tries == 1

    async def test_and_a_kind_that_nobody_knows_wait_for_somebody_who_does(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        await store.write(put(note("newer", clock())))
        await Scheduler(store, {}, retry_policy=IMPATIENT, clock=clock).once()
        clock.forward(10)
        await scheduler.once()
        assert diary.done == ["newer"]


class TestSeveralProcesses:
    async def test_never_do_one_timer_at_the_same_time(self, store: Store, clock: Watch) -> None:
        begun: list[str] = []
        go_on = asyncio.Event()

        async def slowly(store: Store, timer: Timer, now: float) -> None:
            begun.append(timer.about["name"])
            if len(begun) == 2:
                go_on.set()
            await go_on.wait()

        await store.write(*[put(note(f"{number}", clock())) for number in range(12)])
        two = [Scheduler(store, {"note": slowly}, clock=clock) for _ in "12"]
        tried = await asyncio.gather(*(one.once() for one in two))
        tried += await asyncio.gather(*(one.once() for one in two))
        assert sum(tried) == 12
        assert sorted(begun, key=int) == [f"{number}" for number in range(12)]
        assert await left(store) == []

    async def test_take_over_what_one_that_died_was_at(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        await store.write(put(note("work", clock())))
        dying = asyncio.Event()

        async def die(store: Store, timer: Timer, now: float) -> None:
            dying.set()
            await asyncio.Event().wait()

        process = asyncio.create_task(Scheduler(store, {"note": die}, clock=clock).once())
        await dying.wait()
        process.cancel()
        await asyncio.wait([process])
        assert await scheduler.once() == 0, "it is still taken for being done"
        clock.forward(LEASE_SECONDS)
        assert await scheduler.once() == 1
        assert diary.done == ["work"]

    async def test_do_again_what_was_done_but_not_crossed_off(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch
    ) -> None:
        class Torn(Store):
            """A store that fails once the work is done."""

            async def write(self, *writes: object) -> None:
                if diary.done:
                    raise Unavailable("The line was cut.")
                await super().write(*writes)  # type: ignore[arg-type] # they are writes

        await store.write(put(note("work", clock())))
        torn = Scheduler(Torn(store.engine), {"note": diary}, clock=clock)
        with pytest.raises(Unavailable):
            await torn.once()
        clock.forward(LEASE_SECONDS)
        await scheduler.once()
        assert diary.done == ["work", "work"]
        assert await left(store) == []


class TestRunning:
    async def test_it_does_what_comes_and_ends_when_told_to(
        self, store: Store, clock: Watch
    ) -> None:
        did = asyncio.Event()

        async def do(store: Store, timer: Timer, now: float) -> None:
            did.set()

        scheduler = Scheduler(store, {"note": do}, clock=clock)
        await store.write(put(note("work", clock())))
        running = asyncio.create_task(scheduler.run())
        await did.wait()
        scheduler.stop()
        await running
        assert await left(store) == []

    async def test_an_idle_look_is_one_request_for_each_bucket_and_writes_nothing(
        self, store: Store, scheduler: Scheduler, clock: Watch
    ) -> None:
        await store.write(put(note("later", clock() + 1000)))
        with counting() as tally:
            await scheduler.once()
        assert (tally.reads, tally.writes) == (BUCKETS, 0)

    async def test_it_looks_rarely_where_nothing_is_known_to_have_happened(
        self, dynamodb: Store, clock: Watch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("commonroom.timers.scheduler.POLL_SECONDS", 0.001)
        pauses = 0
        enough = asyncio.Event()

        def nobody_knows() -> None:
            nonlocal pauses
            pauses += 1
            if pauses == 10 * QUIET_POLLS:
                enough.set()

        monkeypatch.setattr(dynamodb.engine, "change_number", nobody_knows)
        scheduler = Scheduler(dynamodb, {}, clock=clock)
        with counting() as tally:
            running = asyncio.create_task(scheduler.run())
            await enough.wait()
            scheduler.stop()
            await running
        assert tally.reads <= 11 * BUCKETS

    async def test_it_looks_soon_when_it_is_told_that_something_happened(
        self, dynamodb: Store, clock: Watch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("commonroom.timers.scheduler.POLL_SECONDS", 0.001)
        monkeypatch.setattr("commonroom.timers.scheduler.QUIET_POLLS", 10**9)
        did, looked = asyncio.Event(), asyncio.Event()

        async def do(store: Store, timer: Timer, now: float) -> None:
            did.set()

        monkeypatch.setattr(dynamodb.engine, "change_number", looked.set)
        scheduler = Scheduler(dynamodb, {"note": do}, clock=clock)
        running = asyncio.create_task(scheduler.run())
        await looked.wait()
        await dynamodb.write(put(note("work", clock())))
        scheduler.wake()
        await did.wait()
        scheduler.stop()
        await running

    async def test_trouble_with_the_store_is_waited_out(
        self, tmp_path: Path, clock: Watch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("commonroom.timers.scheduler.POLL_SECONDS", 0.001)
        trouble = Hostility(throttled_reads=0.03, throttled_writes=0.2, lost_answers=0.2)
        seen: set[str] = set()
        all_seen = asyncio.Event()

        async def do(store: Store, timer: Timer, now: float) -> None:
            seen.add(timer.about["name"])
            if len(seen) == 20:
                all_seen.set()

        async with hostile_file(
            tmp_path, tables, seed=5, hostility=trouble, clock=clock
        ) as hostile:
            calm = Store(hostile.inner)
            await calm.write(*[put(note(f"{number}", clock())) for number in range(20)])
            scheduler = Scheduler(Store(hostile), {"note": do}, clock=clock)
            running = asyncio.create_task(scheduler.run())
            while not all_seen.is_set():
                clock.forward(LEASE_SECONDS)
                await asyncio.sleep(0.01)
            scheduler.stop()
            await running
            assert hostile.happened.total() > 0


async def test_a_timer_outlives_the_process_that_set_it(tmp_path: Path, clock: Watch) -> None:
    first = Store(EmbeddedEngine(tmp_path / "timers.db", tables, clock=clock))
    await first.write(put(note("kept", clock())))
    await first.close()
    diary = Diary()
    second = Store(EmbeddedEngine(tmp_path / "timers.db", tables, clock=clock))
    await Scheduler(second, {"note": diary}, clock=clock).once()
    assert diary.done == ["kept"]
    assert (await second.engine.scan(timers, limit=10)).items == []
    await second.close()


@pytest.mark.parametrize("ahead", SET_BACK)
class TestAClockThatIsSetBack:
    async def test_leaves_failed_and_repeated_timers_as_long_to_wait_as_was_meant(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch, ahead: float
    ) -> None:
        clock.now += ahead
        diary.failing.add("failing")
        diary.again["daily"] = clock() + DAY
        for name in ("failing", "daily"):
            await store.write(put(note(name, clock())))
        assert await scheduler.once() == 2
        clock.now -= ahead
        diary.failing.clear()
        await scheduler.follow_clock()
        clock.forward(IMPATIENT.first_delay)
        assert await scheduler.once() == 1
        clock.forward(DAY)
        assert await scheduler.once() == 1
        assert diary.done == ["daily", "failing", "daily"]

    async def test_is_noticed_while_timers_run(
        self, store: Store, scheduler: Scheduler, diary: Diary, clock: Watch, ahead: float
    ) -> None:
        clock.now += ahead
        await scheduler.follow_clock()
        await store.write(put(timer("note", clock() + 60, {"name": "quiet"}, set_at=clock())))
        clock.now -= ahead
        await scheduler.follow_clock()
        clock.forward(60)
        assert await scheduler.once() == 1
        assert diary.done == ["quiet"]

    async def test_moves_no_moment_that_somebody_chose(
        self, store: Store, scheduler: Scheduler, clock: Watch, ahead: float
    ) -> None:
        chosen = note("party", clock() + 2 * YEAR)
        clock.now += ahead
        await store.write(put(chosen))
        clock.now -= ahead
        await scheduler.follow_clock()
        assert await left(store) == [chosen]

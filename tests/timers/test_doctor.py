"""The doctor says which timers were given up, and which are late."""

from __future__ import annotations

import pytest

from commonroom.doctor.store import examine_timers
from commonroom.store import Store, put
from commonroom.store.streams import RetryPolicy
from commonroom.timers import Scheduler, Timer, timer
from tests.accounts.people import Watch


async def fail(store: Store, timer: Timer, now: float) -> None:
    raise RuntimeError(f"no luck with {timer.about['name']}")


async def test_all_is_well_where_nothing_waits_or_it_is_not_due(store: Store, clock: Watch) -> None:
    await store.write(put(timer("note", clock() + 10, {"name": "later"})))
    [finding] = await examine_timers(store, clock())
    assert (finding.level, finding.about) == ("ok", "timers")


async def test_what_was_given_up_is_a_problem_with_its_last_error(
    store: Store, clock: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    scheduler = Scheduler(
        store, {"note": fail}, retry_policy=RetryPolicy(max_attempts=1), clock=clock
    )
    for name in ("first", "last"):
        await store.write(put(timer("note", clock(), {"name": name})))
        await scheduler.once()
        clock.forward(1)
    [finding] = await examine_timers(store, clock())
    assert finding.level == "problem"
    assert finding.detail == (
        "2 for note failed for good, the last with: RuntimeError: no luck with last"
    )


async def test_one_that_should_have_been_done_by_now_is_a_warning(
    store: Store, clock: Watch
) -> None:
    await store.write(put(timer("note", clock(), {})))
    clock.forward(3600)
    [finding] = await examine_timers(store, clock())
    assert finding.level == "warning"
    assert "one for note is 60 minutes late" in finding.detail

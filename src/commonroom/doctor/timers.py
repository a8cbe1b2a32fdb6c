"""How timers are doing: what was given up, and what should have been done by now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.store import Store
from commonroom.timers.scheduler import WAITING_BY_BUCKET
from commonroom.timers.tables import FailedTimer, Timer, failed_timers

LATE_SECONDS = 300.0
MOST = 1000
"""How many given up timers are looked at."""


async def examine_timers(store: Store, now: float) -> list[Finding]:
    """What waits, and what nobody will do any more."""
    given_up = await store.page(failed_timers(), limit=MOST)
    first = await store.merged(WAITING_BY_BUCKET, limit=1)
    findings = [*_given_up(given_up.items), *_late(first.items, now)]
    return findings or [ok("timers", "none was given up, and none is late")]


def _given_up(given_up: Sequence[FailedTimer]) -> Iterator[Finding]:
    """The newest come first."""
    for kind, count in Counter(one.kind for one in given_up).items():
        last = next(one for one in given_up if one.kind == kind)
        yield problem(
            "timers",
            f"{count} for {kind} were given up, the last with: {last.error}",
            "Mend the cause. What was given up is not done any more; it is shown for 30 days.",
        )


def _late(first: Sequence[Timer], now: float) -> Iterator[Finding]:
    for timer in first:
        if now - timer.moment > LATE_SECONDS:
            late = (now - timer.moment) / 60
            mend = "Is Commonroom running? They are done as soon as it is."
            yield warning("timers", f"one for {timer.kind} is {late:.0f} minutes late", mend)

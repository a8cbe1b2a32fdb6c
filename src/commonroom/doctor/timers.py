"""How timers are doing: what was given up, and what should have been done by now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.store import Store
from commonroom.timers.clockwork import BY_BUCKET
from commonroom.timers.tables import GivenUp, Timer, timers_given_up

LATE_SECONDS = 300.0
MOST = 1000
"""How many given up timers are looked at."""


async def examine_timers(store: Store, now: float) -> list[Finding]:
    """What waits, and what nobody will do any more."""
    given_up = await store.page(timers_given_up(), limit=MOST)
    first = await store.merged(BY_BUCKET, limit=1)
    findings = [*_given_up(given_up.items), *_late(first.items, now)]
    return findings or [ok("timers", "none failed, and none is late")]


def _given_up(given_up: Sequence[GivenUp]) -> Iterator[Finding]:
    """The newest come first."""
    for kind, count in Counter(one.kind for one in given_up).items():
        last = next(one for one in given_up if one.kind == kind)
        yield problem(
            "timers",
            f"{count} for {kind} failed for good, the last with: {last.error}",
            "Fix the cause. They are not tried again; they are shown for 30 days.",
        )


def _late(first: Sequence[Timer], now: float) -> Iterator[Finding]:
    for timer in first:
        if now - timer.moment > LATE_SECONDS:
            late = (now - timer.moment) / 60
            mend = "Is Commonroom running? They are handled as soon as it is."
            yield warning("timers", f"one for {timer.kind} is {late:.0f} minutes late", mend)

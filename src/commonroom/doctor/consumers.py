"""How the consumers of changes are doing: what they set aside, and how far behind they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress

from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.errors import CommonroomError
from commonroom.model import MODEL
from commonroom.store import Store, StoreError
from commonroom.store.streams.tables import Parked, ShardState, consumers

BEHIND_SECONDS = 300.0
MOST = 10_000
"""How many records of consumers are looked at."""


async def examine_consumers(store: Store, now: float) -> list[Finding]:
    """Every consumer that has ever run against this store."""
    parked: list[Parked] = []
    states: list[ShardState] = []
    async for one in _records(store):
        if isinstance(one, Parked):
            parked.append(one)
        else:
            states.append(one)
    findings = [*_set_aside(parked), *_waiting(parked), *await _behind(store, states, now)]
    names = {one.consumer for one in parked} | {one.consumer for one in states}
    return findings or [ok("consumers", f"{len(names)} have run; none is behind or failing")]


async def _records(store: Store) -> AsyncIterator[Parked | ShardState]:
    start, seen = None, 0
    while seen < MOST:
        rows = await store.engine.scan(consumers, limit=500, start=start)
        for item in rows.items:
            with suppress(StoreError):  # what does not decode is for `commonroom check` to say
                if item.get("kind") == Parked.declared.kind:
                    yield Parked.from_item(item)
                else:
                    yield ShardState.from_item(item)
        seen += len(rows.items)
        start = rows.next
        if start is None:
            return


def _set_aside(parked: list[Parked]) -> Iterator[Finding]:
    aside = [one for one in parked if one.aside]
    for name, count in Counter(one.consumer for one in aside).items():
        last = max((one for one in aside if one.consumer == name), key=lambda one: one.changed_at)
        yield problem(
            "consumers",
            f"{name} gave up on {count} changes, the last with: {last.error}",
            "Nothing else is held up by them. Fix the cause, then run `commonroom check "
            "--repair` to fix copies.",
        )


def _waiting(parked: list[Parked]) -> Iterator[Finding]:
    waiting = [one for one in parked if not one.aside]
    for name, count in Counter(one.consumer for one in waiting).items():
        failed = next((one.error for one in waiting if one.consumer == name and one.error), "")
        mend = "They are retried automatically."
        yield warning("consumers", f"{name} has {count} changes waiting: {failed}", mend)


async def _behind(store: Store, states: list[ShardState], now: float) -> list[Finding]:
    oldest: dict[str, float] = {}
    for state in states:
        try:
            table = MODEL.table(state.stream)
            next_up = await store.engine.changes(table, state.shard, state.position, 1)
        except CommonroomError:
            continue  # a shard or a table that is no longer there
        if next_up.records:
            at = next_up.records[0].at
            oldest[state.consumer] = min(at, oldest.get(state.consumer, at))
    mend = "Is Commonroom running? Changes are kept for 24 hours."
    return [
        warning("consumers", f"{name} is {(now - at) / 60:.0f} minutes behind", mend)
        for name, at in oldest.items()
        if now - at > BEHIND_SECONDS
    ]

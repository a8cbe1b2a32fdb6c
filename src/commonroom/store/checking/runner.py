"""The check runner: scans everything that is stored, and lets every check examine it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from commonroom.concurrency import gather_each
from commonroom.store.checking.checks import (
    Check,
    Problem,
    StoredEntity,
    damaged_item_problem,
    decode_stored,
)
from commonroom.store.damage import tolerating_damage
from commonroom.store.declare.table import Table
from commonroom.store.errors import ConditionFailed, DamagedItem, Refused
from commonroom.store.store import Store
from commonroom.store.values import Key

PAGE = 100
WRITTEN_AT_ONCE = frozenset({"decoding", "completeness", "keys", "counts"})
"""Checks of what is written in one transaction: no consumer is about to mend what they find."""


class ReportedProblem(Struct, frozen=True):
    """A problem, and whether it was mended."""

    check: str
    table: str
    key: Key
    detail: str
    repaired: bool
    on_its_way: bool = False
    """Whether consumers have changes to handle that may mend it."""


class CheckSummary(Struct):
    """How much was looked at, found, mended, and left to consumers."""

    items: int = 0
    found: int = 0
    repaired: int = 0
    on_its_way: int = 0

    @property
    def left(self) -> int:
        """What is still wrong, and nobody is about to mend."""
        return self.found - self.repaired - self.on_its_way

    def __add__(self, other: CheckSummary) -> CheckSummary:
        """Both together."""
        return CheckSummary(
            self.items + other.items,
            self.found + other.found,
            self.repaired + other.repaired,
            self.on_its_way + other.on_its_way,
        )


class Grace(Protocol):
    """Time for consumers, who may be about to mend what looks wrong."""

    async def wait(self) -> bool:
        """Waits a moment; False where waiting longer changes nothing."""

    async def is_behind(self) -> bool:
        """Whether consumers still have changes to handle."""


class Prepare(Protocol):
    """Looks at a problem before it is repaired."""

    async def __call__(self, problem: Problem) -> Problem:
        """The problem with the repair that is to be made."""


class Handle(Protocol):
    """Repairs and reports a problem."""

    async def __call__(self, problem: Problem, *, behind: bool = False) -> bool:
        """Says whether it was mended; consumers may be `behind` with what would mend it."""


async def check_store(
    store: Store,
    tables: Sequence[Table],
    checks: Sequence[Check],
    *,
    repair: bool,
    report: Callable[[ReportedProblem], None],
    progress: Callable[[str, int], None],
    grace: Grace | None = None,
    prepare: Prepare | None = None,
    at_once: int = 1,
) -> CheckSummary:
    """Looks at every item; that each decodes is checked always, all else by the checks given.

    With a grace period, what looks wrong is looked at again: consumers may be at work on it. Before
    a repair, whoever wants to `prepare` it is asked, and may know of another one. Repairs that are
    made `at_once` may be in each other's way: whoever wants that looks at everything again.
    """
    outcome = CheckSummary()

    async def handle(problem: Problem, *, behind: bool = False) -> bool:
        if repair and prepare is not None:
            problem = await prepare(problem)
        reported = await _repair(store, problem, repair=repair)
        if behind and not reported.repaired and problem.check not in WRITTEN_AT_ONCE:
            reported = replace(reported, on_its_way=True)
        outcome.found += 1
        outcome.repaired += reported.repaired
        outcome.on_its_way += reported.on_its_way
        report(reported)
        return reported.repaired

    for table in tables:
        start = None
        while True:
            rows = await store.engine.scan(table, limit=PAGE, start=start)
            read = [decode_stored(table, item) for item in rows.items]
            read += [damaged_item_problem(one) for one in rows.damaged]
            things = [one for one in read if isinstance(one, StoredEntity)]
            for problem in read:
                if isinstance(problem, Problem):
                    await handle(problem)
            await _examine(store, checks, things, grace, handle, at_once=at_once)
            outcome.items += len(read)
            progress(table.name, len(read))
            start = rows.next
            if start is None:
                break
    return outcome


async def _examine(
    store: Store,
    checks: Sequence[Check],
    things: Sequence[StoredEntity],
    grace: Grace | None,
    handle: Handle,
    *,
    at_once: int,
) -> None:
    """Handles what is wrong with some things; then what its repair has left behind, and so on."""
    handled: set[tuple[str, Key]] = set()
    mended = True
    while mended:
        found = await _find_lasting(store, checks, things, grace)
        problems = [one for one in found if (one.check, one.key) not in handled]
        handled |= {(one.check, one.key) for one in problems}
        behind = bool(problems) and grace is not None and await grace.is_behind()
        made = await gather_each(partial(handle, behind=behind), problems, limit=at_once)
        mended = any(made)
        if mended:
            things = await _read_again(store, things)


async def _find_lasting(
    store: Store,
    checks: Sequence[Check],
    things: Sequence[StoredEntity],
    grace: Grace | None,
) -> list[Problem]:
    """What is wrong with some things, and still is after the grace period."""
    problems = await _find(store, checks, things)
    while problems and grace is not None:
        waited = await grace.wait()
        things = await _read_again(store, things)
        before = {(one.check, one.key) for one in problems}
        later = await _find(store, checks, things)
        problems = [one for one in later if (one.check, one.key) in before]
        if not waited:
            break
    return problems


async def _find(
    store: Store, checks: Sequence[Check], things: Sequence[StoredEntity]
) -> list[Problem]:
    problems: list[Problem] = []
    for check in checks:
        try:
            problems += [problem async for problem in check.examine(store, things)]
        except DamagedItem:
            # What a thing is compared with may be damaged, which is named when its turn comes.
            some = [] if len(things) == 1 else things
            for thing in some:
                problems += await _find(store, [check], [thing])
    return problems


async def _read_again(store: Store, things: Sequence[StoredEntity]) -> list[StoredEntity]:
    """The same things as they are now; what is gone, or makes no sense any more, is left out."""
    places = [(thing.entity.schema.table, thing.key) for thing in things]
    with tolerating_damage():
        items = await store.engine.batch_get(places)
    read = [
        decode_stored(table, item)
        for (table, _), item in zip(places, items, strict=True)
        if item is not None
    ]
    return [one for one in read if isinstance(one, StoredEntity)]


async def _repair(store: Store, problem: Problem, *, repair: bool) -> ReportedProblem:
    detail, repaired = problem.detail, False
    if repair and problem.repair:
        try:
            await store.write(*problem.repair)
            repaired = True
        except ConditionFailed:
            detail += " It changed while it was being mended; check again."
        except Refused as refused:
            detail += f" It could not be mended: {refused.detail}"
    elif repair:
        detail += " Only a person can mend this."
    return ReportedProblem(problem.check, problem.table, problem.key, detail, repaired)

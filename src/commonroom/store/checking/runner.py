"""The check runner: scans everything that is stored, and lets every check examine it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from commonroom.store.checking.checks import (
    Check,
    Problem,
    StoredEntity,
    damaged_item_problem,
    decode_stored,
)
from commonroom.store.checking.repairing import Attempt, make_repairs
from commonroom.store.damage import tolerating_damage
from commonroom.store.declare.table import Table
from commonroom.store.errors import DamagedItem
from commonroom.store.store import Store
from commonroom.store.values import Key

PAGE = 100
MAX_PASSES = 5
"""How often a repair looks at everything: what it repairs last may matter to what it saw first."""

WRITTEN_AT_ONCE = frozenset({"decoding", "completeness", "keys", "counts"})
"""Checks of what is written in one transaction: no consumer is about to repair what they find."""


class ReportedProblem(Struct, frozen=True):
    """A problem, and whether it was repaired."""

    check: str
    table: str
    key: Key
    detail: str
    repaired: bool
    on_its_way: bool = False
    """Whether consumers have changes to handle that may repair it."""


class CheckSummary(Struct):
    """How much was looked at, found, repaired, and left to consumers."""

    items: int = 0
    found: int = 0
    repaired: int = 0
    on_its_way: int = 0

    @property
    def left(self) -> int:
        """What is still wrong, and nobody is about to repair."""
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
    """Time for consumers, who may be about to repair what looks wrong."""

    async def wait(self) -> bool:
        """Waits a moment; False where waiting longer changes nothing."""

    async def is_behind(self) -> bool:
        """Whether consumers still have changes to handle."""


class Prepare(Protocol):
    """Looks at a problem before it is repaired."""

    async def __call__(self, problem: Problem) -> Problem:
        """Returns the problem with the repair that is to be made."""


class Examination(Struct):
    """What is looked at, by which checks, and what is done about what they find."""

    store: Store
    checks: Sequence[Check]
    repair: bool
    report: Callable[[ReportedProblem], None]
    grace: Grace | None
    prepare: Prepare | None
    repeats: bool
    summary: CheckSummary

    async def examine(self, things: Sequence[StoredEntity]) -> None:
        """Handles what is wrong with some things; then what its repair has left behind, and so on.

        A repair that came too late is worked out anew, as long as others are made.
        """
        handled: set[tuple[str, Key]] = set()
        is_last = False
        while not is_last:
            found = await _find_lasting(self.store, self.checks, things, self.grace)
            problems = [one for one in found if (one.check, one.key) not in handled]
            is_behind = bool(problems) and self.grace is not None and await self.grace.is_behind()
            attempts = await self._attempt(problems)
            is_last = self.repeats or not any(one.is_repaired for one in attempts)
            done = [one for one in attempts if is_last or not one.is_outdated]
            handled |= {(one.problem.check, one.problem.key) for one in done}
            self._tell(done, is_behind=is_behind)
            if not is_last:
                things = await _read_again(self.store, things)

    async def handle(self, problems: Sequence[Problem]) -> None:
        """Repairs and reports problems."""
        self._tell(await self._attempt(problems), is_behind=False)

    async def _attempt(self, problems: Sequence[Problem]) -> list[Attempt]:
        if not self.repair:
            return [Attempt(one) for one in problems]
        if self.prepare is not None:
            problems = [await self.prepare(one) for one in problems]
        return await make_repairs(self.store, problems)

    def _tell(self, attempts: Sequence[Attempt], *, is_behind: bool) -> None:
        for one in attempts:
            reported = _reported(one, is_behind=is_behind)
            self.summary.found += 1
            self.summary.repaired += reported.repaired
            self.summary.on_its_way += reported.on_its_way
            self.report(reported)


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
    repeats: bool = False,
) -> CheckSummary:
    """Checks every item: that it decodes, and what the given checks say.

    With a grace period, what looks wrong is looked at again: consumers may be at work on it. Before
    a repair, checks with a `prepare` are asked, and may know of another one. What a repair has left
    behind is checked too, unless the caller `repeats` all of this.
    """
    summary = CheckSummary()
    examination = Examination(store, checks, repair, report, grace, prepare, repeats, summary)
    for table in tables:
        start = None
        while True:
            rows = await store.engine.scan(table, limit=PAGE, start=start)
            read = [decode_stored(table, item) for item in rows.items]
            read += [damaged_item_problem(one) for one in rows.damaged]
            await examination.handle([one for one in read if isinstance(one, Problem)])
            await examination.examine([one for one in read if isinstance(one, StoredEntity)])
            summary.items += len(read)
            progress(table.name, len(read))
            start = rows.next
            if start is None:
                break
    return summary


async def repair_store(
    store: Store,
    tables: Sequence[Table],
    checks: Sequence[Check],
    *,
    report: Callable[[ReportedProblem], None],
    progress: Callable[[str, int], None],
    grace: Grace | None = None,
) -> CheckSummary:
    """Checks and repairs every item, again and again until nothing more is repaired.

    What cannot be repaired is reported once, and counted as the last look at it found it.
    """
    seen: set[tuple[str, str, Key]] = set()

    def report_once(problem: ReportedProblem) -> None:
        place = problem.check, problem.table, problem.key
        if problem.repaired or place not in seen:
            report(problem)
        if not problem.repaired:
            seen.add(place)

    summary = CheckSummary()
    for _ in range(MAX_PASSES):
        last = await check_store(
            store, tables, checks, repair=True, report=report_once, progress=progress, grace=grace
        )
        repaired = summary.repaired + last.repaired
        found = repaired + last.left + last.on_its_way
        summary = CheckSummary(last.items, found, repaired, last.on_its_way)
        if not last.repaired:
            break
    return summary


async def _find_lasting(
    store: Store,
    checks: Sequence[Check],
    things: Sequence[StoredEntity],
    grace: Grace | None,
) -> list[Problem]:
    """Returns what is wrong with some things, and still is after the grace period."""
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
    """Reads the things again; what is gone, or makes no sense any more, is left out."""
    places = [(thing.entity.schema.table, thing.key) for thing in things]
    with tolerating_damage():
        items = await store.engine.batch_get(places)
    read = [
        decode_stored(table, item)
        for (table, _), item in zip(places, items, strict=True)
        if item is not None
    ]
    return [one for one in read if isinstance(one, StoredEntity)]


def _reported(attempt: Attempt, *, is_behind: bool) -> ReportedProblem:
    problem, repaired = attempt.problem, attempt.is_repaired
    return ReportedProblem(
        problem.check,
        problem.table,
        problem.key,
        f"{problem.detail} {attempt.why}".rstrip(),
        repaired,
        is_behind and not repaired and problem.check not in WRITTEN_AT_ONCE,
    )

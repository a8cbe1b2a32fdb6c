"""Goes through everything that is stored, some at a time, and lets every check look at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from commonroom.store.checking.problems import Check, Problem, Thing
from commonroom.store.checking.things import thing_of
from commonroom.store.declare.table import Table
from commonroom.store.errors import ConditionFailed, Refused
from commonroom.store.store import Store
from commonroom.store.values import Key

PAGE = 100


class Reported(Struct, frozen=True):
    """A problem, and whether it was mended."""

    check: str
    table: str
    key: Key
    detail: str
    repaired: bool


class Outcome(Struct):
    """How much was looked at, found and mended."""

    items: int = 0
    found: int = 0
    repaired: int = 0

    @property
    def left(self) -> int:
        """What is still wrong."""
        return self.found - self.repaired


async def check_store(
    store: Store,
    tables: Sequence[Table],
    checks: Sequence[Check],
    *,
    repair: bool,
    report: Callable[[Reported], None],
    told: Callable[[str, int], None],
) -> Outcome:
    """Looks at every item; that each decodes is checked always, all else by the checks given."""
    outcome = Outcome()

    async def handle(problem: Problem) -> None:
        reported = await _reported(store, problem, repair=repair)
        outcome.found += 1
        outcome.repaired += reported.repaired
        report(reported)

    for table in tables:
        start = None
        while True:
            rows = await store.engine.scan(table, limit=PAGE, start=start)
            read = [thing_of(table, item) for item in rows.items]
            things = [one for one in read if isinstance(one, Thing)]
            for problem in read:
                if isinstance(problem, Problem):
                    await handle(problem)
            for check in checks:
                async for problem in check.examine(store, things):
                    await handle(problem)
            outcome.items += len(rows.items)
            told(table.name, len(rows.items))
            start = rows.next
            if start is None:
                break
    return outcome


async def _reported(store: Store, problem: Problem, *, repair: bool) -> Reported:
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
    return Reported(problem.check, problem.table, problem.key, detail, repaired)

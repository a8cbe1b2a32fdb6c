"""Goes through everything that is stored, some at a time, and lets every check look at it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct

from commonroom.store.checking.patience import Patience
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
    patience: Patience | None = None,
) -> Outcome:
    """Looks at every item; that each decodes is checked always, all else by the checks given.

    With patience, what looks wrong is looked at again: people and consumers may be at work on it.
    """
    outcome = Outcome()

    async def handle(problem: Problem) -> bool:
        reported = await _reported(store, problem, repair=repair)
        outcome.found += 1
        outcome.repaired += reported.repaired
        report(reported)
        return reported.repaired

    for table in tables:
        start = None
        while True:
            rows = await store.engine.scan(table, limit=PAGE, start=start)
            read = [thing_of(table, item) for item in rows.items]
            things = [one for one in read if isinstance(one, Thing)]
            for problem in read:
                if isinstance(problem, Problem):
                    await handle(problem)
            await _examine(store, checks, things, patience, handle)
            outcome.items += len(rows.items)
            told(table.name, len(rows.items))
            start = rows.next
            if start is None:
                break
    return outcome


async def _examine(
    store: Store,
    checks: Sequence[Check],
    things: Sequence[Thing],
    patience: Patience | None,
    handle: Callable[[Problem], Awaitable[bool]],
) -> None:
    """Handles what is wrong with some things; then what its repair has left behind, and so on."""
    told: set[tuple[str, Key]] = set()
    mended = True
    while mended:
        found = await _found(store, checks, things, patience)
        problems = [one for one in found if (one.check, one.key) not in told]
        told |= {(one.check, one.key) for one in problems}
        mended = any([await handle(problem) for problem in problems])
        if mended:
            things = await _again(store, things)


async def _found(
    store: Store, checks: Sequence[Check], things: Sequence[Thing], patience: Patience | None
) -> list[Problem]:
    """What is wrong with some things, and still is after as many looks as there is patience for."""
    problems = await _examined(store, checks, things)
    while problems and patience is not None:
        waited = await patience.wait()
        things = await _again(store, things)
        before = {(one.check, one.key) for one in problems}
        later = await _examined(store, checks, things)
        problems = [one for one in later if (one.check, one.key) in before]
        if not waited:
            break
    return problems


async def _examined(
    store: Store, checks: Sequence[Check], things: Sequence[Thing]
) -> list[Problem]:
    return [problem for check in checks async for problem in check.examine(store, things)]


async def _again(store: Store, things: Sequence[Thing]) -> list[Thing]:
    """The same things as they are now; what is gone, or makes no sense any more, is left out."""
    places = [(thing.entity.declared.table, thing.key) for thing in things]
    items = await store.engine.batch_get(places)
    read = [
        thing_of(table, item)
        for (table, _), item in zip(places, items, strict=True)
        if item is not None
    ]
    return [one for one in read if isinstance(one, Thing)]


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

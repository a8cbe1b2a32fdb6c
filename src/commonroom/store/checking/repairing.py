"""Repairs: as many in one write as it holds; one that cannot be made keeps no other from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from commonroom.store.checking.checks import Problem
from commonroom.store.errors import ConditionFailed, Refused
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.operations import Write
from commonroom.store.store import Store
from commonroom.store.values import Key


class Attempt(Struct, frozen=True):
    """What came of a repair."""

    problem: Problem
    is_repaired: bool = False
    is_outdated: bool = False
    """Whether something had changed since the problem was found."""
    why: str = ""
    """Why it was not repaired."""


class JoinedRepairs(Struct):
    """Repairs in one write, in which each item stands once."""

    problems: list[Problem] = field(default_factory=list)
    writes: dict[tuple[str, Key], Write] = field(default_factory=dict)

    def joins(self, problem: Problem) -> bool:
        """Whether a repair has room in this write and changes nothing that another one holds."""
        fresh = sum(_item_of(one) not in self.writes for one in problem.repair)
        return len(self.writes) + fresh <= REQUEST_OPERATIONS and not self.meets(problem)

    def meets(self, problem: Problem) -> bool:
        """Whether a repair has something to do with the items of this write, beyond one check."""
        there = ((self.writes.get(_item_of(one)), one) for one in problem.repair)
        return any(it is not None and not _is_same_check(it, one) for it, one in there)

    def add(self, problem: Problem) -> None:
        """Takes a repair in."""
        self.problems.append(problem)
        self.writes |= {_item_of(one): one for one in problem.repair}


async def make_repairs(store: Store, problems: Sequence[Problem]) -> list[Attempt]:
    """Repairs what can be repaired; returns the attempts in the order of the problems."""
    by_hand = [one for one in problems if not one.repair]
    attempts = [Attempt(one, why="Only a person can repair this.") for one in by_hand]
    for joined in _joined(one for one in problems if one.repair):
        attempts += await _make(store, joined.problems)
    found = {id(problem): number for number, problem in enumerate(problems)}
    return sorted(attempts, key=lambda one: found[id(one.problem)])


def _joined(problems: Iterable[Problem]) -> list[JoinedRepairs]:
    """Each repair in the first write that has room, behind those with which it shares items."""
    several: list[JoinedRepairs] = []
    for problem in problems:
        behind = max((at for at, one in enumerate(several, 1) if one.meets(problem)), default=0)
        batch = next((one for one in several[behind:] if one.joins(problem)), None)
        if batch is None:
            several.append(batch := JoinedRepairs())
        batch.add(problem)
    return several


async def _make(store: Store, problems: Sequence[Problem]) -> list[Attempt]:
    """Makes repairs in one write; where that fails, in halves."""
    try:
        await store.write(*_writes(problems))
    except (ConditionFailed, Refused) as error:
        if len(problems) == 1:
            return [_failed(problems[0], error)]
        half = len(problems) // 2
        return [*await _make(store, problems[:half]), *await _make(store, problems[half:])]
    return [Attempt(one, is_repaired=True) for one in problems]


def _writes(problems: Iterable[Problem]) -> Iterator[Write]:
    """Yields what these repairs write; what several of them check is checked once."""
    there: set[tuple[str, Key]] = set()
    for problem in problems:
        yield from (one for one in problem.repair if _item_of(one) not in there)
        there |= {_item_of(one) for one in problem.repair}


def _failed(problem: Problem, error: ConditionFailed | Refused) -> Attempt:
    if isinstance(error, ConditionFailed):
        why = "It changed while it was being repaired; check again."
        return Attempt(problem, is_outdated=True, why=why)
    return Attempt(problem, why=f"It could not be repaired: {error.detail}")


def _item_of(write: Write) -> tuple[str, Key]:
    return write.operation.table.name, write.operation.key


def _is_same_check(one: Write, other: Write) -> bool:
    first, second = one.operation, other.operation
    return first.kind == "check" == second.kind and first.condition == second.condition

"""Adopting: tables are loaded, and then checked and repaired until nothing is wrong with them.

The checks are those of `commonroom check`: they make claims and ways back, count, and copy names.
What only a person could fix, and what a repair takes away, is set aside first.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from commonroom.accounts.tables import users
from commonroom.adoption.companions import add_companions
from commonroom.adoption.loading import digest_of, load
from commonroom.adoption.repairs import Repairs
from commonroom.adoption.set_aside import SetAside
from commonroom.house.checks import all_checks
from commonroom.house.rooms import ROOMS
from commonroom.model import MODEL
from commonroom.movienight.checks.adopted_rounds import adoption_checks
from commonroom.store import Store, delete, put
from commonroom.store.checking import ReportedProblem, check_store
from commonroom.store.streams.tables import AdoptionState, LastImport, adoption
from commonroom.store.transfer import ForeignTable
from commonroom.store.upgrades.tables import upgrades

MAX_PASSES = 20
"""How often all is looked at: what is repaired may let something else look wrong."""


class Adopted(Struct, frozen=True):
    """What came of it."""

    tables: dict[str, int]
    repairs: dict[str, int]
    """How much was filled in and put right, by the checks that saw it."""
    left: int
    """How much is wrong still."""


async def begin(store: Store, sources: Sequence[ForeignTable]) -> AdoptionState:
    """Returns how far an adoption of these files has come, which may have been interrupted."""
    found = await store.get(adoption(consumer="adoption"))
    digest = digest_of(sources)
    return found if found is not None and found.sources == digest else AdoptionState(sources=digest)


async def adopt(
    store: Store,
    state: AdoptionState,
    sources: Sequence[ForeignTable],
    aside: SetAside,
    *,
    loading: Callable[[str, int], None],
    checking: Callable[[str, int], None],
) -> Adopted:
    """Takes tables over, from where it was interrupted; nobody is told of what is in them."""
    # Before the first item: a worker may already read the streams that they go into.
    await store.write(put(LastImport(imported_at=time.time())))
    if not state.is_loaded:
        state = await load(store, state, sources, aside, loading)
    tables = [source.table for source in sources]
    added = await add_companions(store, tables if users in tables else [*tables, users])
    made, left = await _repair(store, Repairs(store, aside, tables), checking)
    await store.write(delete(state))
    return Adopted(state.adopted, dict(Counter(companions=added) + made), left)


async def _repair(
    store: Store, prepare: Repairs, progress: Callable[[str, int], None]
) -> tuple[Counter[str], int]:
    """Repairs until nothing is wrong, or nothing more can be done.

    What no repair fixes is set aside once all else is fixed: that may have been its cause.
    Returns how much each check has repaired, and how much is left.
    """
    repairs: Counter[str] = Counter()
    tables = [table for table in MODEL.tables if table is not upgrades]

    def report(problem: ReportedProblem) -> None:
        repairs[problem.check] += problem.repaired

    left = 0
    for _ in range(MAX_PASSES):
        summary = await check_store(
            store,
            tables,
            [*all_checks(ROOMS), *adoption_checks()],
            repair=True,
            report=report,
            progress=progress,
            prepare=prepare,
            repeats=True,
        )
        left = summary.left
        is_stuck = not summary.repaired
        if is_stuck and (prepare.gives_up or not left):
            break
        prepare.gives_up = is_stuck
    return repairs, left

"""Runs the checks as the command does, and keeps what they report."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from commonroom.store import Entity, Store, put
from commonroom.store.checking import (
    Check,
    CheckSummary,
    CopyCheck,
    KeyCheck,
    ReportedProblem,
    check_store,
)
from commonroom.store.values import Item
from tests.support.copies_model import COPIES, TABLES
from tests.support.transfers import ignore

STEP_SECONDS = 0.25


class Patience:
    """Time for whoever is at work beside a check, by the clock alone."""

    def __init__(self, seconds: float, *, behind: bool = False) -> None:
        self._left = seconds
        self._behind = behind

    async def wait(self) -> bool:
        """Waits a moment, until the time is over."""
        if self._left <= 0:
            return False
        self._left -= STEP_SECONDS
        await asyncio.sleep(STEP_SECONDS)
        return True

    async def is_behind(self) -> bool:
        """As the test says."""
        return self._behind


class Checked:
    """What a run of the checks came to."""

    def __init__(self, outcome: CheckSummary, reported: list[ReportedProblem]) -> None:
        self.items = outcome.items
        self.left = outcome.left
        self.reported = reported

    @property
    def checks(self) -> list[str]:
        """Which check found each problem."""
        return [one.check for one in self.reported]


async def checked(
    store: Store, *, repair: bool = False, checks: Sequence[Check] | None = None
) -> Checked:
    reported: list[ReportedProblem] = []
    outcome = await check_store(
        store,
        TABLES,
        [KeyCheck(), CopyCheck(COPIES)] if checks is None else checks,
        repair=repair,
        report=reported.append,
        progress=ignore,
    )
    return Checked(outcome, reported)


async def spoil(store: Store, thing: Entity, **attributes: object) -> None:
    """Stores a thing with attributes that it would not have; None takes one out."""
    item: Item = thing.to_item() | attributes
    kept = {name: value for name, value in item.items() if value is not None}
    await store.engine.load(thing.schema.table, [kept])


async def keep(store: Store, *things: Entity) -> None:
    """Stores things as they are."""
    await store.write(*map(put, things))


async def stored(store: Store, thing: Entity) -> Item | None:
    """The item under a thing's key."""
    (item,) = await store.engine.batch_get([(thing.schema.table, thing.ref.key)])
    return item

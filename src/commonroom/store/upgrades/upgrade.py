"""The upgrade of a store: how far it is, and everything that completes it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from commonroom.store.conditions import equal
from commonroom.store.declare.table import Table
from commonroom.store.errors import ConditionFailed, NewerData, StoreError, UnknownTable
from commonroom.store.operations import create, put
from commonroom.store.store import Store
from commonroom.store.upgrades.fill import Progress, fill_keys
from commonroom.store.upgrades.states import (
    Baseline,
    is_same,
    new_state,
    next_state,
    unrecorded_state,
)
from commonroom.store.upgrades.tables import TableState, table_states

logger = logging.getLogger(__name__)

LOOK_AGAIN_SECONDS = 5.0


def no_report(_: str) -> None:
    """A report that nobody reads."""


def no_progress(_name: str, _done: int, _total: int) -> None:
    """Progress that nobody watches."""


class Upgrade:
    """Brings what is stored up to what is declared."""

    def __init__(
        self,
        store: Store,
        tables: Sequence[Table],
        baseline: Baseline | None = None,
        retired: Collection[str] = (),
    ) -> None:
        self._store = store
        self._engine = store.engine
        self._tables = tables
        self._baseline = baseline or {}
        self._retired = retired

    async def examine_tables(self) -> list[str]:
        """Returns which tables are missing; notes which indexes are being made."""
        found = await self._engine.examine_tables(self._tables)
        self._engine.incomplete.unready = frozenset(found.unready)
        return found.missing

    async def is_complete(self) -> bool:
        """Reads how far it is, and lets the engine refuse what it cannot answer in full yet.

        Raises where a newer version was here, or where the change cannot be made.
        """
        if self._engine.incomplete.unready:
            await self.examine_tables()
        stored = await self._read_states()
        self._check_known(stored)
        states = {table.name: self._next(stored, table) for table in self._tables}
        self._engine.incomplete.update(self._tables, states)
        return not self._engine.incomplete.unready and all(
            state.target is None for state in states.values()
        )

    def _check_known(self, stored: Mapping[str, TableState]) -> None:
        known = {table.name for table in self._tables}.union(self._retired)
        if newer := sorted(stored.keys() - known):
            raise NewerData(
                f"A newer Commonroom has added {', '.join(newer)} to the data; use that version, "
                "or restore a backup from before."
            )

    async def run(
        self, report: Callable[[str], None] = no_report, progress: Progress = no_progress
    ) -> None:
        """Makes every change and fills every key; an interrupted upgrade is run again."""
        await self._engine.upgrade_tables(self._tables, report)
        await self.record_states()
        await self.fill(progress)
        await self.examine_tables()
        await self.is_complete()

    async def fill(self, progress: Progress = no_progress) -> None:
        """Fills every key that a state says is not filled."""
        states = await self._read_states()
        for table in self._tables:
            if table.name in states and states[table.name].target is not None:
                await fill_keys(self._store, table, progress)

    async def record_first_tables(self) -> None:
        """Stores of a new installation that it is complete.

        Where there are states, they are left as they are: servers of the version that stored them
        may be running, and would not start again.
        """
        if not await self._read_states():
            await self._record_empty_tables()

    async def _record_empty_tables(self) -> None:
        """Stores that tables which hold nothing yet lack nothing."""
        stored = await self._read_states()
        for table in self._tables:
            if table.name in stored:
                continue
            rows = await self._engine.scan(table, limit=1)
            if not rows.items and rows.next is None:
                with suppress(ConditionFailed):  # another process was quicker
                    await self._store.write(create(new_state(table)))

    async def record_states(self) -> None:
        """Stores the state of every table that has none, or another declaration now."""
        await self._record_empty_tables()
        counts = (await self._engine.examine_tables(self._tables)).counts
        stored = await self._read_states()
        for table in self._tables:
            before = stored.get(table.name)
            after = self._next(stored, table)
            if after.target is not None and after.position is None:
                after = replace(after, total=counts.get(table.name, after.total))
            with suppress(ConditionFailed):  # another process was quicker, and stored the same
                if before is None:
                    await self._store.write(create(after))
                elif not is_same(before, after):
                    raised = replace(after, version=before.version + 1)
                    await self._store.write(put(raised, if_=equal(version=before.version)))

    async def keep_on(self) -> None:
        """Continues until all is complete: by itself in a file, as others do it on DynamoDB."""
        while True:
            try:
                if self._engine.name == "embedded":
                    await self.fill()
                if await self.is_complete():
                    return
            except StoreError as error:
                logger.warning("The data upgrade is waiting: %s", error.detail)
            await asyncio.sleep(LOOK_AGAIN_SECONDS)

    async def _read_states(self) -> dict[str, TableState]:
        try:
            return {state.name: state async for state in self._store.all(table_states())}
        except UnknownTable:
            return {}  # of before there were any

    def _next(self, stored: Mapping[str, TableState], table: Table) -> TableState:
        before = stored.get(table.name) or unrecorded_state(table, self._baseline)
        return next_state(before, table)

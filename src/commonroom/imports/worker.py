"""Working through an import: some rows at a time, in one transaction with how far it has come.

So a row is added once, however often the process ends or two work at once, and counts are exact.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Generic

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import CommonroomError
from commonroom.imports.files import Note
from commonroom.imports.kinds import MAX_NOTES, I, ImportKind, R, S
from commonroom.imports.lifecycle import retry
from commonroom.moments import iso
from commonroom.store import ConditionFailed, StoreError, Write, add, append, equal, update
from commonroom.store.errors import Refused

SECONDS = 5.0
"""How long one step may take: other timers wait meanwhile."""


class ImportRun(ABC, Generic[I, R, S]):
    """An import being worked through, and where it is; a room says what becomes of rows."""

    def __init__(self, kind: ImportKind[I, R, S], ctx: Context, record: I) -> None:
        self._kind, self._ctx, self._store, self._kept = kind, ctx, ctx.store, record
        self._rows: list[R] | None = None
        self._notes = record.failed + record.warned

    @abstractmethod
    async def run_batch(self, rows: Sequence[R]) -> None:
        """Does the next of these rows, which are all that is left of a part, and moves on."""

    @abstractmethod
    async def add(self, rows: Sequence[R]) -> None:
        """Adds rows in one transaction with the progress, and moves on."""

    @abstractmethod
    async def recover(self) -> None:
        """Forgets what it took for certain before something failed; refuses where all is over."""

    async def work(self) -> None:
        """Does some of an import, until it is over, is stopped, or time is up."""
        with suppress(ConditionFailed):  # it was stopped, or another process is at it
            await work_until_time_is_up(self.step)

    async def step(self) -> bool:
        """Does the next rows, as many as one transaction takes; returns whether there were any."""
        if self._rows is None:
            part = await self._store.get(self._kind.rows_at(self._kept, self._kept.part))
            if part is None:
                await self._finish()
                return False
            self._rows = self._kind.unpack_rows(part.rows)
        await self.run_batch(self._rows[self._kept.place :])
        return True

    async def try_to_add(self, rows: Sequence[R]) -> None:
        """Adds rows together; where that fails, each by itself, so that only a bad one does."""
        try:
            await self.add(rows)
        except CommonroomError as error:
            await self._recover(error)
            for row in rows:
                await self._try_alone(row)

    async def fail(self, row: R, error: CommonroomError) -> None:
        """Continues behind a row that cannot be added, and says why."""
        note = Note(row.number, error.extensions.get("field"), row.title, error.detail, row.file)
        await self._store.write(*self.progress_writes(1, [note], failed=1))
        self.advance(1, 1)

    async def write(self, build: Callable[[], Awaitable[list[Write]]]) -> None:
        """Writes what is built, anew where another writer was quicker.

        That the import was stopped, or that another process is at it, ends the work.
        """
        for _ in range(retry.tries):
            try:
                await self._store.write(*await build())
            except ConditionFailed as failed:
                if failed.operation.entity_type is self._kind.record:
                    raise
            else:
                return
        raise retry.conflict()

    def progress_writes(self, rows: int, notes: Sequence[Note] = (), **counts: int) -> list[Write]:
        """That rows are done: on condition that they are the next, and nobody stopped it."""
        record, after = self._kept, self._after(rows)
        here = equal(
            import_id=record.import_id, state="running", part=record.part, place=record.place
        )
        numbers = {name: add(number) for name, number in counts.items() if number}
        moved = update(record.ref, part=after.part, place=after.place, **numbers, if_=here)
        shown = notes[: max(0, MAX_NOTES - self._notes)]
        report = self._kind.report_at(record)
        return [moved, *([update(report, notes=append(*shown))] if shown else [])]

    def advance(self, rows: int, notes: int = 0) -> None:
        """Knows that rows are done, once that is written."""
        self._kept = self._after(rows)
        self._notes += notes
        if self._kept.place == 0:
            self._rows = None

    async def _try_alone(self, row: R) -> None:
        try:
            await self.add([row])
        except CommonroomError as error:
            await self._recover(error)
            await self.fail(row, error)

    async def _recover(self, error: CommonroomError) -> None:
        """Lets go on after what a row can be blamed for."""
        if isinstance(error, StoreError) and not isinstance(error, Refused):
            raise error
        await self.recover()

    def _after(self, rows: int) -> I:
        place = self._kept.place + rows
        if place < len(self._rows or ()):
            return replace(self._kept, place=place)
        return replace(self._kept, part=self._kept.part + 1, place=0)

    async def _finish(self) -> None:
        record = self._kept
        here = equal(import_id=record.import_id, state="running", part=record.part)
        over = {"state": "done", "finished_at": iso(self._ctx.now)}
        await self._store.write(update(record.ref, **over, if_=here))


def undo_in_steps(
    step: Callable[[Context, I], Awaitable[bool]],
) -> Callable[[Context, I], Awaitable[None]]:
    """Returns what takes such steps to undo an import, until all is done or time is up.

    A step takes some of it back, in one transaction with how far it is; it says whether there may
    be more.
    """

    async def undo(ctx: Context, record: I) -> None:
        @retry
        async def attempt() -> bool:
            there = await ctx.store.get(record.ref)
            if there is None or there.import_id != record.import_id or there.state != "undoing":
                return False
            return await step(ctx, there)

        await work_until_time_is_up(attempt)

    return undo


async def work_until_time_is_up(step: Callable[[], Awaitable[bool]]) -> None:
    """Takes one step after the other while there are more; the rest is left to the next call."""
    until = time.monotonic() + SECONDS
    while await step() and time.monotonic() < until:
        pass

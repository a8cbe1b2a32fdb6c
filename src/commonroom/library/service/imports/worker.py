"""Working through an import: some rows at a time, in one transaction with how far it has come.

So a row is added once, however often the process ends or two work at once, and counts are exact.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, Conflict
from commonroom.library.rules.formats import Row
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import no_such_library, own_library
from commonroom.library.service.collections import create_collection
from commonroom.library.service.imports import Choices
from commonroom.library.service.imports.preview import MOST_NOTES
from commonroom.library.service.imports.rows import (
    collection_id_of,
    event_writes,
    item_from_row,
    item_id_of,
    next_batch,
    unpack_rows,
)
from commonroom.library.service.items import NewItem, create_items
from commonroom.library.tables import (
    Import,
    ImportNote,
    ImportReport,
    ImportRows,
    collection_with_name,
    item,
)
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Store,
    StoreError,
    Write,
    add,
    append,
    check,
    equal,
    stored,
    update,
)
from commonroom.store.errors import Refused
from commonroom.texts import collation_key

SECONDS = 5.0
"""How long one step may take: other timers wait meanwhile."""


async def run_import(store: Store, now: float, kept: Import) -> None:
    """Does some of an import that runs, until it is over, somebody stops it, or time is up."""
    person = await store.get(User.at(user_id=kept.account_id))
    if person is None:
        raise no_such_library()
    run = ImportRun(Context(store, person, now), kept)
    until = time.monotonic() + SECONDS
    with suppress(ConditionFailed):  # it was stopped, or another process is at it
        while await run.step() and time.monotonic() < until:
            pass


class ImportRun:
    """An import being worked through, and where it is."""

    def __init__(self, ctx: Context, kept: Import) -> None:
        self._ctx, self._store, self._kept = ctx, ctx.store, kept
        self._rows: list[Row] | None = None
        self._collections: dict[str, str] = {}
        self._notes = kept.failed + kept.warned
        self._choices = Choices(kept.duplicates, frozenset(kept.without))

    async def step(self) -> bool:
        """Does the next rows, as many as one transaction takes; says whether there were any."""
        if self._rows is None:
            at = ImportRows.at(import_id=self._kept.import_id, part=self._kept.part)
            part = await self._store.get(at)
            if part is None:
                await self._finish()
                return False
            self._rows = unpack_rows(part)
        await self._run_batch(next_batch(self._rows[self._kept.place :]))
        return True

    async def _run_batch(self, rows: Sequence[Row]) -> None:
        if rows[0].is_item:
            await self._try(rows)
        elif rows[0].kind == "history":
            await self._add_history(rows[0])
        else:
            await self._collection(rows[0])
            await self._store.write(*self._progress_writes(1))
            self._advance(1)

    async def _try(self, rows: Sequence[Row]) -> None:
        """Adds rows together; where that fails, each by itself, so that only a bad one does."""
        try:
            await self._add(rows)
        except CommonroomError as error:
            await self._recover(error)
            for row in rows:
                await self._try_alone(row)

    async def _try_alone(self, row: Row) -> None:
        try:
            await self._add([row])
        except CommonroomError as error:
            await self._recover(error)
            await self._fail(row, error)

    async def _recover(self, error: CommonroomError) -> None:
        """Lets go on after what a row can be blamed for, and collections be looked up anew."""
        if isinstance(error, StoreError) and not isinstance(error, Refused):
            raise error
        self._collections.clear()
        await own_library(self._ctx, self._kept.library_id)  # or all is over

    async def _add(self, rows: Sequence[Row]) -> None:
        wanted = [row for row in rows if self._choices.reason_to_leave_out(row) is None]
        new = [await self._newcomer(row) for row in wanted]
        notes = [note for row in wanted if (note := _same_work(row)) is not None]
        skipped = len(rows) - len(new)
        done = self._progress_writes(
            len(rows), notes, added=len(new), skipped=skipped, warned=len(notes)
        )
        if new:
            await create_items(self._ctx, self._kept.library_id, new, beside=done)
        else:
            await self._store.write(*done)
        self._advance(len(rows), len(notes))

    async def _newcomer(self, row: Row) -> NewItem:
        collection_id = None if row.collection is None else await self._collection(row)
        return item_from_row(self._ctx, self._kept, row, collection_id)

    async def _add_history(self, row: Row) -> None:
        kept = self._kept
        place = {"owner_id": kept.owner_id, "library_id": kept.library_id}
        there = await self._store.get(item(**place, item_id=item_id_of(kept, row)))
        told: list[Write] = []
        if there is not None:  # else it was left out, or its owner deleted it
            told = [check(there, if_=stored), *event_writes(there, row.events)]
        await self._store.write(*told, *self._progress_writes(1))
        self._advance(1)

    async def _collection(self, row: Row) -> str:
        """The collection that a row names, which is made where there is none."""
        form = collation_key(row.collection or "")
        if form not in self._collections:
            self._collections[form] = await self._find_collection(
                row
            ) or await self._create_collection(row)
        return self._collections[form]

    async def _find_collection(self, row: Row) -> str | None:
        place = {"owner_id": self._kept.owner_id, "library_id": self._kept.library_id}
        claim = await self._store.get(collection_with_name(**place, name=row.collection))
        return None if claim is None else claim.collection_id

    async def _create_collection(self, row: Row) -> str:
        # Where it was made before, and then renamed, the row's own id is taken.
        for collection_id in (collection_id_of(self._kept, row), new_id()):
            with suppress(Conflict):
                made = await create_collection(
                    self._ctx,
                    self._kept.library_id,
                    name=row.collection or "",
                    description=row.description,
                    collection_id=collection_id,
                )
                return made.collection_id
            found = await self._find_collection(row)  # somebody was quicker
            if found is not None:
                return found
        raise Conflict("Its collection keeps being renamed.")

    async def _fail(self, row: Row, error: CommonroomError) -> None:
        note = ImportNote(row.number, error.detail, error.extensions.get("field"), row.title)
        await self._store.write(*self._progress_writes(1, [note], failed=1))
        self._advance(1, 1)

    def _progress_writes(
        self, rows: int, notes: Sequence[ImportNote] = (), **counts: int
    ) -> list[Write]:
        """That rows are done: on condition that they are the next, and nobody stopped it."""
        kept, after = self._kept, self._after(rows)
        here = equal(import_id=kept.import_id, state="running", part=kept.part, place=kept.place)
        numbers = {name: add(number) for name, number in counts.items() if number}
        moved = update(kept.ref, part=after.part, place=after.place, **numbers, if_=here)
        told = notes[: max(0, MOST_NOTES - self._notes)]
        report = ImportReport.at(import_id=kept.import_id)
        return [moved, *([update(report, notes=append(*told))] if told else [])]

    def _advance(self, rows: int, notes: int = 0) -> None:
        self._kept = self._after(rows)
        self._notes += notes
        if self._kept.place == 0:
            self._rows = None

    def _after(self, rows: int) -> Import:
        place = self._kept.place + rows
        if place < len(self._rows or ()):
            return replace(self._kept, place=place)
        return replace(self._kept, part=self._kept.part + 1, place=0)

    async def _finish(self) -> None:
        kept = self._kept
        here = equal(import_id=kept.import_id, state="running", part=kept.part)
        over = {"state": "done", "finished_at": iso(self._ctx.now)}
        await self._store.write(update(kept.ref, **over, if_=here))


def _same_work(row: Row) -> ImportNote | None:
    """That something was added though it is there already."""
    if row.already is not None:
        why = f"“{row.already}” is already in the library. It is added anyway."
    elif row.twin is not None:
        why = f"Row {row.twin} is the same work. It is added anyway."
    else:
        return None
    return ImportNote(row.number, why, "title", row.title)

"""Working through an import: some rows at a time, in one transaction with how far it has come.

So a row is added once, however often the process ends or two work at once, and counts are exact.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError
from commonroom.library.errors import Conflict
from commonroom.library.rules.formats.rows import Row
from commonroom.library.service.collections import create_collection
from commonroom.library.service.importing.arriving import (
    arriving,
    happened,
    item_id_of,
    together,
)
from commonroom.library.service.importing.looking import MOST_NOTES
from commonroom.library.service.items import Newcomer, put_all_up
from commonroom.library.service.reach import no_such_library, own
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
from commonroom.store.declare.forms import sort_form
from commonroom.store.errors import Refused

SECONDS = 5.0
"""How long one step may take: other timers wait meanwhile."""

_rows = msgspec.json.Decoder(list[Row])


async def work(store: Store, now: float, kept: Import) -> None:
    """Does some of an import that runs, until it is over, somebody stops it, or time is up."""
    person = await store.get(User.at(user_id=kept.account_id))
    if person is None:
        raise no_such_library()
    course = Course(store, now, person, kept)
    until = time.monotonic() + SECONDS
    with suppress(ConditionFailed):  # it was stopped, or another process is at it
        while await course.step() and time.monotonic() < until:
            pass


class Course:
    """An import being worked through, and where it is."""

    def __init__(self, store: Store, now: float, person: User, kept: Import) -> None:
        self._store, self._now, self._person, self._kept = store, now, person, kept
        self._rows: list[Row] | None = None
        self._collections: dict[str, str] = {}
        self._notes = kept.failed + kept.warned

    async def step(self) -> bool:
        """Does the next rows, as many as one transaction takes; says whether there were any."""
        if self._rows is None:
            at = ImportRows.at(import_id=self._kept.import_id, part=self._kept.part)
            part = await self._store.get(at)
            if part is None:
                await self._finish()
                return False
            self._rows = _rows.decode(zlib.decompress(part.rows))
        await self._do(together(self._rows[self._kept.place :]))
        return True

    async def _do(self, rows: Sequence[Row]) -> None:
        if rows[0].is_item:
            await self._try(rows)
        elif rows[0].kind == "history":
            await self._add_history(rows[0])
        else:
            await self._collection(rows[0].collection or "", rows[0].description)
            await self._store.write(*self._moved_on(1))
            self._move_on(1)

    async def _try(self, rows: Sequence[Row]) -> None:
        """Adds rows together; where that fails, each by itself, so that only a bad one does."""
        try:
            await self._add(rows)
        except CommonroomError as error:
            await self._excuse(error)
            for row in rows:
                await self._try_alone(row)

    async def _try_alone(self, row: Row) -> None:
        try:
            await self._add([row])
        except CommonroomError as error:
            await self._excuse(error)
            await self._fail(row, error)

    async def _excuse(self, error: CommonroomError) -> None:
        """Lets go on after what a row can be blamed for, and collections be looked up anew."""
        if isinstance(error, StoreError) and not isinstance(error, Refused):
            raise error
        self._collections.clear()
        await own(self._store, self._person, self._kept.library_id)  # or all is over

    async def _add(self, rows: Sequence[Row]) -> None:
        wanted = [row for row in rows if not self._is_left_out(row)]
        new = [await self._newcomer(row) for row in wanted]
        notes = [_there_already(row) for row in wanted if row.already is not None]
        skipped = len(rows) - len(new)
        done = self._moved_on(len(rows), notes, added=len(new), skipped=skipped, warned=len(notes))
        if new:
            at = (self._store, self._now, self._person, self._kept.library_id)
            await put_all_up(*at, new, beside=done)
        else:
            await self._store.write(*done)
        self._move_on(len(rows), len(notes))

    def _is_left_out(self, row: Row) -> bool:
        """Whether it is there already, or stands on none but shelves that are left out."""
        if row.already is not None and self._kept.duplicates == "skip":
            return True
        return bool(row.shelves) and set(row.shelves) <= set(self._kept.without)

    async def _newcomer(self, row: Row) -> Newcomer:
        collection_id = None if row.collection is None else await self._collection(row.collection)
        return arriving(self._now, self._person, self._kept, row, collection_id)

    async def _add_history(self, row: Row) -> None:
        kept = self._kept
        place = {"owner_id": kept.owner_id, "library_id": kept.library_id}
        there = await self._store.get(item(**place, item_id=item_id_of(kept, row)))
        told: list[Write] = []
        if there is not None:  # else it was left out, or its owner deleted it
            told = [check(there, if_=stored), *happened(there, row.events)]
        await self._store.write(*told, *self._moved_on(1))
        self._move_on(1)

    async def _collection(self, name: str, description: str | None = None) -> str:
        """The collection of a name, which is made where there is none."""
        form = sort_form(name)
        if form not in self._collections:
            self._collections[form] = await self._found(name) or await self._made(name, description)
        return self._collections[form]

    async def _found(self, name: str) -> str | None:
        place = {"owner_id": self._kept.owner_id, "library_id": self._kept.library_id}
        claim = await self._store.get(collection_with_name(**place, name=name))
        return None if claim is None else claim.collection_id

    async def _made(self, name: str, description: str | None) -> str:
        at = (self._store, self._now, self._person, self._kept.library_id)
        try:
            return (await create_collection(*at, name=name, description=description)).collection_id
        except Conflict:
            found = await self._found(name)  # somebody was quicker
            if found is None:
                raise
            return found

    async def _fail(self, row: Row, error: CommonroomError) -> None:
        note = ImportNote(row.number, error.detail, error.helps.get("field"), row.title)
        await self._store.write(*self._moved_on(1, [note], failed=1))
        self._move_on(1, 1)

    def _moved_on(self, rows: int, notes: Sequence[ImportNote] = (), **counts: int) -> list[Write]:
        """That rows are done: on condition that they are the next, and nobody stopped it."""
        kept, after = self._kept, self._after(rows)
        here = equal(import_id=kept.import_id, state="running", part=kept.part, place=kept.place)
        numbers = {name: add(number) for name, number in counts.items() if number}
        moved = update(kept.ref, part=after.part, place=after.place, **numbers, if_=here)
        told = notes[: max(0, MOST_NOTES - self._notes)]
        report = ImportReport.at(import_id=kept.import_id)
        return [moved, *([update(report, notes=append(*told))] if told else [])]

    def _move_on(self, rows: int, notes: int = 0) -> None:
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
        over = {"state": "done", "finished_at": iso(self._now)}
        await self._store.write(update(kept.ref, **over, if_=here))


def _there_already(row: Row) -> ImportNote:
    why = f"“{row.already}” is in the library already."
    return ImportNote(row.number, why, None, row.title)

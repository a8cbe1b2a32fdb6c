"""Working through an import: row by row, each in one transaction with how far it has come.

So a row is added once, however often the process ends or two work at once, and counts are exact.
"""

from __future__ import annotations

import time
import zlib
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError
from commonroom.library.errors import Conflict, NotHere
from commonroom.library.rules.formats.rows import KINDS, EventRead, Row
from commonroom.library.rules.lending import overdue_from
from commonroom.library.service.collections import create_collection
from commonroom.library.service.importing.looking import MOST_NOTES
from commonroom.library.service.items import Arriving, put_up
from commonroom.library.service.reach import no_such_library, own
from commonroom.library.service.traces import loan_noted
from commonroom.library.tables import (
    Book,
    Event,
    Import,
    ImportNote,
    ImportReport,
    ImportRows,
    Video,
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
    put,
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
        """Does the next row; says whether there was one."""
        if self._rows is None:
            at = ImportRows.at(import_id=self._kept.import_id, part=self._kept.part)
            part = await self._store.get(at)
            if part is None:
                await self._finish()
                return False
            self._rows = _rows.decode(zlib.decompress(part.rows))
        await self._do(self._rows[self._kept.place])
        self._kept = self._next()
        if self._kept.place == 0:
            self._rows = None
        return True

    async def _do(self, row: Row) -> None:
        if row.kind == "collection":
            await self._collection(row.collection or "", row.description)
            await self._store.write(self._moved_on())
        elif row.kind == "history":
            await self._add_history(row)
        elif self._is_left_out(row):
            await self._store.write(self._moved_on(skipped=1))
        else:
            await self._try(row)

    def _is_left_out(self, row: Row) -> bool:
        """Whether it is there already, or stands on none but shelves that are left out."""
        if row.already is not None and self._kept.duplicates == "skip":
            return True
        return bool(row.shelves) and set(row.shelves) <= set(self._kept.without)

    async def _try(self, row: Row) -> None:
        """Adds a row; where its collection was deleted a moment ago, with that made anew."""
        for last in (False, True):
            try:
                await self._add(row)
            except NotHere as error:
                self._collections.clear()
                await own(self._store, self._person, self._kept.library_id)  # or all is over
                if last:
                    await self._fail(row, error)
            except CommonroomError as error:
                if isinstance(error, StoreError) and not isinstance(error, Refused):
                    raise
                await self._fail(row, error)
                return
            else:
                return

    async def _add(self, row: Row) -> None:
        given: dict[str, Any] = dict(row.fields)
        if row.collection is not None:
            given["collection_id"] = await self._collection(row.collection)
            given["order"] = row.order
        fields = self._loan(row)
        events = [*row.events, *_begun(row, fields)]

        def writes(new: Book | Video) -> list[Write]:
            told = [put(_event(new, one)) for one in events]
            return [*told, *loan_noted(new), *self._added(row)]

        await put_up(
            self._store,
            self._now,
            self._person,
            self._kept.library_id,
            kind=KINDS[row.kind],
            given=given,
            arriving=Arriving(self._item_id(row), fields, writes),
        )

    def _loan(self, row: Row) -> dict[str, Any]:
        """What an item says of its loan and its history; a day that is over is not told again."""
        if row.loan is None:
            return {"last_event_at": row.last_event_at}
        lent_at = row.loan.lent_at or iso(self._now)
        due, overdue = row.loan.due_date, None
        if due is not None and (late := overdue_from(due, self._person)) > self._now:
            overdue = iso(late)
        return {
            "lent_to": row.loan.lent_to,
            "lent_at": lent_at,
            "due_date": due,
            "overdue_at": overdue,
            "last_event_at": lent_at,
        }

    async def _add_history(self, row: Row) -> None:
        kept = self._kept
        place = {"owner_id": kept.owner_id, "library_id": kept.library_id}
        there = await self._store.get(item(**place, item_id=self._item_id(row)))
        if there is None:  # it was left out, or its owner deleted it
            await self._store.write(self._moved_on())
            return
        told = [put(_event(there, one)) for one in row.events]
        await self._store.write(check(there, if_=stored), *told, self._moved_on())

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
        field = error.helps.get("field")
        note = ImportNote(row.number, error.detail, field, row.title)
        await self._store.write(self._moved_on(failed=1), *self._noted(note))

    def _added(self, row: Row) -> list[Write]:
        if row.already is None:
            return [self._moved_on(added=1)]
        why = f"“{row.already}” is in the library already."
        note = ImportNote(row.number, why, None, row.title)
        return [self._moved_on(added=1, warned=1), *self._noted(note)]

    def _moved_on(self, **counts: int) -> Write:
        """That a row is done: on condition that it is the next one, and nobody stopped it."""
        kept, after = self._kept, self._next()
        here = equal(import_id=kept.import_id, state="running", part=kept.part, place=kept.place)
        numbers = {name: add(number) for name, number in counts.items()}
        return update(kept.ref, part=after.part, place=after.place, **numbers, if_=here)

    def _noted(self, note: ImportNote) -> list[Write]:
        self._notes += 1
        if self._notes > MOST_NOTES:
            return []
        return [update(ImportReport.at(import_id=self._kept.import_id), notes=append(note))]

    def _next(self) -> Import:
        rows = self._rows or []
        if self._kept.place + 1 < len(rows):
            return replace(self._kept, place=self._kept.place + 1)
        return replace(self._kept, part=self._kept.part + 1, place=0)

    async def _finish(self) -> None:
        kept = self._kept
        here = equal(import_id=kept.import_id, state="running", part=kept.part)
        over = {"state": "done", "finished_at": iso(self._now)}
        await self._store.write(update(kept.ref, **over, if_=here))

    def _item_id(self, row: Row) -> str:
        """The same for a row however often it is tried; items stay in the order of the file."""
        return f"{self._kept.import_id[:24]}{row.number:08X}"


def _begun(row: Row, fields: dict[str, Any]) -> list[EventRead]:
    """That it was lent, where the history of it does not say so itself."""
    if row.loan is None or row.last_event_at == fields["lent_at"]:
        return []
    return [EventRead("LENT", row.loan.lent_to, fields["lent_at"], row.loan.due_date)]


def _event(of: Book | Video, told: EventRead) -> Event:
    return Event(
        owner_id=of.owner_id,
        library_id=of.library_id,
        item_id=of.item_id,
        type=told.type,
        event=told.borrower,
        updated_at=told.at,
        due_date=told.due_date,
        lent_at=told.lent_at,
    )

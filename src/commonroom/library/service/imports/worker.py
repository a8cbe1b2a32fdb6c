"""Working through an import: rows become items, with their collections and their history."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from commonroom.accounts.context import Context
from commonroom.errors import Conflict
from commonroom.imports import worker
from commonroom.imports.files import Note
from commonroom.library.rules.formats import LibraryRow
from commonroom.library.rules.names import new_id
from commonroom.library.service.access import own_library
from commonroom.library.service.collections import create_collection
from commonroom.library.service.imports import LibraryImportChoices, LibraryImportStatus
from commonroom.library.service.imports.lifecycle import IMPORTS
from commonroom.library.service.imports.rows import (
    collection_id_of,
    event_writes,
    item_from_row,
    item_id_of,
    next_batch,
)
from commonroom.library.service.items import NewLibraryItem, create_items
from commonroom.library.tables import LibraryImport, collection_with_name, item
from commonroom.store import Write, check, stored
from commonroom.texts import collation_key


async def run_import(ctx: Context, kept: LibraryImport) -> None:
    """Does some of an import that runs, until it is over, is stopped, or time is up."""
    await LibraryImportRun(ctx, kept).work()


class LibraryImportRun(worker.ImportRun[LibraryImport, LibraryRow, LibraryImportStatus]):
    """An import into a library."""

    def __init__(self, ctx: Context, kept: LibraryImport) -> None:
        super().__init__(IMPORTS, ctx, kept)
        self._collections: dict[str, str] = {}
        self._choices = LibraryImportChoices.of(kept, kept.without)

    async def run_batch(self, rows: Sequence[LibraryRow]) -> None:
        """Does the next rows: items together, what is no item by itself."""
        rows = next_batch(rows)
        if rows[0].is_item:
            await self.try_to_add(rows)
        elif rows[0].kind == "history":
            await self._add_history(rows[0])
        else:
            await self._collection(rows[0])
            await self._store.write(*self.progress_writes(1))
            self.advance(1)

    async def add(self, rows: Sequence[LibraryRow]) -> None:
        """Adds the items of rows that are not left out."""
        choices = self._choices
        wanted = [choices.as_added(row) for row in rows if choices.reason_to_leave_out(row) is None]
        new = [await self._newcomer(row) for row in wanted]
        notes = [note for row in wanted if (note := _same_work(row)) is not None]
        skipped = len(rows) - len(new)
        done = self.progress_writes(
            len(rows), notes, added=len(new), skipped=skipped, warned=len(notes)
        )
        if new:
            await create_items(self._ctx, self._kept.library_id, new, beside=done)
        else:
            await self._store.write(*done)
        self.advance(len(rows), len(notes))

    async def recover(self) -> None:
        """Lets collections be looked up anew; refuses where the library is gone."""
        self._collections.clear()
        await own_library(self._ctx, self._kept.library_id)

    async def _newcomer(self, row: LibraryRow) -> NewLibraryItem:
        collection_id = None if row.collection is None else await self._collection(row)
        return item_from_row(self._ctx, self._kept, row, collection_id)

    async def _add_history(self, row: LibraryRow) -> None:
        kept = self._kept
        key = {"owner_id": kept.owner_id, "library_id": kept.library_id}
        there = await self._store.get(item(**key, item_id=item_id_of(kept, row)))
        told: list[Write] = []
        if there is not None:  # else it was left out, or its owner deleted it
            told = [check(there, if_=stored), *event_writes(there, row.events)]
        await self._store.write(*told, *self.progress_writes(1))
        self.advance(1)

    async def _collection(self, row: LibraryRow) -> str:
        """Returns the collection that a row names, which is made where there is none."""
        form = collation_key(row.collection or "")
        if form not in self._collections:
            self._collections[form] = await self._find_collection(
                row
            ) or await self._create_collection(row)
        return self._collections[form]

    async def _find_collection(self, row: LibraryRow) -> str | None:
        key = {"owner_id": self._kept.owner_id, "library_id": self._kept.library_id}
        claim = await self._store.get(collection_with_name(**key, name=row.collection))
        return None if claim is None else claim.collection_id

    async def _create_collection(self, row: LibraryRow) -> str:
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
            found = await self._find_collection(row)  # another writer was quicker
            if found is not None:
                return found
        raise Conflict("Its collection keeps being renamed.")


def _same_work(row: LibraryRow) -> Note | None:
    """That something was added though it is there already."""
    if row.already is not None:
        why = f"“{row.already}” is already in the library. It is added anyway."
    elif row.twin is not None:
        why = f"Row {row.twin} is the same work. It is added anyway."
    else:
        return None
    return Note(row.number, "title", row.title, why)

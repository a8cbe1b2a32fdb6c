"""Undoing an import: some items at a time, in one transaction with how far it has come.

So an item is counted once, however often the process ends or two work at once. Everything that
came by an import has its id from it; what was moved to another library since is not found here,
and stays.
"""

from __future__ import annotations

from contextlib import suppress

from commonroom.accounts.context import Context
from commonroom.imports.files import Note
from commonroom.imports.worker import undo_in_steps
from commonroom.library.service.access import own_library
from commonroom.library.service.imports.lifecycle import IMPORTS
from commonroom.library.service.imports.rows import prefix_of
from commonroom.library.service.item_writes import (
    clear_history_later,
    code_deletes,
    history_moved,
    loan_deletes,
    raise_search_version,
)
from commonroom.library.service.items import count_items
from commonroom.library.service.shelves import leave_places
from commonroom.library.tables import (
    Book,
    Collection,
    CollectionName,
    Library,
    LibraryImport,
    Video,
    collections_between,
    items_between,
)
from commonroom.store import (
    Condition,
    ConditionFailed,
    Store,
    Write,
    add,
    at_most,
    delete,
    equal,
    new,
    update,
)

TOGETHER = 12
"""An item, its code, its collection, its loan's timer and two for its history: all fit."""


@undo_in_steps
async def undo_import(ctx: Context, kept: LibraryImport) -> bool:
    """Looks at the next items; says whether there may be more."""
    store, now = ctx.store, ctx.now
    library = (await own_library(ctx, kept.library_id)).library
    items = await _next_items(store, kept)
    if not items:
        await _delete_collections(store, library, kept)
        done = update(kept.ref, state="undone", if_=_as_read(kept))
        await store.write(done)
        return False
    untouched = [one for one in items if _is_untouched(one)]
    others = [one for one in items if not _is_untouched(one)]
    lent = sum(one.lent_to is not None for one in untouched)
    await store.write(
        *(delete(one, if_=equal(version=one.version)) for one in untouched),
        *([count_items(now, library, -len(untouched), -lent)] if untouched else []),
        *await leave_places(store, untouched),
        *(write for one in untouched for write in _side_writes(now, one)),
        update(
            kept.ref,
            undone_to=items[-1].item_id,
            removed=add(len(untouched)),
            kept=add(len(others)),
            if_=_as_read(kept),
        ),
        *IMPORTS.kept_notes(kept, [_note(one) for one in others]),
    )
    return True


async def _next_items(store: Store, kept: LibraryImport) -> list[Book | Video]:
    """The items behind those that were looked at; one that stayed may be the first again."""
    prefix = prefix_of(kept)
    after = kept.undone_to or f"{prefix}00000000"
    asked = items_between(
        owner_id=kept.owner_id, library_id=kept.library_id, first=after, last=f"{prefix}FFFFFFFF"
    )
    found: list[Book | Video] = []
    async for one in store.all(asked, limit=4 * TOGETHER):
        if one.item_id > after:
            found.append(one)
        if len(found) == TOGETHER:
            break
    return found


def _is_untouched(item: Book | Video) -> bool:
    """Whether nobody has changed or lent it: names that are carried to it are no change of it."""
    return item.updated_at == item.created_at


def _side_writes(now: float, item: Book | Video) -> list[Write]:
    """Returns what goes with an item; only one that was ever lent has a history."""
    cleared = clear_history_later(now, item) if item.last_event_at is not None else []
    return [*code_deletes(item), *loan_deletes(item), *cleared, *history_moved(item)]


def _note(item: Book | Video) -> Note:
    why, field = "It was edited since, so it stays.", None
    if item.lent_to is not None:
        why, field = f"It is lent to {item.lent_to}, so it stays.", "lent_to"
    return Note(int(item.item_id[24:], 16), field, item.title, why)


async def _delete_collections(store: Store, library: Library, kept: LibraryImport) -> None:
    """Deletes the collections that the import made and nobody has changed or put anything into."""
    prefix = prefix_of(kept)
    asked = collections_between(
        owner_id=kept.owner_id,
        library_id=kept.library_id,
        first=f"{prefix}00000000",
        last=f"{prefix}FFFFFFFF",
    )
    async for one in store.all(asked):
        if one.item_count == 0 and one.updated_at == one.created_at:
            with suppress(ConditionFailed):  # something was just put into it
                await store.write(*_collection_deleted(library, one))


def _collection_deleted(library: Library, one: Collection) -> list[Write]:
    claim = CollectionName.at(owner_id=one.owner_id, library_id=one.library_id, name=one.name)
    unused = equal(version=one.version) & at_most(item_count=0)
    mine = new | equal(collection_id=one.collection_id)
    return [delete(one, if_=unused), delete(claim, if_=mine), raise_search_version(library)]


def _as_read(kept: LibraryImport) -> Condition:
    return equal(import_id=kept.import_id, state="undoing", undone_to=kept.undone_to)

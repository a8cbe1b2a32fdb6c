"""After a library was deleted, everything in it goes, however much it is."""

from __future__ import annotations

from commonroom.library.service.moving import carry_history
from commonroom.library.service.traces import loan_forgotten
from commonroom.library.tables import (
    Book,
    Library,
    SharedLibrary,
    Video,
    contents,
    item,
    moved_items,
)
from commonroom.store import Entity, Store, Write, delete
from commonroom.store.limits import OPERATIONS
from commonroom.store.streams import Change, Consumer


async def clear_library(store: Store, change: Change) -> None:
    """Deletes what was in a library that is gone, and what recipients and borrowers have of it.

    Nothing can be put into it any more, but what moved may still have been followed by its history:
    it is looked through until nothing is found. Whoever is interrupted goes on with what is left.
    """
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    gone: Library = change.old
    await _let_histories_follow(store, gone)
    while await _clear_once(store, gone):
        pass
    # The library knew them all; an index might not.
    pointers = [
        SharedLibrary.at(shared_to_id=one, library_id=gone.library_id) for one in gone.shared_to_ids
    ]
    if pointers:
        await store.write(*map(delete, pointers))


async def _let_histories_follow(store: Store, gone: Library) -> None:
    place = {"owner_id": gone.owner_id, "library_id": gone.library_id}
    async for left in store.all(moved_items(**place)):
        there = {"owner_id": left.owner_id, "library_id": left.moved_to}
        moved = await store.get(item(**there, item_id=left.item_id))
        if moved is not None and moved.moved_from == gone.library_id:
            await carry_history(store, moved)


async def _clear_once(store: Store, gone: Library) -> bool:
    writes: list[Write] = []
    found = False
    asked = contents(owner_id=gone.owner_id, library_id=gone.library_id)
    async for one in store.all(asked, limit=OPERATIONS):
        found = True
        more = _goes(one)
        if len(writes) + len(more) > OPERATIONS:
            await store.write(*writes)
            writes.clear()
        writes += more
    if writes:
        await store.write(*writes)
    return found


def _goes(one: Entity) -> list[Write]:
    traces = loan_forgotten(one) if isinstance(one, Book | Video) else []
    return [delete(one), *traces]


LIBRARIES = Consumer(name="library-libraries", wants=(Library,), handle=clear_library)

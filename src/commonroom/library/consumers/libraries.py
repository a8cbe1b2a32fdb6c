"""After a library was deleted, everything in it goes; after a collection was, its items stay."""

from __future__ import annotations

from commonroom.errors import CommonroomError
from commonroom.library.service.access import retry
from commonroom.library.service.item_writes import loan_deletes
from commonroom.library.service.moves import carry_history
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    SharedLibrary,
    Video,
    contents,
    item,
    items_in_library,
    moved_items,
)
from commonroom.store import Entity, Store, Write, delete, update
from commonroom.store.limits import OPERATIONS
from commonroom.store.streams import Change, Consumer

ALONE = {"collection_id": None, "collection_name": None, "order": None}


async def clear_library(store: Store, change: Change) -> None:
    """Deletes what was in a library that is gone, and what recipients and borrowers have of it.

    Nothing can be put into it any more, but what moved may still have been followed by its history:
    it is looked through until nothing is found. Whoever is interrupted goes on with what is left.
    """
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    gone: Library = change.old
    await _move_histories(store, gone)
    while await _clear_once(store, gone):
        pass
    # The library knew them all; an index might not.
    pointers = [
        SharedLibrary.at(shared_to_id=one, library_id=gone.library_id) for one in gone.shared_to_ids
    ]
    if pointers:
        await store.write(*map(delete, pointers))


async def _move_histories(store: Store, gone: Library) -> None:
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
        more = _deletes(one)
        if len(writes) + len(more) > OPERATIONS:
            await store.write(*writes)
            writes.clear()
        writes += more
    if writes:
        await store.write(*writes)
    return found


def _deletes(one: Entity) -> list[Write]:
    beside = loan_deletes(one) if isinstance(one, Book | Video) else []
    return [delete(one), *beside]


LIBRARIES = Consumer(name="library-libraries", wants=(Library,), handle=clear_library)


async def release_items(store: Store, change: Change) -> None:
    """Takes the items out of a collection that is gone; nothing can be put into it any more.

    They are found through the base table: an item that an index does not have yet would stay. One
    that cannot be written now keeps none of the others, and is left to the next try.
    """
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    gone: Collection = change.old
    place = {"owner_id": gone.owner_id, "library_id": gone.library_id}
    if await store.get(Library.at(**place)) is None:
        return  # everything in it is being deleted
    trouble: CommonroomError | None = None
    async for one in store.all(items_in_library(**place)):
        if one.collection_id == gone.collection_id:
            try:
                await _release(store, one, gone.collection_id)
            except CommonroomError as error:
                trouble = error
    if trouble is not None:
        raise trouble


async def _release(store: Store, found: Book | Video, collection_id: str) -> None:
    seen: Book | Video | None = found

    async def attempt() -> None:
        nonlocal seen
        one, seen = seen, None
        if one is None:
            one = await store.get(
                item(owner_id=found.owner_id, library_id=found.library_id, item_id=found.item_id)
            )
        if one is not None and one.collection_id == collection_id:
            await store.write(update(one, **ALONE))

    await retry(attempt)


COLLECTIONS = Consumer(name="library-collections", wants=(Collection,), handle=release_items)

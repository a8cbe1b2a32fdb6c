"""After a collection was deleted, its items stand by themselves."""

from __future__ import annotations

from commonroom.errors import CommonroomError
from commonroom.library.service.retry import retry
from commonroom.library.tables import Book, Collection, Library, Video, item, items_in_library
from commonroom.store import Store, update
from commonroom.store.streams import Change, Consumer

ALONE = {"collection_id": None, "collection_name": None, "order": None}


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

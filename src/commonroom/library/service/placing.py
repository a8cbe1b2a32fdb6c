"""Places in collections: taken and left in the transaction of the item that stands there."""

from __future__ import annotations

from msgspec import Struct

from commonroom.library.errors import Conflict
from commonroom.library.rules.items import LAST_PLACE
from commonroom.library.rules.shelves import free_place, next_place
from commonroom.library.service.reach import collection_in
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    Video,
    items_in_library,
)
from commonroom.store import Condition, Store, Write, add, equal, update


class Place(Struct, frozen=True):
    """A place in a collection, and what has to be written with whatever is put there."""

    collection: Collection
    order: int
    taken: Write


async def place_in(store: Store, library: Library, collection_id: str, order: int | None) -> Place:
    """The place asked for, or the next free one: behind the last, else the first gap.

    Two who take the next free one at once get two: it is held that the last is still the last.
    """
    collection = await collection_in(store, library, collection_id)
    held = _as_read(collection)
    place = order or next_place(collection.last_order)
    if place is None:
        # Whatever is put there meanwhile counts, so the gap that was found still is one.
        held &= equal(item_count=collection.item_count)
        place = await _gap(store, collection)
    last = max(place, collection.last_order or 0)
    taken = update(collection.ref, item_count=add(1), last_order=last, if_=held)
    return Place(collection, place, taken)


async def place_left(store: Store, item: Book | Video) -> list[Write]:
    """What has to be written when an item leaves its collection; nothing where that is gone."""
    collection = await _collection_of(store, item)
    if collection is None:
        return []
    last = collection.last_order
    if last is not None and last == item.order:
        last = last - 1 or None
    counted = update(collection.ref, item_count=add(-1), last_order=last, if_=_as_read(collection))
    return [counted]


async def place_changed(store: Store, item: Book | Video, order: int) -> list[Write]:
    """What has to be written when an item gets another place in the collection it is in."""
    collection = await _collection_of(store, item)
    if collection is None or order <= (collection.last_order or 0):
        return []
    return [update(collection.ref, last_order=order, if_=_as_read(collection))]


async def _collection_of(store: Store, item: Book | Video) -> Collection | None:
    if item.collection_id is None:
        return None
    return await store.get(
        Collection.at(
            owner_id=item.owner_id, library_id=item.library_id, collection_id=item.collection_id
        )
    )


def _as_read(collection: Collection) -> Condition:
    """That its name, which items copy, and its last place are as they were read."""
    return equal(name=collection.name, last_order=collection.last_order)


async def _gap(store: Store, collection: Collection) -> int:
    asked = items_in_library(owner_id=collection.owner_id, library_id=collection.library_id)
    place = free_place(
        [
            one.order
            async for one in store.all(asked)
            if one.collection_id == collection.collection_id
        ]
    )
    if place is None:
        raise Conflict(f"All {LAST_PLACE:,} places of this collection are taken.")
    return place

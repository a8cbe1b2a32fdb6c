"""Places in collections: taken and left in the transaction of the item that stands there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from commonroom.errors import Conflict
from commonroom.library.rules.items import LAST_PLACE
from commonroom.library.rules.shelves import free_place, next_place
from commonroom.library.service.access import collection_in
from commonroom.library.tables import Book, Collection, Library, Order, Video, items_in_library
from commonroom.store import Condition, Store, Write, add, equal, update


class Place(Struct, frozen=True):
    """A place in a collection, beside others that are taken there in the same transaction."""

    collection: Collection
    orders: tuple[Order, ...]
    """All that are taken; this one is the last of them."""
    held: Condition

    @property
    def order(self) -> Order:
        """Which one it is."""
        return self.orders[-1]

    @property
    def last(self) -> int | None:
        """The last whole place of the collection, these included."""
        return max((*map(int, self.orders), self.collection.last_order or 0)) or None

    @property
    def taken(self) -> Write:
        """What has to be written with whatever is put there."""
        number = add(len(self.orders))
        return update(self.collection.ref, item_count=number, last_order=self.last, if_=self.held)


async def take_place(
    store: Store,
    library: Library,
    collection_id: str,
    order: Order | None,
    *,
    beside: Place | None = None,
) -> Place:
    """The place asked for, or the next free one: behind the last, else the first gap.

    Two who take the next free one at once get two: it is held that the last is still the last.
    """
    if beside is None:
        collection = await collection_in(store, library, collection_id)
        beside = Place(collection, (), _as_read(collection))
    held, place = beside.held, order or next_place(beside.last)
    if place is None:
        # Whatever is put there meanwhile counts, so the gap that was found still is one.
        held &= equal(item_count=beside.collection.item_count)
        place = await _gap(store, beside)
    return Place(beside.collection, (*beside.orders, place), held)


async def leave_place(store: Store, item: Book | Video) -> list[Write]:
    """What has to be written when an item leaves its collection; nothing where that is gone."""
    return await leave_places(store, [item])


async def leave_places(store: Store, items: Sequence[Book | Video]) -> list[Write]:
    """What has to be written when several items leave their collections together."""
    orders: dict[str, list[Order | None]] = defaultdict(list)
    for one in items:
        orders[one.collection_id or ""].append(one.order)
    members = {one.collection_id or "": one for one in items if one.collection_id}
    found = [(await _collection_of(store, one), orders[name]) for name, one in members.items()]
    return [_left(there, gone) for there, gone in found if there is not None]


async def change_place(store: Store, item: Book | Video, order: Order) -> list[Write]:
    """What has to be written when an item gets another place in the collection it is in."""
    collection = await _collection_of(store, item)
    if collection is None or int(order) <= (collection.last_order or 0):
        return []
    return [update(collection.ref, last_order=int(order), if_=_as_read(collection))]


async def _collection_of(store: Store, item: Book | Video) -> Collection | None:
    if item.collection_id is None:
        return None
    return await store.get(
        Collection.at(
            owner_id=item.owner_id, library_id=item.library_id, collection_id=item.collection_id
        )
    )


def _left(collection: Collection, orders: Sequence[Order | None]) -> Write:
    last = collection.last_order or 0
    while last and last in orders:
        last -= 1
    changes = {"item_count": add(-len(orders)), "last_order": last or None}
    return update(collection.ref, **changes, if_=_as_read(collection))


def _as_read(collection: Collection) -> Condition:
    """That its name, which items copy, and its last place are as they were read."""
    return equal(name=collection.name, last_order=collection.last_order)


async def _gap(store: Store, beside: Place) -> int:
    there = beside.collection
    asked = items_in_library(owner_id=there.owner_id, library_id=there.library_id)
    stored = [
        one.order async for one in store.all(asked) if one.collection_id == there.collection_id
    ]
    place = free_place([*stored, *beside.orders])
    if place is None:
        raise Conflict(f"All {LAST_PLACE:,} numbers in this collection are taken.")
    return place

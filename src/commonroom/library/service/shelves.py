"""A library's shelf, page by page, with neighbours; and places in collections.

Places are taken and left in the transaction of the item that stands there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, InvalidField
from commonroom.library.rules.items import LAST_PLACE
from commonroom.library.rules.shelves import Entry, ShelfRun, free_place, group_entries, next_place
from commonroom.library.service.access import (
    LibraryAccess,
    collection_in,
    hide_private,
    readable_library,
)
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    Order,
    Video,
    items_in_library,
    shelf,
    shelf_before,
    shelf_from,
)
from commonroom.library.tables.items import place_on_shelf
from commonroom.store import BoundPattern, Condition, Store, Write, add, equal, update

PAGE = 10
MAX_PAGE = 50

BEFORE, AFTER = 4, 12


class ShelfPage(Struct, frozen=True):
    """A page of a shelf."""

    access: LibraryAccess
    groups: list[ShelfRun]
    cursor: str | None


async def see_shelf(
    ctx: Context,
    library_id: str,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
    start: str | None = None,
) -> ShelfPage:
    """A part of a library that a person may look into: two requests, and one more for a share.

    With `start`, the shelf begins where a title of these letters would stand.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidField("limit", f"A page can have 1 to {MAX_PAGE} items.")
    access = await readable_library(ctx, library_id)
    here = {"owner_id": access.library.owner_id, "library_id": access.library.library_id}
    asked = shelf(**here)
    if start:
        asked = shelf_from(**here, place=place_on_shelf(start, None, None))
    page, following = await ctx.store.page_and_next(asked, limit=limit, cursor=cursor)
    entries = _visible(access, page.items)
    # Whether the last collection goes on on the next page.
    goes_on = None if following is None else following.collection_id
    return ShelfPage(access, group_entries(entries, goes_on), page.cursor)


class ShelfNeighbours(Struct, frozen=True):
    """A part of a shelf with an item in it, in order, and its neighbours in their collection."""

    entries: list[Entry]
    before: Book | Video | None
    after: Book | Video | None


async def see_neighbours(
    store: Store, access: LibraryAccess, item: Book | Video
) -> ShelfNeighbours:
    """Returns what stands on both sides of an item: two requests."""
    here = {"owner_id": item.owner_id, "library_id": item.library_id}
    place = place_on_shelf(item.title, item.collection_name, item.order)
    earlier, later = await store.gather(
        _visible_page(store, access, shelf_before(**here, place=place), BEFORE),
        # The item itself, and perhaps others that have its very place.
        _visible_page(store, access, shelf_from(**here, place=place), AFTER + 1),
    )
    entries = [*reversed(earlier), *later]
    number = next((n for n, one in enumerate(entries) if _is(one, item)), None)
    if number is None:  # an index may not have it yet
        return ShelfNeighbours(entries, None, None)
    before, after = entries[:number][-1:], entries[number + 1 : number + 2]
    return ShelfNeighbours(
        entries, _in_same_collection(item, before), _in_same_collection(item, after)
    )


async def _visible_page(
    store: Store, access: LibraryAccess, asked: BoundPattern[Book | Video | Collection], limit: int
) -> list[Entry]:
    page = await store.page(asked, limit=limit)
    return _visible(access, page.items)


def _visible(access: LibraryAccess, entries: list[Entry]) -> list[Entry]:
    """Returns entries of a shelf as the caller may see them."""
    if access.is_owner:
        return entries
    return [one if isinstance(one, Collection) else hide_private(access, one) for one in entries]


def _is(entry: Entry, item: Book | Video) -> bool:
    return not isinstance(entry, Collection) and entry.item_id == item.item_id


def _in_same_collection(item: Book | Video, found: list[Entry]) -> Book | Video | None:
    """Returns a neighbour, where it is in the same collection."""
    for one in found:
        if not isinstance(one, Collection) and one.collection_id == item.collection_id is not None:
            return one
    return None


async def collection_of(store: Store, item: Book | Video) -> Collection | None:
    """Returns the collection that an item is in; None where it stands alone, or that is gone."""
    if item.collection_id is None:
        return None
    return await store.get(
        Collection.at(
            owner_id=item.owner_id, library_id=item.library_id, collection_id=item.collection_id
        )
    )


class CollectionSlot(Struct, frozen=True):
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
    beside: CollectionSlot | None = None,
) -> CollectionSlot:
    """Returns the place asked for, or the next free one: behind the last, else the first gap.

    Two who take the next free one at once get two: it is held that the last is still the last.
    """
    if beside is None:
        collection = await collection_in(store, library, collection_id)
        beside = CollectionSlot(collection, (), _as_read(collection))
    held, place = beside.held, order or next_place(beside.last)
    if place is None:
        # Whatever is put there meanwhile counts, so the gap that was found still is one.
        held &= equal(item_count=beside.collection.item_count)
        place = await _gap(store, beside)
    return CollectionSlot(beside.collection, (*beside.orders, place), held)


async def leave_place(store: Store, item: Book | Video) -> list[Write]:
    """What has to be written when an item leaves its collection; nothing where that is gone."""
    return await leave_places(store, [item])


async def leave_places(store: Store, items: Sequence[Book | Video]) -> list[Write]:
    """Returns what has to be written when several items leave their collections together."""
    orders: dict[str, list[Order | None]] = defaultdict(list)
    for one in items:
        orders[one.collection_id or ""].append(one.order)
    members = {one.collection_id or "": one for one in items if one.collection_id}
    found = [(await collection_of(store, one), orders[name]) for name, one in members.items()]
    return [_left(there, gone) for there, gone in found if there is not None]


async def change_place(store: Store, item: Book | Video, order: Order) -> list[Write]:
    """Returns what has to be written when an item gets another place in the collection it is in."""
    collection = await collection_of(store, item)
    if collection is None or int(order) <= (collection.last_order or 0):
        return []
    return [update(collection.ref, last_order=int(order), if_=_as_read(collection))]


def _left(collection: Collection, orders: Sequence[Order | None]) -> Write:
    last = collection.last_order or 0
    while last and last in orders:
        last -= 1
    changes = {"item_count": add(-len(orders)), "last_order": last or None}
    return update(collection.ref, **changes, if_=_as_read(collection))


def _as_read(collection: Collection) -> Condition:
    """That its name, which items copy, and its last place are as they were read."""
    return equal(name=collection.name, last_order=collection.last_order)


async def _gap(store: Store, beside: CollectionSlot) -> int:
    there = beside.collection
    asked = items_in_library(owner_id=there.owner_id, library_id=there.library_id)
    stored = [
        one.order async for one in store.all(asked) if one.collection_id == there.collection_id
    ]
    place = free_place([*stored, *beside.orders])
    if place is None:
        raise Conflict(f"All {LAST_PLACE:,} numbers in this collection are taken.")
    return place

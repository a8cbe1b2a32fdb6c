"""What stands beside an item on its shelf."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from commonroom.library.rules.shelves import Entry
from commonroom.library.service.reach import Reach, seen_by
from commonroom.library.tables import Book, Collection, Video, shelf_before, shelf_from
from commonroom.library.tables.items import place_on_shelf
from commonroom.store import BoundPattern, Store

BEFORE, AFTER = 4, 12


class Beside(Struct, frozen=True):
    """A part of a shelf with an item in it, in order, and its neighbours in their collection."""

    entries: list[Entry]
    before: Book | Video | None
    after: Book | Video | None


async def see_beside(store: Store, reach: Reach, item: Book | Video) -> Beside:
    """What stands on both sides of an item: two requests."""
    here = {"owner_id": item.owner_id, "library_id": item.library_id}
    place = place_on_shelf(item.title, item.collection_name, item.order)
    earlier, later = await asyncio.gather(
        _seen(store, reach, shelf_before(**here, place=place), BEFORE),
        # The item itself, and perhaps others that have its very place.
        _seen(store, reach, shelf_from(**here, place=place), AFTER + 1),
    )
    entries = [*reversed(earlier), *later]
    number = next((n for n, one in enumerate(entries) if _is(one, item)), None)
    if number is None:  # an index may not have it yet
        return Beside(entries, None, None)
    before, after = entries[:number][-1:], entries[number + 1 : number + 2]
    return Beside(entries, _fellow(item, before), _fellow(item, after))


async def _seen(
    store: Store, reach: Reach, asked: BoundPattern[Book | Video | Collection], limit: int
) -> list[Entry]:
    page = await store.page(asked, limit=limit)
    return [one if isinstance(one, Collection) else seen_by(reach, one) for one in page.items]


def _is(entry: Entry, item: Book | Video) -> bool:
    return not isinstance(entry, Collection) and entry.item_id == item.item_id


def _fellow(item: Book | Video, found: list[Entry]) -> Book | Video | None:
    """A neighbour, where it is in the same collection."""
    for one in found:
        if not isinstance(one, Collection) and one.collection_id == item.collection_id is not None:
            return one
    return None

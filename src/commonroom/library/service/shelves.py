"""A library's shelf, page by page: items and collections in one alphabet."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.library.rules.shelves import Entry, Group, grouped
from commonroom.library.service.access import Reach, readable, seen_by
from commonroom.library.tables import Book, Collection, Video, shelf, shelf_before, shelf_from
from commonroom.library.tables.items import place_on_shelf
from commonroom.store import BoundPattern, Store

PAGE = 10
LONGEST_PAGE = 50


class ShelfSeen(Struct, frozen=True):
    """A page of a shelf."""

    reach: Reach
    groups: list[Group]
    cursor: str | None


async def see_shelf(
    store: Store,
    person: User,
    library_id: str,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
    start: str | None = None,
) -> ShelfSeen:
    """A part of a library that a person may look into: two requests, and at most two more.

    One is for a share, the other looks whether the last collection goes on on the next page.
    With `start`, the shelf begins where a title of these letters would stand.
    """
    if not 1 <= limit <= LONGEST_PAGE:
        raise InvalidField("limit", f"A page can have 1 to {LONGEST_PAGE} items.")
    reach = await readable(store, person, library_id)
    here = {"owner_id": reach.library.owner_id, "library_id": reach.library.library_id}
    asked = shelf(**here)
    if start:
        asked = shelf_from(**here, place=place_on_shelf(start, None, None))
    page = await store.page(asked, limit=limit, cursor=cursor)
    entries = [one if isinstance(one, Collection) else seen_by(reach, one) for one in page.items]
    following = None
    if page.cursor is not None and entries and entries[-1].collection_id is not None:
        peeked = await store.page(asked, limit=1, cursor=page.cursor)
        following = next((one.collection_id for one in peeked.items), None)
    return ShelfSeen(reach, grouped(entries, following), page.cursor)


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

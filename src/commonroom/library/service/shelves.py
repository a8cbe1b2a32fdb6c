"""A library's shelf, page by page: items and collections in one alphabet, and neighbours."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.errors import InvalidField
from commonroom.library.rules.shelves import Entry, Group, group_entries
from commonroom.library.service.access import LibraryAccess, hide_private, readable_library
from commonroom.library.tables import Book, Collection, Video, shelf, shelf_before, shelf_from
from commonroom.library.tables.items import place_on_shelf
from commonroom.store import BoundPattern, Store

PAGE = 10
LONGEST_PAGE = 50


BEFORE, AFTER = 4, 12


class ShelfPage(Struct, frozen=True):
    """A page of a shelf."""

    access: LibraryAccess
    groups: list[Group]
    cursor: str | None


async def see_shelf(
    ctx: Context,
    library_id: str,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
    start: str | None = None,
) -> ShelfPage:
    """A part of a library that a person may look into: two requests, and at most two more.

    One is for a share, the other looks whether the last collection goes on on the next page.
    With `start`, the shelf begins where a title of these letters would stand.
    """
    if not 1 <= limit <= LONGEST_PAGE:
        raise InvalidField("limit", f"A page can have 1 to {LONGEST_PAGE} items.")
    access = await readable_library(ctx, library_id)
    here = {"owner_id": access.library.owner_id, "library_id": access.library.library_id}
    asked = shelf(**here)
    if start:
        asked = shelf_from(**here, place=place_on_shelf(start, None, None))
    page = await ctx.store.page(asked, limit=limit, cursor=cursor)
    entries = [
        one if isinstance(one, Collection) else hide_private(access, one) for one in page.items
    ]
    following = None
    if page.cursor is not None and entries and entries[-1].collection_id is not None:
        peeked = await ctx.store.page(asked, limit=1, cursor=page.cursor)
        following = next((one.collection_id for one in peeked.items), None)
    return ShelfPage(access, group_entries(entries, following), page.cursor)


class Neighbours(Struct, frozen=True):
    """A part of a shelf with an item in it, in order, and its neighbours in their collection."""

    entries: list[Entry]
    before: Book | Video | None
    after: Book | Video | None


async def see_neighbours(store: Store, access: LibraryAccess, item: Book | Video) -> Neighbours:
    """What stands on both sides of an item: two requests."""
    here = {"owner_id": item.owner_id, "library_id": item.library_id}
    place = place_on_shelf(item.title, item.collection_name, item.order)
    earlier, later = await asyncio.gather(
        _visible_page(store, access, shelf_before(**here, place=place), BEFORE),
        # The item itself, and perhaps others that have its very place.
        _visible_page(store, access, shelf_from(**here, place=place), AFTER + 1),
    )
    entries = [*reversed(earlier), *later]
    number = next((n for n, one in enumerate(entries) if _is(one, item)), None)
    if number is None:  # an index may not have it yet
        return Neighbours(entries, None, None)
    before, after = entries[:number][-1:], entries[number + 1 : number + 2]
    return Neighbours(entries, _in_same_collection(item, before), _in_same_collection(item, after))


async def _visible_page(
    store: Store, access: LibraryAccess, asked: BoundPattern[Book | Video | Collection], limit: int
) -> list[Entry]:
    page = await store.page(asked, limit=limit)
    return [one if isinstance(one, Collection) else hide_private(access, one) for one in page.items]


def _is(entry: Entry, item: Book | Video) -> bool:
    return not isinstance(entry, Collection) and entry.item_id == item.item_id


def _in_same_collection(item: Book | Video, found: list[Entry]) -> Book | Video | None:
    """A neighbour, where it is in the same collection."""
    for one in found:
        if not isinstance(one, Collection) and one.collection_id == item.collection_id is not None:
            return one
    return None

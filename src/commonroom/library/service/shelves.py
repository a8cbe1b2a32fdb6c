"""A library's shelf, page by page: items and collections in one alphabet."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.library.rules.shelves import Group, grouped
from commonroom.library.service.reach import Reach, readable, seen_by
from commonroom.library.tables import Collection, shelf, shelf_from
from commonroom.library.tables.items import place_on_shelf
from commonroom.store import Store

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

"""Collections as whoever may look into a library sees them: all, and one with its members."""

from __future__ import annotations

from msgspec import Struct

from commonroom.library.service.reach import Reach, collection_in, seen_by
from commonroom.library.tables import (
    Book,
    Collection,
    Video,
    collections,
    items_in_collection,
)
from commonroom.store import Page, Store
from commonroom.texts import collation_key

PAGE = 50
MOST_LISTED = 200
"""Of all collections: the table has them in no order of names."""


class CollectionSeen(Struct, frozen=True):
    """A collection and a page of its members, in order."""

    collection: Collection
    items: list[Book | Video]
    cursor: str | None


async def see_collections(
    store: Store, reach: Reach, *, limit: int = MOST_LISTED, cursor: str | None = None
) -> Page[Collection]:
    """A library's collections each page by name: one request."""
    place = {"owner_id": reach.library.owner_id, "library_id": reach.library.library_id}
    found = await store.page(collections(**place), limit=limit, cursor=cursor)
    return Page(sorted(found.items, key=lambda one: collation_key(one.name)), found.seal)


async def see_members(
    store: Store,
    reach: Reach,
    collection_id: str,
    *,
    limit: int = PAGE,
    cursor: str | None = None,
) -> CollectionSeen:
    """A collection with its members: two requests."""
    there = await collection_in(store, reach.library, collection_id)
    asked = items_in_collection(
        owner_id=there.owner_id, library_id=there.library_id, collection_name=there.name
    )
    page = await store.page(asked, limit=limit, cursor=cursor)
    # While a new name is on its way to the members, some still have the old one.
    inside = [seen_by(reach, one) for one in page.items if one.collection_id == collection_id]
    return CollectionSeen(there, inside, page.cursor)

"""Collections as whoever may look sees them."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.library.service.access import readable_library
from commonroom.library.service.collections import change_collection, see_collections, see_members
from commonroom.library.tables import Library
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, collection_of, tidied


async def test_members_stand_in_order(store: Store, clock: Watch, ada: User, home: Library) -> None:
    made = await collection_of(store, clock, ada, home, "Earthsea")
    await collection_of(store, clock, ada, home, "Earthsea tales")
    for title, order in (("Shore", 3), ("Wizard", 1), ("Tombs", 2)):
        given = {"collection_id": made.collection_id, "order": order}
        await book_of(store, clock, ada, home, title, **given)
    reach = await readable_library(Context(store, ada), home.library_id)
    with counting() as tally:
        seen = await see_members(store, reach, made.collection_id)
    assert tally.requests == 2
    assert [one.title for one in seen.items] == ["Wizard", "Tombs", "Shore"]
    with pytest.raises(NotFound):
        await see_members(store, reach, "NOSUCH")


async def test_members_of_one_that_took_the_name_of_another_are_its_own(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    old = await collection_of(store, clock, ada, home, "Series")
    new = await collection_of(store, clock, ada, home, "Other")
    await book_of(store, clock, ada, home, "Mine", collection_id=old.collection_id)
    ctx = Context(store, ada, clock())
    await change_collection(ctx, home.library_id, old.collection_id, name="Former")
    await change_collection(ctx, home.library_id, new.collection_id, name="Series")
    reach = await readable_library(Context(store, ada), home.library_id)
    assert (await see_members(store, reach, new.collection_id)).items == []
    await tidied(store, clock)
    (mine,) = (await see_members(store, reach, old.collection_id)).items
    assert mine.title == "Mine"


async def test_all_of_them_are_in_alphabetical_order(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    for name in ("zoo", "Élan", "Emma"):
        await collection_of(store, clock, ada, home, name)
    reach = await readable_library(Context(store, ada), home.library_id)
    found = await see_collections(store, reach)
    assert [one.name for one in found.items] == ["Élan", "Emma", "zoo"]
    assert found.cursor is None

"""Somebody pages through a shelf while a collection on it gets another name."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.collections import change_collection
from commonroom.library.service.shelves import see_shelf
from commonroom.library.tables import Library
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, check_bookcases, collection_of, drift, tidied

ALONE = [f"{letter} alone" for letter in "ADGJLMNPSVZ"]
MEMBERS = [f"Member {number}" for number in range(5)]


@pytest.mark.parametrize("rename", list(product(["Aardvarks", "Zebras"], [1, 2])))
async def test_a_rename_during_paging_loses_and_doubles_nobody_else(
    store: Store, clock: Watch, ada: User, home: Library, rename: tuple[str, int]
) -> None:
    name, pages = rename
    made = await collection_of(store, clock, ada, home, "Mammals")
    for title in MEMBERS:
        await book_of(store, clock, ada, home, title, collection_id=made.collection_id)
    for title in ALONE:
        await book_of(store, clock, ada, home, title)
    seen: Counter[str] = Counter()
    cursor, number = None, 0
    while number == 0 or cursor is not None:
        page = await see_shelf(Context(store, ada), home.library_id, limit=4, cursor=cursor)
        seen.update(item.title for group in page.groups for item in group.items)
        cursor, number = page.cursor, number + 1
        if number == pages:
            ctx = Context(store, ada, clock())
            await change_collection(ctx, home.library_id, made.collection_id, name=name)
        if number == pages + 1:
            await tidied(store, clock)

    assert {title: seen[title] for title in ALONE} == dict.fromkeys(ALONE, 1)
    # Members go to where the collection stands now: before what was read, or behind it.
    assert all(seen[title] <= 2 for title in MEMBERS)
    if name == "Zebras":
        assert all(seen[title] >= 1 for title in MEMBERS)
    page = await see_shelf(Context(store, ada), home.library_id, limit=50)
    told = {one.name: [item.title for item in one.items] for one in page.groups if one.name}
    assert (told, len(page.groups)) == ({name: MEMBERS}, 1 + len(ALONE))
    await check_bookcases(store.engine)
    assert await drift(store) == []

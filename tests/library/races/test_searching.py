"""Searching while others put things on the shelves, change them and take them away."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.items import change_item, delete_item
from commonroom.library.service.library_key_cache import LAG_SECONDS
from commonroom.library.service.search import search
from commonroom.library.service.search_cache import SearchCache
from commonroom.library.tables import Library, items_in_library
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.library.bookcase import book_of

HANDS, EACH = 4, 5


@pytest.mark.parametrize("seed", range(2))
async def test_what_is_remembered_in_the_end_is_what_is_there(
    store: Store, clock: Watch, ada: User, home: Library, seed: int
) -> None:
    memory, chance = SearchCache(clock=clock), Random(seed)
    done = asyncio.Event()

    async def shelve(hand: int) -> None:
        place = (Context(store, ada, clock()), home.library_id)
        for number in range(EACH):
            book = await book_of(store, clock, ada, home, f"Winter {hand} {number}")
            await asyncio.sleep(chance.random() / 100)
            if number % 3 == 1:
                await change_item(*place, book.item_id, given={"title": f"Summer {number}"})
            elif number % 3 == 2:
                await delete_item(*place, book.item_id)

    async def look() -> None:
        while not done.is_set():
            found = await search(
                Context(store, ada), memory, chance.choice(["winter", "summer"]), limit=50
            )
            assert len({one.item.item_id for one in found.hits}) == len(found.hits)
            await asyncio.sleep(chance.random() / 100)

    looking = asyncio.gather(look(), look())
    await asyncio.gather(*(shelve(hand) for hand in range(HANDS)))
    done.set()
    await looking
    clock.forward(LAG_SECONDS)
    there = [one async for one in store.all(items_in_library(**of(home)))]
    for word in ("winter", "summer"):
        found = await search(Context(store, ada), memory, word, limit=50)
        right = {one.item_id for one in there if word in one.title.casefold()}
        assert {one.item.item_id for one in found.hits} == right
        assert right


def of(library: Library) -> dict[str, str]:
    return {"owner_id": library.owner_id, "library_id": library.library_id}

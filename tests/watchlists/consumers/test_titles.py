"""Lists show titles as they are now, and no longer hold those that are removed."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store, delete, update
from commonroom.titles.stored_titles import title_ref
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.tables import TitleOnList
from tests.accounts.people import Watch
from tests.watchlists.examples import (
    ALIEN,
    MATRIX,
    everything_of,
    list_of,
    names,
    now_of,
    tidied,
)


async def test_what_changes_of_a_title_reaches_every_list_private_ones_included(
    store: Store, clock: Watch, ada: User
) -> None:
    lists = [
        await list_of(store, clock, ada, MATRIX, ALIEN, is_public=is_public)
        for is_public in (True, False)
    ]
    await tidied(store, clock)
    await store.write(update(title_ref(MATRIX), title="Matrix", poster_url="/posters/m.jpg"))
    await tidied(store, clock)
    for made in lists:
        found = await get_contents(store, made.watchlist_id)
        assert names(found.items) == ["Matrix", "Alien"]
        assert found.items[0].poster_url == "/posters/m.jpg"
        assert found.watchlist.posters[0].title == "Matrix"


async def test_a_rating_rewrites_no_list(store: Store, clock: Watch, ada: User) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    await tidied(store, clock)
    before = await now_of(store, made)
    await store.write(update(title_ref(MATRIX), rating_count=1, rating_sum=8, rating=8.0))
    await tidied(store, clock)
    assert await now_of(store, made) == before


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_title_that_is_removed_leaves_all_lists(
    store: Store, clock: Watch, ada: User, at_once: bool
) -> None:
    made = await list_of(store, clock, ada, MATRIX, ALIEN)
    await tidied(store, clock)
    if not at_once:
        await store.write(update(title_ref(MATRIX), removed_at="2026-01-01T00:00:00.000Z"))
    else:
        await store.write(delete(title_ref(MATRIX)))
    await tidied(store, clock)
    found = await get_contents(store, made.watchlist_id)
    assert (names(found.items), found.watchlist.item_count) == (["Alien"], 1)
    assert [one.content_id for one in await everything_of(store.engine, TitleOnList)] == ["348"]

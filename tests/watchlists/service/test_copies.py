"""Copies of lists."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.store import Store, delete, update
from commonroom.titles.stored_titles import title_ref
from commonroom.watchlists.service import collaborators
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.service.copies import copy_list, resume_copy
from commonroom.watchlists.service.items import change_note, remove_item
from commonroom.watchlists.service.lists import delete_list
from commonroom.watchlists.tables import OwnedList, WatchlistItem
from tests.accounts.people import Watch
from tests.watchlists.examples import (
    ALIEN,
    DARK,
    HEAT,
    MATRIX,
    add_item,
    asks,
    everything_of,
    list_of,
    names,
    now_of,
    stock,
    stocked,
)


async def test_anyone_copies_what_they_may_read_into_a_private_list_of_their_own(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, ALIEN, DARK, tags=["Noir"], is_numbered=True)
    await change_note(asks(store, clock, ada), made.watchlist_id, ALIEN, "In space.")
    copy = await copy_list(asks(store, clock, ben), made.watchlist_id)
    found = await get_contents(store, copy.watchlist_id)
    assert names(found.items) == ["The Matrix", "Alien", "Dark"]
    assert found.items[1].curator_note == "In space."
    assert {one.added_by for one in found.items} == {ben.user_id}
    mine = found.watchlist
    assert (mine.curator_id, mine.is_public, mine.copied_from) == (
        ben.user_id,
        False,
        made.watchlist_id,
    )
    assert (mine.title, mine.tags, mine.is_numbered) == (made.title, ["Noir"], True)
    assert (mine.item_count, mine.is_being_copied) == (3, False)


async def test_a_long_list_is_copied_whole(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    await stock(store, 75)
    made = await list_of(store, clock, ada, *(stocked(number) for number in range(75)))
    copy = await copy_list(asks(store, clock, ben), made.watchlist_id)
    found = await get_contents(store, copy.watchlist_id)
    assert names(found.items) == [f"Film {10_000 + number}" for number in range(75)]
    assert found.watchlist.item_count == 75


async def test_a_private_list_is_copied_by_those_who_may_read_it(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, HEAT, is_public=False)
    with pytest.raises(NotFound):
        await copy_list(asks(store, clock, ben), made.watchlist_id)
    key = await collaborators.create_link(asks(store, clock, ada), made.watchlist_id, "view")
    copy = await copy_list(asks(store, clock, ben), made.watchlist_id, view_key=key)
    assert copy.item_count == 1
    assert len(await everything_of(store.engine, OwnedList)) == 2


async def test_what_was_interrupted_goes_on_without_what_came_later(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, ALIEN)
    copy = await copy_list(asks(store, clock, ben), made.watchlist_id)
    await remove_item(asks(store, clock, ben), copy.watchlist_id, MATRIX)
    clock.forward(60)
    await add_item(asks(store, clock, ada), made.watchlist_id, "MOVIE", HEAT.content_id)
    await store.write(update(copy.ref, is_being_copied=True))
    for _ in range(2):
        done = await resume_copy(store, copy.watchlist_id)
        assert (done.item_count, done.is_being_copied) == (2, False)
    items = (await get_contents(store, copy.watchlist_id)).items
    assert names(items) == ["Alien", "The Matrix"]


async def test_a_copy_ends_where_its_original_or_a_title_is_gone(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, ALIEN)
    await store.write(delete(title_ref(MATRIX)))
    copy = await copy_list(asks(store, clock, ben), made.watchlist_id)
    assert copy.item_count == 1
    await store.write(update(copy.ref, is_being_copied=True))
    await delete_list(asks(store, clock, ada), made.watchlist_id)
    assert not (await resume_copy(store, copy.watchlist_id)).is_being_copied
    assert (await now_of(store, copy)).item_count == 1
    assert len(await everything_of(store.engine, WatchlistItem)) == 3

"""Saved lists: followed, let go, no longer available, and what is new in them."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.store import Store, counting
from commonroom.watchlists.service import saves
from commonroom.watchlists.service.items import remove_item
from commonroom.watchlists.service.lists import ListChange, change_list, delete_list
from commonroom.watchlists.tables import DaySaves, SavedWatchlist, Saver
from tests.accounts.people import DAY, Watch, at_once
from tests.watchlists.examples import (
    ALIEN,
    HEAT,
    MATRIX,
    add_item,
    asks,
    everything_of,
    list_of,
    now_of,
)


async def test_following_is_idempotent_and_counted_exactly(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    for person in (ben, ben, eve):
        await saves.follow_list(asks(store, clock, person), made.watchlist_id)
    assert (await now_of(store, made)).save_count == 2
    assert len(await everything_of(store.engine, Saver)) == 2
    (day,) = await everything_of(store.engine, DaySaves)
    assert day.saves == 2
    for _ in range(2):
        await saves.unfollow_list(asks(store, clock, ben), made.watchlist_id)
    assert (await now_of(store, made)).save_count == 1
    assert [one.user_id for one in await everything_of(store.engine, Saver)] == [eve.user_id]
    (day,) = await everything_of(store.engine, DaySaves)
    assert day.saves == 1


async def test_many_at_once_are_counted_once_each(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    people = (ben, ben, eve, eve)
    _, refused = await at_once(
        *(saves.follow_list(asks(store, clock, one), made.watchlist_id) for one in people)
    )
    assert refused == []
    assert (await now_of(store, made)).save_count == 2


async def test_letting_go_takes_the_save_off_its_own_day(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    await saves.follow_list(asks(store, clock, ben), made.watchlist_id)
    clock.forward(2 * DAY)
    await saves.follow_list(asks(store, clock, eve), made.watchlist_id)
    await saves.unfollow_list(asks(store, clock, ben), made.watchlist_id)
    days = await everything_of(store.engine, DaySaves)
    assert [one.saves for one in sorted(days, key=lambda one: one.day)] == [0, 1]


async def test_ones_own_and_private_lists_cannot_be_followed(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    with pytest.raises(Conflict):
        await saves.follow_list(asks(store, clock, ada), made.watchlist_id)
    hidden = await list_of(store, clock, ada, is_public=False)
    for watchlist_id in (hidden.watchlist_id, "nothing", "a#b"):
        with pytest.raises(NotFound):
            await saves.follow_list(asks(store, clock, ben), watchlist_id)
    await saves.unfollow_list(asks(store, clock, ben), "a#b")


async def test_what_is_new_is_counted_without_reading_the_list(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    ctx = asks(store, clock, ada)
    await saves.follow_list(asks(store, clock, ben), made.watchlist_id)
    for title in (ALIEN, HEAT):
        await add_item(ctx, made.watchlist_id, title.content_type, title.content_id)
    with counting() as count:
        page = await saves.my_followed_lists(asks(store, clock, ben))
    assert ([one.new_count for one in page.items], count.requests) == ([2], 2)
    for title in (MATRIX, ALIEN):
        await remove_item(ctx, made.watchlist_id, title)
    page = await saves.my_followed_lists(asks(store, clock, ben))
    assert page.items[0].new_count == 1, "no more than there is"


async def test_visiting_writes_only_where_something_is_new(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    saved = await saves.follow_list(asks(store, clock, ben), made.watchlist_id)
    with counting() as count:
        assert await saves.visit(asks(store, clock, ben), saved, made) == saved
    assert count.requests == 0
    await add_item(asks(store, clock, ada), made.watchlist_id, "MOVIE", ALIEN.content_id)
    clock.forward(1)
    seen = await saves.visit(asks(store, clock, ben), saved, await now_of(store, made))
    assert seen == await now_of(store, saved)
    assert (await saves.my_followed_lists(asks(store, clock, ben))).items[0].new_count == 0


async def test_a_list_that_turns_private_or_is_deleted_stays_until_it_is_dismissed(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    lists = [await list_of(store, clock, ada, MATRIX, title=name) for name in ("One", "Two")]
    for made in lists:
        await saves.follow_list(asks(store, clock, ben), made.watchlist_id)
    ctx = asks(store, clock, ada)
    await change_list(ctx, lists[0].watchlist_id, ListChange(is_public=False))
    await delete_list(ctx, lists[1].watchlist_id)
    page = await saves.my_followed_lists(asks(store, clock, ben))
    assert {(one.title, one.watchlist) for one in page.items} == {("One", None), ("Two", None)}
    for made in lists:
        await saves.unfollow_list(asks(store, clock, ben), made.watchlist_id)
    assert await everything_of(store.engine, SavedWatchlist) == []
    assert (await now_of(store, lists[0])).save_count == 0


async def test_a_private_list_that_is_published_again_is_back(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    await saves.follow_list(asks(store, clock, ben), made.watchlist_id)
    for is_public in (False, True):
        await change_list(
            asks(store, clock, ada), made.watchlist_id, ListChange(is_public=is_public)
        )
        page = await saves.my_followed_lists(asks(store, clock, ben))
        assert (page.items[0].watchlist is not None) is is_public

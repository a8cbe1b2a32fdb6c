"""The lists that most people saved lately."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store, counting
from commonroom.store.errors import BadCursor
from commonroom.watchlists.consumers.trending import rank
from commonroom.watchlists.service import discovery
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.service.saves import follow_list, unfollow_list
from commonroom.watchlists.tables import DaySaves, Trending
from tests.accounts.people import DAY, Watch
from tests.watchlists.examples import MATRIX, asks, everything_of, list_of, tidied


async def trending(store: Store) -> list[str]:
    return [one.title for one in (await discovery.trending(store)).items]


async def test_most_saved_first_within_minutes_and_among_equals_the_newest(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    lists = {}
    for name in ("Old", "New", "Best", "None"):
        clock.forward(1)
        lists[name] = await list_of(store, clock, ada, MATRIX, title=name)
    for person, name in ((ben, "Old"), (ben, "New"), (ben, "Best"), (eve, "Best")):
        await follow_list(asks(store, clock, person), lists[name].watchlist_id)
    await tidied(store, clock)
    clock.forward(301)
    await tidied(store, clock)
    with counting() as count:
        assert await trending(store) == ["Best", "New", "Old"]
    assert count.requests == 2
    await unfollow_list(asks(store, clock, ben), lists["Best"].watchlist_id)
    await change_list(
        asks(store, clock, ada), lists["New"].watchlist_id, ListChange(is_public=False)
    )
    assert await trending(store) == ["Best", "Old"], "what is private is hidden at once"
    await tidied(store, clock)
    clock.forward(301)
    await tidied(store, clock)
    assert await trending(store) == ["Best", "Old"]


async def test_what_was_saved_more_than_a_week_ago_counts_no_more_and_is_forgotten(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    await follow_list(asks(store, clock, ben), made.watchlist_id)
    await tidied(store, clock)
    for _ in range(7):
        assert len(await everything_of(store.engine, DaySaves)) == 1
        clock.forward(DAY)
        await tidied(store, clock)
    assert await trending(store) == []
    clock.forward(DAY)
    await rank(store, clock())
    assert await everything_of(store.engine, DaySaves) == []
    (ranking,) = await everything_of(store.engine, Trending)
    assert ranking.lists == []


async def test_nobody_ranks_where_nobody_saves(store: Store, clock: Watch, ada: User) -> None:
    await list_of(store, clock, ada, MATRIX)
    await tidied(store, clock)
    clock.forward(DAY)
    await tidied(store, clock)
    assert await everything_of(store.engine, Trending) == []
    assert await trending(store) == []


async def test_they_are_paged(store: Store, clock: Watch, ada: User, ben: User) -> None:
    for name in ("One", "Two", "Three"):
        clock.forward(1)
        made = await list_of(store, clock, ada, MATRIX, title=name)
        await follow_list(asks(store, clock, ben), made.watchlist_id)
    await rank(store, clock())
    first = await discovery.trending(store, limit=2)
    second = await discovery.trending(store, limit=2, cursor=first.cursor)
    assert [one.title for one in (*first.items, *second.items)] == ["Three", "Two", "One"]
    assert second.cursor is None
    with pytest.raises(BadCursor):
        await discovery.newest(store, cursor=first.cursor)

from __future__ import annotations

import time
from collections import Counter

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople, NotEmpty
from commonroom.house.consumers import timer_handlers
from commonroom.house.demo import seed_demo
from commonroom.library.service.libraries import my_libraries, shared_with_me
from commonroom.movienight.room import MOVIENIGHT
from commonroom.movienight.service import history
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.wishes import list_wishes
from commonroom.notifications.tables import newest_notifications
from commonroom.shareables.service.listing import pages_of
from commonroom.store import Store
from commonroom.store.streams import Worker
from commonroom.timers import Scheduler
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from tests.support.fixtures import store_of_now

store = store_of_now


@pytest.fixture
async def world(store: Store) -> DemoPeople:
    """The demonstration."""
    return await seed_demo(store, time.time())


async def seat_of(store: Store, world: DemoPeople) -> HouseholdContext:
    maya = await store.get(world.maya.ref)
    assert maya is not None
    seat = await find_household_context(Context(store, maya), maya)
    assert seat is not None
    return seat


async def test_a_family_of_four_has_a_year_of_movie_nights(store: Store, world: DemoPeople) -> None:
    seat = await seat_of(store, world)
    past = (await history.list_rounds(seat.store, seat.group_id, limit=50)).items
    states = Counter(one.round.status for one in past)
    assert (states["voting"], states["watched"]) == (1, 1)
    assert states["rated"] >= 30
    assert seat.group.member_count == 4
    assert seat.group.open_round_id == past[0].round.round_id
    assert len(await list_wishes(seat)) == seat.group.wish_count >= 3
    films = [one.pick.tmdb_movie_id for one in past if one.pick is not None]
    assert len(set(films)) == len(films), "no film twice"


async def test_they_share_a_list_a_birthday_and_a_poll(store: Store, world: DemoPeople) -> None:
    pages = (await pages_of(store, time.time(), world.maya.user_id)).items
    assert sorted(one.kind or "" for one in pages) == ["checklist", "event", "poll"]


async def test_they_have_two_libraries_and_look_into_each_others(
    store: Store, world: DemoPeople
) -> None:
    for person, own, other in (
        (world.maya, "Home shelves", "Comics and films"),
        (world.jonas, "Comics and films", "Home shelves"),
    ):
        assert [one.library_name for one in (await my_libraries(Context(store, person))).items] == [
            own
        ]
        assert [
            one.library_name for one in (await shared_with_me(Context(store, person))).items
        ] == [other]


async def test_nobody_is_told_of_what_is_long_over(store: Store, world: DemoPeople) -> None:
    await Worker(store, MOVIENIGHT.data.consumers).drain()
    while await Scheduler(store, timer_handlers(Titles(Catalogue()))).once():
        pass
    told = (await store.page(newest_notifications(user_id=world.jonas.user_id))).items
    assert {one.kind for one in told} == {"new_round", "vote_nudge"}
    assert len(told) == 2, "tonight’s vote, and that his is missing"
    told = (await store.page(newest_notifications(user_id=world.maya.user_id))).items
    assert [one.facts["title"] for one in told if one.kind == "library_overdue"] == [
        "The Master and Margarita"
    ]


async def test_it_goes_into_an_empty_house_only(store: Store, world: DemoPeople) -> None:
    with pytest.raises(NotEmpty):
        await seed_demo(store, time.time())

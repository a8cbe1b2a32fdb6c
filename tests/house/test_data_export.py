from __future__ import annotations

import time

import pytest

from commonroom.accounts.demo import DemoPeople
from commonroom.house.demo import seed_demo
from commonroom.house.rooms import ROOMS
from commonroom.movienight.room import MOVIENIGHT
from commonroom.store import Store
from tests.support.fixtures import store_of_now

store = store_of_now


@pytest.fixture
async def world(store: Store) -> DemoPeople:
    """The demonstration."""
    return await seed_demo(store, time.time())


async def test_a_person_takes_along_what_every_room_keeps_of_them(
    store: Store, world: DemoPeople
) -> None:
    maya = await store.get(world.maya.ref)
    assert maya is not None
    kept = {
        name: await export(store, maya)
        for room in ROOMS
        for name, export in room.data.exports.items()
    }
    evenings = kept["movie_night"]["evenings"]
    family = {maya.user_id, *(one.user_id for one in world.children)}
    assert kept["movie_night"]["household"] == "Chestnut Road"
    assert {one["user_id"] for one in kept["movie_night"]["preferences"]} == family
    assert len(evenings) > 30
    assert {vote["member"] for one in evenings for vote in one["votes"]} == family
    made = [one for one in kept["shareables"]["pages"] if one["role"] == "made"]
    assert "Oat milk" in str(made)
    assert "asscode" not in str(made)
    (shelves,) = kept["library"]["libraries"]
    assert len(shelves["items"]) == shelves["library"]["TotalItems"] > 100
    assert shelves["history"]


async def test_nobody_takes_along_what_is_others(store: Store, world: DemoPeople) -> None:
    jonas = await store.get(world.jonas.ref)
    assert jonas is not None
    evenings = (await MOVIENIGHT.data.exports["movie_night"](store, jonas))["evenings"]
    voters = {vote["member"] for one in evenings for vote in one["votes"]}
    raters = {member for one in evenings for member in one["ratings"]}
    assert voters == raters == {jonas.user_id}


async def test_whoever_has_no_household_has_nothing_there(store: Store, world: DemoPeople) -> None:
    assert await MOVIENIGHT.data.exports["movie_night"](store, world.friends[0]) == {}

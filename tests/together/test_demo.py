"""The demonstration's evening: one plan that every room has a part in."""

from __future__ import annotations

import time

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople
from commonroom.hangouts.service.attachments import attachments_on
from commonroom.hangouts.service.listing import own_scope
from commonroom.hangouts.service.lists import upcoming
from commonroom.house.demo import seed_demo
from commonroom.house.rooms import ROOMS
from commonroom.library.service.loans import borrowed_from
from commonroom.store import Store
from tests.support.fixtures import store_of_now

store = store_of_now


@pytest.fixture
async def world(store: Store) -> DemoPeople:
    """The demonstration."""
    return await seed_demo(store, time.time())


async def test_the_vote_a_list_and_a_checklist_go_along_with_it(
    store: Store, world: DemoPeople
) -> None:
    ctx = Context(store, world.maya, time.time())
    plans = (await upcoming(ctx, world.maya, await own_scope(ctx))).upcoming
    evening = next(one.row for one in plans if one.row.title == "Film evening at ours")
    _, attached = await attachments_on(ctx, evening.hangout_id)
    assert {one.kind for one in attached} == {"round", "watchlist", "shareable"}
    ines = Context(store, world.friends[0], time.time())
    lent = await borrowed_from(ines, [world.maya.user_id])
    assert lent, "something to bring along"


async def test_whoever_lives_there_knows_all_rooms(store: Store, world: DemoPeople) -> None:
    maya = await store.get(world.maya.ref)
    assert maya is not None
    assert {*maya.opened_rooms} == {room.key for room in ROOMS}


async def test_without_all_rooms_there_is_no_such_evening(store: Store) -> None:
    people = await seed_demo(store, time.time(), ROOMS[:2])
    maya = await store.get(people.maya.ref)
    assert maya is not None
    assert not maya.opened_rooms

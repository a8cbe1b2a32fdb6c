"""What is done at the same moment: one of it is first, and every library stays whole."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonroom.errors import CommonroomError, Conflict
from commonroom.library.tables import Book, Collection, LoanEvent
from commonroom.store import ConditionFailed, Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import StoreError
from tests.accounts.people import Watch, at_once
from tests.library.bookcase import TABLES, check_bookcases, drift, everything_of, tidied
from tests.library.races import scenes
from tests.library.races.scenes import SCENES, Room, Scene
from tests.support.hostile_engine import HostileEngine


async def whole(store: Store, clock: Watch) -> None:
    """Holds that all is true at once, and that nothing is left over once all have caught up."""
    await check_bookcases(store.engine, tidy=False)
    await tidied(store, clock)
    await check_bookcases(store.engine)
    assert await drift(store) == []


async def play(scene: Scene, store: Store, clock: Watch) -> list[CommonroomError]:
    """What was refused in a scene; whatever happened, all libraries are whole."""
    room = Room(store, clock)
    await room.furnish()
    doings = await scene(room)
    _, refused = await at_once(*doings(store))
    assert not any(isinstance(one, StoreError) for one in refused)
    await whole(store, clock)
    return refused


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
async def test_libraries_stay_whole(scene: Scene, store: Store, clock: Watch) -> None:
    await play(scene, store, clock)


@pytest.mark.parametrize("scene", [scenes.two_lends, scenes.two_returns])
async def test_one_of_two_is_first(scene: Scene, store: Store, clock: Watch) -> None:
    refused = await play(scene, store, clock)

    assert [type(one) for one in refused] == [Conflict]
    lent = [one for one in await everything_of(store.engine, LoanEvent) if one.type == "LENT"]
    assert len(lent) == 1


async def test_one_name_is_one_collections(store: Store, clock: Watch) -> None:
    refused = await play(scenes.two_collections_of_one_name, store, clock)

    assert [type(one) for one in refused] == [Conflict, Conflict]
    assert len(await everything_of(store.engine, Collection)) == 2


async def test_those_who_take_the_next_place_at_once_get_one_each(
    store: Store, clock: Watch
) -> None:
    assert await play(scenes.eight_adds_to_one_collection, store, clock) == []

    places = sorted(one.order or 0 for one in await everything_of(store.engine, Book))
    assert places == list(range(1, 10))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
@settings(max_examples=4)
@given(seed=st.integers(0, 2**16))
async def test_libraries_stay_whole_on_a_hostile_engine(scene: Scene, seed: int) -> None:
    clock = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock)
        room = Room(Store(calm), clock)
        await room.furnish()
        doings = await scene(room)
        hostile = await HostileEngine.around(calm, TABLES, folder, seed=seed, clock=clock)
        try:
            _, refused = await at_once(*doings(Store(hostile)))
            assert not any(isinstance(one, ConditionFailed) for one in refused)
            await whole(Store(calm), clock)
        finally:
            await hostile.close()

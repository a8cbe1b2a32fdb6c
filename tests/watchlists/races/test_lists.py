"""What is done at the same moment: one of it is first, and everything stays whole."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonroom.errors import CommonroomError
from commonroom.store import ConditionFailed, Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import StoreError
from commonroom.watchlists.service import discovery
from commonroom.watchlists.service.items import AlreadyListed
from commonroom.watchlists.tables import WatchlistItem
from tests.accounts.people import Watch, at_once
from tests.support.hostile_engine import HostileEngine
from tests.watchlists.examples import TABLES, everything_of, tidied
from tests.watchlists.invariants import check_room
from tests.watchlists.races import scenes
from tests.watchlists.races.scenes import SCENES, Room, Scene


async def whole(store: Store, clock: Watch) -> None:
    """Holds that all is true at once, and that nothing is left over once all have caught up."""
    await check_room(store.engine, tidy=False)
    await tidied(store, clock)
    clock.forward(400)  # what failed is tried again
    await tidied(store, clock)
    await check_room(store.engine)


async def play(scene: Scene, store: Store, clock: Watch) -> list[CommonroomError]:
    """What was refused in a scene; whatever happened, all lists are whole."""
    room = Room(store, clock)
    await room.furnish()
    doings = await scene(room)
    _, refused = await at_once(*doings(store))
    assert not any(isinstance(one, StoreError) for one in refused)
    await whole(store, clock)
    return refused


async def one_is_first(store: Store, refused: list[CommonroomError]) -> None:
    assert [type(one) for one in refused] == [AlreadyListed]
    assert len(await everything_of(store.engine, WatchlistItem)) == 4


async def all_get_a_place(store: Store, refused: list[CommonroomError]) -> None:
    assert refused == []
    assert len(await everything_of(store.engine, WatchlistItem)) == 9


async def nothing_is_discovered(store: Store, _refused: list[CommonroomError]) -> None:
    assert (await discovery.newest(store)).items == []
    assert (await discovery.browse(store, "MOVIE", "603")).items == []
    assert (await discovery.browse(store, "genre", "action")).items == []


OUTCOMES: dict[Scene, Callable[[Store, list[CommonroomError]], Awaitable[None]]] = {
    scenes.two_adds_of_one_title: one_is_first,
    scenes.six_adds_at_once: all_get_a_place,
    scenes.a_suspension_during_publication: nothing_is_discovered,
}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
async def test_lists_stay_whole(scene: Scene, store: Store, clock: Watch) -> None:
    refused = await play(scene, store, clock)
    if scene in OUTCOMES:
        await OUTCOMES[scene](store, refused)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
@settings(max_examples=4)
@given(seed=st.integers(0, 2**16))
async def test_lists_stay_whole_on_a_hostile_engine(scene: Scene, seed: int) -> None:
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

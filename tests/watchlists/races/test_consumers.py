"""What follows from changes comes about whatever happens meanwhile, and however often it runs."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store, Write, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Worker, copy_consumers
from commonroom.titles.stored_titles import title_ref
from commonroom.watchlists.consumers.lists import DELETED, DESCRIBED
from commonroom.watchlists.consumers.titles import TITLES
from commonroom.watchlists.service import curators, deletion, discovery, facets
from commonroom.watchlists.service.lists import ListChange, change_list, delete_list
from commonroom.watchlists.service.profiles import change_profile
from commonroom.watchlists.tables import BrowseEntry, SavedWatchlist, Saver, WatchlistItem
from tests.accounts.people import Watch
from tests.support.hostile_engine import EVERYTHING, HostileEngine
from tests.watchlists.crowds import crowded
from tests.watchlists.examples import (
    COPIES,
    TABLES,
    asks,
    curator,
    everything_of,
    list_of,
    somebody,
    stock,
    stocked,
    tidied,
)
from tests.watchlists.invariants import check_room

MAX_ROUNDS = 600
CONSUMERS = [*copy_consumers(COPIES), DESCRIBED, DELETED, TITLES]


async def work(worker: Worker, clock: Watch, engine: Engine) -> None:
    """Lets consumers work where much fails, until all is as it should be."""
    for number in range(MAX_ROUNDS):
        try:
            await worker.once()
        except Unavailable:
            continue
        clock.forward(60)
        if number % 20 == 19:
            with suppress(AssertionError):
                await check_room(engine)
                return
    await check_room(engine)


@pytest.mark.parametrize("seed", range(3))
async def test_entries_names_and_titles_are_right_on_a_hostile_engine(seed: int) -> None:
    clock = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock)
        store = Store(calm)
        await stock(store, 12)
        ada, root = await _people(store, clock)
        titles = [stocked(number) for number in range(12)]
        lists = [await list_of(store, clock, ada, *titles) for _ in range(2)]
        hostile = await HostileEngine.around(
            calm, TABLES, folder, seed=seed, clock=clock, hostility=EVERYTHING
        )
        try:
            at = lists[0].watchlist_id
            await change_list(asks(store, clock, ada), at, ListChange(tags=["Noir"]))
            await change_profile(asks(store, clock, ada), username="Adele")
            await store.write(update(title_ref(stocked(7)), title="Seven"))
            worker = Worker(Store(hostile), CONSUMERS, clock=clock, monotonic=clock)
            await work(worker, clock, calm)
            await curators.decide(asks(store, clock, root), ada.user_id, "suspend", "Spam.")
            await delete_list(asks(store, clock, ada), lists[1].watchlist_id)
            await work(worker, clock, calm)
            assert hostile.happened["lost_answers"] + hostile.happened["throttled_writes"] > 3
        finally:
            await hostile.close()


async def _people(store: Store, clock: Watch) -> tuple[User, User]:
    ada = await curator(store, clock, "Ada")
    root = await somebody(store, clock, "Root", is_admin=True)
    clock.forward(1)
    return ada, root


class Dying(Store):
    """A store that ends whoever uses it after so many writes."""

    def __init__(self, store: Store, writes: int) -> None:
        super().__init__(store.engine)
        self._left = writes

    async def write(self, *writes: Write) -> None:
        if self._left == 0:
            raise Unavailable("The process ends.")
        self._left -= 1
        await super().write(*writes)


async def test_a_deletion_that_ends_half_way_is_gone_on_with(
    store: Store, clock: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion, "REQUEST_OPERATIONS", 40)
    monkeypatch.setattr(facets, "BATCH", 40)
    await stock(store)
    ada = await curator(store, clock, "Ada")
    made = await crowded(store, clock, ada, items=60, followers=120)
    await facets.refresh_facets(store, made.watchlist_id)
    await delete_list(asks(store, clock, ada), made.watchlist_id)
    left = []
    for _ in range(3):
        with pytest.raises(Unavailable):
            await deletion.clear_list(Dying(store, 2), made)
        await check_room(store.engine, tidy=False)
        left.append(len(await everything_of(store.engine, WatchlistItem, Saver)))
    assert left == sorted(left, reverse=True)
    assert 0 < left[-1] < left[0]
    await tidied(store, clock)
    await check_room(store.engine)
    assert await everything_of(store.engine, WatchlistItem, Saver) == []


async def test_the_fullest_list_with_ten_thousand_followers_goes_however_often_it_is_killed(
    tmp_path: Path, clock: Watch
) -> None:
    # On the engine that is quick enough for so many; the steps are those of the test above.
    engine = EmbeddedEngine(tmp_path / "data.db", TABLES, durability="OFF", clock=clock)
    store = Store(engine)
    try:
        await stock(store)
        ada = await curator(store, clock, "Ada")
        made = await crowded(store, clock, ada, items=500, followers=10_000)
        await facets.refresh_facets(store, made.watchlist_id)
        await delete_list(asks(store, clock, ada), made.watchlist_id)
        killed = 0
        while killed < 20:
            try:
                await deletion.clear_list(Dying(store, 8), made)
                break
            except Unavailable:
                killed += 1
        assert killed >= 10, "every step is one of at most a hundred writes"
        assert await everything_of(engine, WatchlistItem, Saver, BrowseEntry) == []
        assert len(await everything_of(engine, SavedWatchlist)) == 10_000, "they dismiss it"
        assert (await discovery.newest(store)).items == []
    finally:
        await engine.close()


async def test_what_was_cleared_is_cleared_again_without_harm(store: Store, clock: Watch) -> None:
    await stock(store)
    ada = await curator(store, clock, "Ada")
    made = await crowded(store, clock, ada, items=3, followers=2)
    await delete_list(asks(store, clock, ada), made.watchlist_id)
    for _ in range(2):
        await deletion.clear_list(store, made)
    await Worker(store, [DELETED], clock=clock).drain()
    await check_room(store.engine)

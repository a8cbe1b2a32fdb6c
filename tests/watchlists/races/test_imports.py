"""Imports on both engines, on a hostile one, and while their owner does something else."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, Conflict
from commonroom.store import Store, delete
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import Unavailable
from commonroom.timers import Scheduler
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.imports import WatchlistImportChoices
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.imports.undo import undo_import
from commonroom.watchlists.service.items import remove_item
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.tables import (
    Rating,
    Watchlist,
    WatchlistImport,
    WatchlistImportRows,
    WatchlistItem,
)
from tests.accounts.people import Watch, at_once
from tests.support.fixtures import either
from tests.support.hostile_engine import HostileEngine
from tests.watchlists.examples import (
    HANDLERS,
    MATRIX,
    TABLES,
    TITLES,
    asks,
    everything_of,
    left_of_room,
    somebody,
    tidied,
)
from tests.watchlists.import_files import (
    NOW,
    check_watchlists,
    finished,
    imported,
    own_list,
    prepared,
    ratings_now,
)

store = either

ITEMS, RATED = 30, 20
RATINGS = "Date,Name,Year,Letterboxd URI,Rating\n" + "".join(
    f"2020-01-01,T{n:02d},1990,u,{n % 5 + 1}\n" for n in range(RATED)
)
FILES = [
    ("list.csv", own_list("Long", *(f"film,T{n:02d},1990,,,,,,,," for n in range(ITEMS)))),
    ("ratings.csv", RATINGS.encode()),
]


@pytest.fixture(autouse=True)
def today(clock: Watch) -> None:
    """When the files were exported."""
    clock.now = NOW


async def check_all_came(store: Store) -> None:
    """Every row is there, once, and all that counts them says so."""
    titles = Counter(one.title for one in await everything_of(store.engine, WatchlistItem))
    assert titles == Counter(f"T{n:02d}" for n in range(ITEMS))
    assert len(await everything_of(store.engine, Rating)) == RATED
    assert await everything_of(store.engine, WatchlistImportRows) == []
    await check_watchlists(store)


@pytest.fixture
async def ready(store: Store, clock: Watch, ben: User) -> str:
    """An import of Ben's that waits to be started."""
    await WatchlistImports(asks(store, clock, ben)).prepare(FILES)
    return (await finished(store, clock, ben)).import_id


async def test_several_schedulers_share_an_import(store: Store, clock: Watch, ben: User) -> None:
    await WatchlistImports(asks(store, clock, ben)).prepare(FILES)
    works = [Scheduler(store, HANDLERS, clock=clock) for _ in range(3)]
    await at_once(*(one.once() for one in works))
    waits = await finished(store, clock, ben)
    assert (waits.state, waits.looked_up) == ("ready", ITEMS + RATED)
    await WatchlistImports(asks(store, clock, ben)).start(waits.import_id, WatchlistImportChoices())
    await at_once(*(one.once() for one in works))
    await finished(store, clock, ben)
    await check_all_came(store)


async def test_of_several_starts_at_once_all_are_the_same(
    store: Store, clock: Watch, ben: User, ready: str
) -> None:
    _, refused = await at_once(
        *(
            WatchlistImports(asks(store, clock, ben)).start(ready, WatchlistImportChoices())
            for _ in range(3)
        )
    )
    assert refused == []
    await finished(store, clock, ben)
    await check_all_came(store)


async def test_of_two_files_at_once_one_is_kept_whole(
    store: Store, clock: Watch, ben: User
) -> None:
    files = [[("list.csv", own_list("L", *["film,A,1990,,,,,,,,"] * n))] for n in (1, 2, 3)]
    await at_once(*(WatchlistImports(asks(store, clock, ben)).prepare(one) for one in files))
    seen = await finished(store, clock, ben)
    kept = {one.import_id for one in await everything_of(store.engine, WatchlistImportRows)}
    assert (seen.state, kept) == ("ready", {seen.import_id})


@pytest.mark.parametrize("what", ["cancel", "leave"])
async def test_stopping_while_it_works_leaves_nothing_half_done(
    store: Store, clock: Watch, ben: User, ready: str, what: str
) -> None:
    await WatchlistImports(asks(store, clock, ben)).start(ready, WatchlistImportChoices())
    ends: Awaitable[Any] = (
        WatchlistImports(asks(store, clock, ben)).cancel()
        if what == "cancel"
        else store.write(delete(ben))
    )
    await at_once(Scheduler(store, HANDLERS, clock=clock).once(), ends)
    for _ in range(3):
        clock.now += 100
        await tidied(store, clock)
    if what == "leave":
        left = await left_of_room(store.engine)
        assert set(left) <= {"MadeTitle"}
    else:
        assert await everything_of(store.engine, WatchlistImportRows) == []
        kept = await WatchlistImports(asks(store, clock, ben)).see()
        items = await everything_of(store.engine, WatchlistItem)
        ratings = await everything_of(store.engine, Rating)
        assert kept.added == len(items) + len(ratings)
        await check_watchlists(store)


async def test_a_rating_by_hand_in_the_same_moment_is_no_trouble(
    store: Store, clock: Watch, ben: User
) -> None:
    row = "2020-01-01,The Matrix,1999,u,5\n"
    ratings = RATINGS.split("\n", 1)[0] + "\n" + row
    waits = await prepared(store, clock, ben, ratings.encode(), "ratings.csv")
    await WatchlistImports(asks(store, clock, ben)).start(waits.import_id, WatchlistImportChoices())
    await asyncio.gather(
        Scheduler(store, HANDLERS, clock=clock).once(),
        rate(asks(store, clock, ben), TITLES, MATRIX, rating=3),
    )
    seen = await finished(store, clock, ben)
    # Whoever rates after it changes what came by it; whoever did before keeps theirs.
    assert await ratings_now(store) == {"The Matrix": (3, None)}
    assert (seen.failed, seen.added + seen.skipped) == (0, 1)
    await check_watchlists(store)


async def insisting(attempt: Callable[[], Awaitable[Any]]) -> Any:
    """Asks until it is answered, as somebody at a bad connection does."""
    while True:
        try:
            return await attempt()
        except (Unavailable, Conflict):
            continue


@pytest.mark.parametrize("seed", range(3))
async def test_every_row_comes_in_once_on_a_hostile_engine(seed: int) -> None:
    clock = Watch()
    clock.now = NOW
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock)
        ben = await somebody(Store(calm), clock, "Ben")
        hostile = await HostileEngine.around(calm, TABLES, folder, seed=seed, clock=clock)
        store = Store(hostile)
        scheduler = Scheduler(store, HANDLERS, clock=clock)

        async def work(
            action: Callable[[WatchlistImports, str], Awaitable[Any]], state: str
        ) -> None:
            """Lets something be done; timers are given up where nearly everything fails."""
            while (await everything_of(calm, WatchlistImport))[0].state != state:
                (kept,) = await everything_of(calm, WatchlistImport)
                imports = WatchlistImports(Context(store, ben, clock()))
                await insisting(partial(action, imports, kept.import_id))
                for _ in range(20):
                    clock.now += 100
                    await insisting(scheduler.once)

        try:
            await insisting(lambda: WatchlistImports(Context(store, ben, clock())).prepare(FILES))
            await work(WatchlistImports.look_up_again, "ready")
            await work(partial(WatchlistImports.start, choices=WatchlistImportChoices()), "done")
            await tidied(Store(calm), clock)
            await check_all_came(Store(calm))
        finally:
            await hostile.close()


async def test_undoing_counts_every_row_once_however_many_do_it(
    store: Store, clock: Watch, ben: User, ready: str
) -> None:
    await WatchlistImports(asks(store, clock, ben)).start(ready, WatchlistImportChoices())
    await finished(store, clock, ben)
    await WatchlistImports(asks(store, clock, ben)).undo(ready)
    (kept,) = await everything_of(store.engine, WatchlistImport)
    await at_once(*(undo_import(asks(store, clock, ben), kept) for _ in range(3)))
    seen = await finished(store, clock, ben)
    assert (seen.state, seen.removed, seen.kept) == ("undone", ITEMS + RATED, 0)
    assert await everything_of(store.engine, Watchlist) == []
    await check_watchlists(store)


async def test_what_is_taken_away_by_hand_while_it_is_undone_is_no_trouble(
    store: Store, clock: Watch, ben: User
) -> None:
    await imported(store, clock, ben, FILES[0][1])
    items = await everything_of(store.engine, WatchlistItem)
    imports = WatchlistImports(asks(store, clock, ben))
    await imports.undo((await imports.see()).import_id)
    (kept,) = await everything_of(store.engine, WatchlistImport)

    async def removed(item: WatchlistItem) -> bool:
        try:
            title = TitleId(item.content_type, item.content_id)
            await remove_item(asks(store, clock, ben), item.watchlist_id, title)
        except CommonroomError:
            return False
        return True

    _, told = await asyncio.gather(
        undo_import(asks(store, clock, ben), kept), asyncio.gather(*map(removed, items[::4]))
    )
    seen = await finished(store, clock, ben)
    assert (seen.kept, seen.removed) == (0, ITEMS - sum(told))
    assert await everything_of(store.engine, WatchlistItem) == []

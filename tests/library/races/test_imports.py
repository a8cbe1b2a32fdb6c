"""Imports on both engines, on a hostile one, and while their library goes: every row once."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.library.room import LIBRARY
from commonroom.library.service.imports import LibraryImportChoices
from commonroom.library.service.imports.lifecycle import LibraryImports
from commonroom.library.service.imports.undo import undo_import
from commonroom.library.service.libraries import delete_library
from commonroom.library.service.loans import lend
from commonroom.library.tables import Book, Library, LibraryImport, LibraryImportRows, LoanEvent
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import Unavailable
from commonroom.timers import Scheduler
from tests.accounts.people import Watch, at_once
from tests.library.bookcase import (
    TABLES,
    check_bookcases,
    drift,
    everything_of,
    left_of_room,
    library_of,
    now_of,
    somebody,
    tidied,
)
from tests.library.import_files import books, exported_json, finished, imported, prepared
from tests.support.hostile_engine import HostileEngine

THIS_YEAR = 1_770_000_000.0
ROWS = [
    f"book,T{n:02d},C{n % 3},,Ann,,,,{'Ben' if n % 5 == 0 else ''},,2033-01-01" for n in range(40)
]


async def check_all_came(store: Store, home: Library) -> None:
    """Every row is an item, once, and all that counts them says so."""
    titles = Counter(one.title for one in await everything_of(store.engine, Book))
    assert titles == Counter(f"T{n:02d}" for n in range(40))
    there = await now_of(store, home)
    assert (there.total_items, there.lent_items) == (40, 8)
    assert len(await everything_of(store.engine, LoanEvent)) == 8
    assert await everything_of(store.engine, LibraryImportRows) == []
    await check_bookcases(store.engine)
    assert await drift(store) == []


async def test_every_row_comes_in_once(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    clock.now = THIS_YEAR
    seen = await imported(store, clock, ada, home, books(*ROWS))
    assert (seen.state, seen.added, seen.failed, seen.warned) == ("done", 40, 0, 0)
    await check_all_came(store, home)


async def test_what_goes_out_comes_in(store: Store, clock: Watch, ada: User, home: Library) -> None:
    clock.now = THIS_YEAR
    await imported(store, clock, ada, home, books(*ROWS))
    copy = await library_of(store, clock, ada)
    file = await exported_json(store, ada, home)
    await imported(store, clock, ada, copy, file)
    assert sorted(await exported_json(store, ada, copy)) == sorted(file)


async def test_two_schedulers_share_an_import(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    clock.now = THIS_YEAR
    ready = await prepared(store, clock, ada, home, books(*ROWS))
    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        ready.import_id, LibraryImportChoices()
    )
    works = [Scheduler(store, LIBRARY.data.timer_handlers, clock=clock) for _ in range(3)]
    await at_once(*(one.once() for one in works))
    await finished(store, clock, ada, home)
    await check_all_came(store, home)


async def test_of_two_files_at_once_one_is_kept_whole(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    await at_once(*(prepared(store, clock, ada, home, books(*ROWS[:n])) for n in (5, 10, 20)))
    await tidied(store, clock)
    seen = await LibraryImports(Context(store, ada), home.library_id).see()
    kept = {one.import_id for one in await everything_of(store.engine, LibraryImportRows)}
    assert kept <= {seen.import_id}
    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        seen.import_id, LibraryImportChoices()
    )
    assert (await finished(store, clock, ada, home)).added == seen.of


async def test_of_two_starts_at_once_both_are_the_same(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    clock.now = THIS_YEAR
    ready = await prepared(store, clock, ada, home, books(*ROWS))
    imports = LibraryImports(Context(store, ada, clock()), home.library_id)
    choices = LibraryImportChoices()
    _, refused = await at_once(*(imports.start(ready.import_id, choices) for _ in range(3)))
    assert refused == []
    await finished(store, clock, ada, home)
    await check_all_came(store, home)


@pytest.mark.parametrize("what", ["cancel", "delete"])
async def test_stopping_while_it_works_leaves_nothing_half_done(
    store: Store, clock: Watch, ada: User, home: Library, what: str
) -> None:
    clock.now = THIS_YEAR
    ready = await prepared(store, clock, ada, home, books(*ROWS))
    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        ready.import_id, LibraryImportChoices()
    )
    scheduler = Scheduler(store, LIBRARY.data.timer_handlers, clock=clock)
    ends: Awaitable[Any] = (
        LibraryImports(Context(store, ada, clock()), home.library_id).cancel()
        if what == "cancel"
        else delete_library(Context(store, ada), home.library_id, force=True)
    )
    await at_once(scheduler.once(), ends)
    for _ in range(3):
        clock.now += 100
        await tidied(store, clock)

    await check_bookcases(store.engine)
    if what == "delete":
        assert await left_of_room(store.engine) == {}
    else:
        assert await everything_of(store.engine, LibraryImportRows) == []


async def insisting(attempt: Callable[[], Awaitable[Any]]) -> Any:
    """Asks until it is answered, as somebody at a bad connection does."""
    while True:
        try:
            return await attempt()
        except (Unavailable, Conflict):
            continue


@pytest.mark.parametrize("seed", range(6))
async def test_every_row_comes_in_once_on_a_hostile_engine(seed: int) -> None:
    clock = Watch()
    clock.now = THIS_YEAR
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock)
        ada = await somebody(Store(calm), clock, "Ada")
        home = await library_of(Store(calm), clock, ada)
        hostile = await HostileEngine.around(calm, TABLES, folder, seed=seed, clock=clock)
        store = Store(hostile)
        at = (Context(store, ada, clock()), home.library_id)
        try:
            ready = await insisting(lambda: LibraryImports(*at).prepare(books(*ROWS), "a.csv"))
            scheduler = Scheduler(store, LIBRARY.data.timer_handlers, clock=clock)
            while (await everything_of(calm, LibraryImport))[0].state != "done":
                # Timers are given up where nearly everything fails: somebody presses again.
                await insisting(
                    lambda: LibraryImports(Context(store, ada, clock()), home.library_id).start(
                        ready.import_id, LibraryImportChoices()
                    )
                )
                for _ in range(20):
                    clock.now += 100
                    await insisting(scheduler.once)
            await tidied(Store(calm), clock)
            await check_all_came(Store(calm), home)
        finally:
            await hostile.close()


async def test_undoing_counts_every_item_once_however_many_do_it(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    clock.now = THIS_YEAR
    done = await imported(store, clock, ada, home, books(*ROWS))
    clock.now += 10
    await LibraryImports(Context(store, ada, clock()), home.library_id).undo(done.import_id)
    (kept,) = await everything_of(store.engine, LibraryImport)
    await at_once(*(undo_import(Context(store, ada, clock()), kept) for _ in range(3)))
    await tidied(store, clock)
    seen = await LibraryImports(Context(store, ada), home.library_id).see()
    assert (seen.state, seen.removed, seen.kept) == ("undone", 40, 0)
    assert await left_of_room(store.engine) == {
        "Library": 1,
        "LibraryImport": 1,
        "LibraryImportReport": 1,
    }
    await check_bookcases(store.engine)


async def test_what_is_lent_while_an_import_is_undone_stays_or_was_gone_before(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    clock.now = THIS_YEAR
    done = await imported(store, clock, ada, home, books(*ROWS))
    clock.now += 10
    free = [one for one in await everything_of(store.engine, Book) if one.lent_to is None]
    await LibraryImports(Context(store, ada, clock()), home.library_id).undo(done.import_id)
    (kept,) = await everything_of(store.engine, LibraryImport)

    async def lent(book: Book) -> bool:
        try:
            await lend(Context(store, ada, clock()), home.library_id, book.item_id, to="Zoe")
        except (NotFound, Conflict):
            return False
        return True

    _, told = await asyncio.gather(
        undo_import(Context(store, ada, clock()), kept), asyncio.gather(*map(lent, free[::3]))
    )
    await tidied(store, clock)
    seen = await LibraryImports(Context(store, ada), home.library_id).see()
    left = await everything_of(store.engine, Book)
    assert (len(left), seen.kept, seen.removed) == (sum(told), sum(told), 40 - sum(told))
    assert all(one.lent_to == "Zoe" for one in left)
    await check_bookcases(store.engine)

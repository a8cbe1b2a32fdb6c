"""A process that is killed in the middle of an import leaves the rest to the next one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from commonroom.watchlists.room import WATCHLISTS
from commonroom.watchlists.rules.imports import WatchlistImportChoices
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.tables import (
    ImportStep,
    Rating,
    Seen,
    UnmatchedRow,
    Watchlist,
    WatchlistImport,
    WatchlistImportRows,
    WatchlistItem,
)
from tests.accounts.people import Watch
from tests.support.dynamodb_local import ROOT
from tests.watchlists.examples import TABLES, everything_of, somebody
from tests.watchlists.import_files import check_watchlists, own_list

ITEMS, RATED = 450, 250
ALL = ITEMS + RATED
TIMES = 4
HELD = 1000
"""For how many seconds a timer is surely out of sight after whoever held it, and perhaps renewed
that for a while on a slow machine, was killed."""


async def sent(path: Path, now: float) -> None:
    """A list and ratings, in many parts, whose titles nobody knows but every third."""
    store, clock = Store(EmbeddedEngine(path, TABLES, durability="OFF")), Watch()
    clock.now = now
    ben = await somebody(store, clock, "Ben")
    items = [f"film,T{n:03d},1990,,,,note {n},,,," for n in range(ITEMS)]
    head = "Date,Name,Year,Letterboxd URI,Rating\n"
    ratings = head + "".join(f"2020-01-01,T{n:03d},1990,u,{n % 5 + 1}\n" for n in range(RATED))
    files = [("list.csv", own_list("Long", *items)), ("ratings.csv", ratings.encode())]
    await WatchlistImports(Context(store, ben, now)).prepare(files)
    await store.close()


def killed_after(path: Path, lines: int, now: float) -> list[str]:
    """What the process said until it was killed."""
    command = [sys.executable, "-m", "tests.watchlists.races.importing", str(path), str(now)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().strip() for line in said if line]


async def changed(path: Path, now: float, what: str) -> None:
    """Starts what was looked up, or undoes what was done."""
    store = Store(EmbeddedEngine(path, TABLES, durability="OFF"))
    (kept,) = await everything_of(store.engine, WatchlistImport)
    (ben,) = await everything_of(store.engine, User)
    if what == "start":
        await WatchlistImports(Context(store, ben, now)).start(
            kept.import_id, WatchlistImportChoices()
        )
    else:
        await WatchlistImports(Context(store, ben, now)).undo(kept.import_id)
    await store.close()


async def check(path: Path, state: str) -> WatchlistImport:
    """Whatever was done is counted, and nothing is half done."""
    engine = EmbeddedEngine(path, TABLES)
    await engine.check_integrity()
    store = Store(engine)
    (kept,) = await everything_of(store.engine, WatchlistImport)
    assert kept.state == state
    items = await everything_of(store.engine, WatchlistItem)
    ratings = await everything_of(store.engine, Rating)
    assert kept.added - kept.removed == len(items) + len(ratings), "counts are exact"
    await check_watchlists(store)
    await store.close()
    return kept


@pytest.mark.slow
async def test_every_row_comes_in_once_and_goes_once_however_often_it_is_killed(
    tmp_path: Path,
) -> None:
    path, chance, now = tmp_path / "lists.db", Random(), time.time()
    await sent(path, now)
    for _ in range(2):
        now += HELD
        killed_after(path, 1 + chance.randrange(3), now)
        await check(path, "arriving")
    now += HELD
    assert "done" in killed_after(path, 10_000, now)
    await check(path, "ready")

    now += HELD
    await changed(path, now, "start")
    for _ in range(TIMES):
        now += HELD
        said = killed_after(path, 1 + chance.randrange(6), now)
        assert "rows" in said
        await check(path, "running")
    now += HELD
    assert "done" in killed_after(path, 10_000, now)
    kept = await check(path, "done")
    assert (kept.added, kept.failed, kept.skipped) == (ALL, 0, 0)
    engine = EmbeddedEngine(path, TABLES)
    titles = Counter(one.title for one in await everything_of(engine, WatchlistItem))
    assert titles == Counter(f"T{n:03d}" for n in range(ITEMS))
    assert len(await everything_of(engine, Rating)) == RATED
    await engine.close()

    now += HELD
    await changed(path, now, "undo")
    for _ in range(TIMES):
        now += HELD
        killed_after(path, 1 + chance.randrange(6), now)
        await check(path, "undoing")
    now += HELD
    assert "done" in killed_after(path, 10_000, now)
    kept = await check(path, "undone")
    assert (kept.removed, kept.kept) == (ALL, 0)
    store = Store(EmbeddedEngine(path, TABLES))
    await Worker(store, WATCHLISTS.data.consumers).drain()
    kinds = (Watchlist, WatchlistItem, Rating, Seen, WatchlistImportRows, ImportStep, UnmatchedRow)
    assert [await everything_of(store.engine, kind) for kind in kinds] == [[] for _ in kinds]
    await store.close()

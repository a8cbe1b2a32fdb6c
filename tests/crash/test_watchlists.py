"""A process that is killed while it clears up after a list leaves the rest to the next one."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.watchlists.service.lists import delete_list
from tests.accounts.people import Watch
from tests.support.dynamodb_local import ROOT
from tests.watchlists.crowds import crowded
from tests.watchlists.examples import (
    MATRIX,
    TABLES,
    asks,
    curator,
    left_of_room,
    list_of,
    stock,
    tidied,
)
from tests.watchlists.invariants import check_room

ITEMS, FOLLOWERS = 500, 10_000
TIMES = 3


async def furnished(path: Path) -> dict[str, int]:
    """A full list that 10,000 follow, deleted; says what is there without it."""
    store, clock = Store(EmbeddedEngine(path, TABLES, durability="OFF")), Watch()
    clock.now = time.time()
    await stock(store)
    ada = await curator(store, clock, "Ada")
    await list_of(store, clock, ada, MATRIX, title="Other")
    await tidied(store, clock)
    left = await left_of_room(store.engine)
    made = await crowded(store, clock, ada, items=ITEMS, followers=FOLLOWERS)
    await tidied(store, clock)
    await delete_list(asks(store, clock, ada), made.watchlist_id)
    await store.close()
    return left


def killed_after(path: Path, lines: int, later: int) -> list[str]:
    """What the process said until it was killed."""
    command = [sys.executable, "-m", "tests.watchlists.races.busy", str(path), str(later)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().strip() for line in said]


async def whats_left(path: Path) -> dict[str, int]:
    """What is stored now, once it is certain that the file is whole."""
    engine = EmbeddedEngine(path, TABLES)
    try:
        await engine.check_integrity()
        return await left_of_room(engine)
    finally:
        await engine.close()


@pytest.mark.slow
async def test_deleting_a_full_list_that_10000_follow_is_gone_on_with_after_every_kill(
    tmp_path: Path,
) -> None:
    path, chance = tmp_path / "lists.db", Random()
    wanted = await furnished(path)
    rest = [(await whats_left(path))["Saver"]]
    assert rest == [FOLLOWERS]
    assert (await whats_left(path))["BrowseEntry"] > ITEMS

    for time_ in range(TIMES):
        said = killed_after(path, 4 + chance.randrange(20), time_ * 60)
        assert "done" not in said
        rest.append((await whats_left(path)).get("Saver", 0))
    said = killed_after(path, 10_000, TIMES * 60)

    assert rest == sorted(rest, reverse=True)
    assert 0 < rest[-1] < rest[0], "it was killed in the middle"
    assert "done" in said
    left = await whats_left(path)
    assert left.pop("SavedWatchlist") == FOLLOWERS, "followers dismiss it themselves"
    assert left == wanted
    engine = EmbeddedEngine(path, TABLES)
    await check_room(engine)
    await engine.close()

"""A page beside a backlog: many changes of which nothing has followed yet, in the same process."""

from __future__ import annotations

import shutil
import time
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import msgspec

from benchmarks import serving
from benchmarks.measuring import in_turns
from benchmarks.report import Comparison, cost
from benchmarks.serving import Serving
from benchmarks.shelves import LIBRARY_ID, OWNER, things
from benchmarks.visiting import Visitors, visitors
from benchmarks.writing import settled
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import users
from commonroom.library.tables import media
from commonroom.open_store import open_store
from commonroom.settings import Settings

RECORDS = 100_000
AT_ONCE = 1000
ROUNDS, WARM_UP, CALLS = 30, 3, 8
AT_MOST = 1.5
PATH = f"/library/{LIBRARY_ID}"
QUIETLY = {"COMMONROOM_COVERS": "false"}


async def compare(
    folder: Path, *, records: int = RECORDS, rounds: int = ROUNDS, calls: int = CALLS
) -> list[Comparison]:
    """The first page of a library, asked by one browser, by the time that it waits for it."""
    behind, settled_house = folder / "behind", folder / "settled"
    cookie = await _furnished(Settings(data=behind), records)
    shutil.copytree(behind, settled_house)
    _forget_changes(Settings(data=settled_house))
    with serving.ours(behind, **QUIETLY) as busy, serving.ours(settled_house, **QUIETLY) as idle:
        for one in (busy, idle):
            await one.first_answer("/health/live")
        await settled(idle)
        sides = [await _browser(one, cookie) for one in (busy, idle)]
        try:
            beside, usual = await in_turns(
                *(partial(side.ask, calls) for side in sides),
                calls=calls,
                rounds=rounds,
                warm_up=WARM_UP,
            )
        finally:
            for side in sides:
                side.close()
        assert _is_behind(Settings(data=behind)), "all had followed before it was measured"
    ours, theirs = (sum(one) / len(one) for one in (beside, usual))
    return [
        cost(
            "a page of a library beside a backlog",
            ours,
            theirs,
            rounds,
            against="the same with nothing to follow",
            sentence=f"How long a browser waits for a page while {records:,} changes were made of "
            "which nothing has followed yet, as after an import.",
            at_most=AT_MOST,
        )
    ]


async def _furnished(settings: Settings, records: int) -> str:
    """A library of many books that were added just now; gives its owner's cookie."""
    async with open_store(settings, create=True) as store:
        await store.engine.load(users, [OWNER.to_item()])
        some = []
        for thing in things(records):
            some.append(thing.to_item())
            if len(some) == AT_ONCE:
                await store.engine.load(media, some)
                some.clear()
        await store.engine.load(media, some)
        return f"session={await sessions.open_session(store, time.time(), OWNER)}"


async def _browser(server: Serving, cookie: str) -> Visitors:
    return await visitors(server.port, PATH, cookie, alike=False, most=1)


def _forget_changes(settings: Settings) -> None:
    connection = apsw.Connection(str(settings.data_file))
    connection.execute("DELETE FROM _changes")
    connection.close()


def _is_behind(settings: Settings) -> bool:
    """Whether a consumer of the library still has most of its changes before it."""
    connection = apsw.Connection(str(settings.data_file), flags=apsw.SQLITE_OPEN_READONLY)
    last: int = connection.execute("SELECT max(seq) FROM _changes").get or 0
    rows: list[Any] = connection.execute('SELECT "_item" FROM "Consumers"').fetchall()
    connection.close()
    places = [msgspec.msgpack.decode(blob) for (blob,) in rows]
    followed = [one for one in places if one.get("stream") == media.name]
    return any(int(one.get("position") or 0) < last / 2 for one in followed)

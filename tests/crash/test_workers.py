"""Workers that are killed at their work: every change is handled at least once, in order."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from commonroom.store import Store, create, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.store.streams.tables import tables
from tests.support.dynamodb_local import ROOT
from tests.support.world import TABLES, Entry

DAYS, CHANGES, KILLS = 12, 40, 6


@contextmanager
def follower(file: Path, ledger: Path, *times: float) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.support.follower", str(file), str(ledger)]
    command += map(str, times)
    with subprocess.Popen(command, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGKILL)


def handled(ledger: Path) -> dict[str, list[int]]:
    """The counts that followers were given, by day."""
    by_day: defaultdict[str, list[int]] = defaultdict(list)
    for line in ledger.read_text().splitlines() if ledger.exists() else ():
        day, count = line.split()
        by_day[day].append(int(count))
    return by_day


async def until_handled(ledger: Path, lines: int | None) -> None:
    """Waits until so many lines are there, or everything is."""
    while True:
        by_day = handled(ledger)
        if len(by_day) == DAYS and all(CHANGES - 1 in counts for counts in by_day.values()):
            return
        if lines is not None and sum(map(len, by_day.values())) >= lines:
            return
        await asyncio.sleep(0.05)


async def write_all(store: Store) -> None:
    entries = [Entry(day=f"{number}", count=0) for number in range(DAYS)]
    for entry in entries:
        await store.write(create(entry))
    for count in range(1, CHANGES):
        for entry in entries:
            await store.write(update(entry.ref, count=count))
        await asyncio.sleep(0.02)


async def test_what_killed_workers_were_at_others_take_over(tmp_path: Path) -> None:
    file, ledger, chance = tmp_path / "data.db", tmp_path / "ledger", Random()
    store = Store(EmbeddedEngine(file, [*TABLES, *tables]))
    writing = asyncio.create_task(write_all(store))
    for _ in range(KILLS):
        with follower(file, ledger) as one, follower(file, ledger) as other:
            enough = sum(map(len, handled(ledger).values())) + 20
            await until_handled(ledger, enough)
            chance.choice([one, other]).kill()
            await asyncio.sleep(chance.random())
    await writing
    with follower(file, ledger), follower(file, ledger):
        await until_handled(ledger, None)
    await store.close()
    for counts in handled(ledger).values():
        assert list(dict.fromkeys(counts)) == list(range(CHANGES))


async def test_the_lease_of_a_killed_worker_is_free_at_once(tmp_path: Path) -> None:
    file, ledger, hour = tmp_path / "data.db", tmp_path / "ledger", 3600.0
    store = Store(EmbeddedEngine(file, [*TABLES, *tables]))
    await store.write(create(Entry(day="0", count=0)))
    seen: list[Entry] = []

    async def note(_: Store, change: Change) -> None:
        seen.append(change.new)

    def another() -> Worker:
        """A worker of this process, for which no time passes: it cannot have waited."""
        return Worker(store, [Consumer("follower", (Entry,), note)], monotonic=lambda: 0.0)

    with follower(file, ledger, hour, hour) as first:
        while not handled(ledger):  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.05)
        await another().drain()
        assert seen == [], "it is still at work"
        first.kill()
        first.wait()
        await another().drain()
    assert [one.day for one in seen] == ["0"]
    await store.close()
    assert not [one for one in os.listdir(tmp_path) if "-worker-" in one]  # noqa: PTH208 - names

"""A worker process for tests that kill it: writes down every change that it is given."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.store.streams.tables import tables
from tests.support.world import TABLES, Entry

LEASE_SECONDS = 1.0
PAUSE_SECONDS = 0.002
"""How long a change takes: long enough to be killed at it."""


async def main(file: Path, ledger: Path, lease_seconds: float, pause_seconds: float) -> None:
    """Follows until it is killed."""
    written = os.open(ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    async def note(store: Store, change: Change) -> None:
        entry = change.new or change.old
        os.write(written, f"{entry.day} {entry.count}\n".encode())
        await asyncio.sleep(pause_seconds)

    store = Store(EmbeddedEngine(file, [*TABLES, *tables]))
    worker = Worker(store, [Consumer("follower", (Entry,), note)], lease_seconds=lease_seconds)
    await worker.run()


if __name__ == "__main__":
    times = [float(one) for one in sys.argv[3:]] or [LEASE_SECONDS, PAUSE_SECONDS]
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), *times))

"""A process that clears up after a deleted list until it is killed: `python -m … <file>`."""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import count
from pathlib import Path

from commonroom.store import Store, Write
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from commonroom.watchlists.room import WATCHLISTS
from commonroom.watchlists.tables import Saver, WatchlistItem
from tests.watchlists.examples import TABLES


class Telling(Store):
    """A store that says whenever items or followers are deleted."""

    async def write(self, *writes: Write) -> None:
        await super().write(*writes)
        if gone := [one for one in writes if one.entity_type in (Saver, WatchlistItem)]:
            print(len(gone), flush=True)


async def main(path: Path) -> None:
    store = Telling(EmbeddedEngine(path, TABLES))
    later = time.time() + int(sys.argv[2])
    # Leases of whoever was killed are not waited for: a minute passes whenever it looks.
    minutes = count(0.0, 60.0)
    worker = Worker(
        store, WATCHLISTS.data.consumers, clock=lambda: later, monotonic=minutes.__next__
    )
    await worker.drain()
    print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

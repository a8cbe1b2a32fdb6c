"""A process that clears up after a deleted library until it is killed: `python -m … <file>`."""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import count
from pathlib import Path

from commonroom.library.room import LIBRARY
from commonroom.library.tables import Book
from commonroom.store import Store, Write
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from tests.library.bookcase import TABLES


class Telling(Store):
    """A store that says whenever books are deleted."""

    async def write(self, *writes: Write) -> None:
        await super().write(*writes)
        if books := [one for one in writes if one.entity_type is Book]:
            print(len(books), flush=True)


async def main(path: Path) -> None:
    store = Telling(EmbeddedEngine(path, TABLES))
    later = time.time() + int(sys.argv[2])
    # Leases of whoever was killed are not waited for: a minute passes whenever it looks.
    minutes = count(0.0, 60.0)
    worker = Worker(store, LIBRARY.data.consumers, clock=lambda: later, monotonic=minutes.__next__)
    await worker.drain()
    print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

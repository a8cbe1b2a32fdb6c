"""A process that works through an import, or takes it back, until it is killed.

`python -m … <file> <seconds>`
"""

from __future__ import annotations

import asyncio
import sys
from itertools import count
from pathlib import Path

from commonroom.library.room import LIBRARY
from commonroom.library.tables import Book
from commonroom.store import Store, Write
from commonroom.store.embedded import EmbeddedEngine
from commonroom.timers import Scheduler
from tests.library.bookcase import TABLES


class Telling(Store):
    """A store that says whenever books are added or taken out."""

    async def write(self, *writes: Write) -> None:
        await super().write(*writes)
        if any(one.entity_type is Book for one in writes):
            print("books", flush=True)


async def main(path: Path, later: float) -> None:
    store = Telling(EmbeddedEngine(path, TABLES))
    # Neither what whoever was killed held is waited for, nor the pauses between steps.
    moments = count(later)
    clockwork = Scheduler(store, LIBRARY.data.timer_handlers, clock=lambda: float(next(moments)))
    while await clockwork.once():
        pass
    print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), float(sys.argv[2])))

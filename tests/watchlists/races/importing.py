"""A process that looks an import up, works it through, or takes it back, until it is killed.

`python -m … <file> <seconds>`
"""

from __future__ import annotations

import asyncio
import sys
from itertools import count
from pathlib import Path

from commonroom.store import Store, Write
from commonroom.store.embedded import EmbeddedEngine
from commonroom.timers import Scheduler
from commonroom.watchlists.tables import WatchlistImport
from tests.watchlists.examples import HANDLERS, TABLES


class Telling(Store):
    """A store that says whenever an import has come further."""

    async def write(self, *writes: Write) -> None:
        await super().write(*writes)
        if any(one.entity_type is WatchlistImport for one in writes):
            print("rows", flush=True)


async def main(path: Path, later: float) -> None:
    store = Telling(EmbeddedEngine(path, TABLES))
    # Neither what whoever was killed held is waited for, nor the pauses between steps.
    moments = count(later)
    clockwork = Scheduler(store, HANDLERS, clock=lambda: float(next(moments)))
    while await clockwork.once():
        pass
    print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), float(sys.argv[2])))

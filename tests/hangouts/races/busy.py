"""A process that goes on with series until it is killed: `python -m … <file> <turn>`."""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import count
from pathlib import Path

from commonroom.hangouts.room import HANGOUTS
from commonroom.hangouts.tables import Hangout
from commonroom.store import Store, Write
from commonroom.store.embedded import EmbeddedEngine
from commonroom.timers import Scheduler
from commonroom.timers.scheduler import LEASE_SECONDS
from tests.hangouts.friends import TABLES


class Telling(Store):
    """A store that says whenever a hangout is written."""

    async def write(self, *writes: Write) -> None:
        await super().write(*writes)
        if any(one.entity_type is Hangout for one in writes):
            print("wrote", flush=True)


async def main(path: Path, turn: int) -> None:
    """Two seconds pass whenever it looks; what was killed before is due again."""
    store = Telling(EmbeddedEngine(path, TABLES))
    seconds = count(time.time() + turn * 2 * LEASE_SECONDS, 0.5)
    scheduler = Scheduler(store, HANGOUTS.data.timer_handlers, clock=seconds.__next__)
    for _ in range(60):
        await scheduler.once()
    print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))

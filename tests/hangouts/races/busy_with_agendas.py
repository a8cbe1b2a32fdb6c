"""A process that follows changes, and does what is due, until it is killed: `… <file> <later>`."""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import count
from pathlib import Path

from commonroom.hangouts.room import HANGOUTS
from commonroom.hangouts.tables import AgendaEntry
from commonroom.store import Store, Write
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from commonroom.timers import Scheduler
from tests.hangouts.friends import TABLES


class Telling(Store):
    """A store that says whenever entries of agendas are written."""

    async def write(self, *writes: Write) -> None:
        await super().write(*writes)
        if any(one.entity_type is AgendaEntry for one in writes):
            print("entries", flush=True)


async def main(path: Path, later: int) -> None:
    store = Telling(EmbeddedEngine(path, TABLES))
    now = time.time() + later
    # Leases of whoever was killed are not waited for: a minute passes whenever it looks.
    minutes = count(0.0, 60.0)
    agenda = [one for one in HANGOUTS.data.consumers if one.name == "hangouts-agenda"]
    worker = Worker(store, agenda, clock=lambda: now, monotonic=minutes.__next__)
    scheduler = Scheduler(store, HANGOUTS.data.timer_handlers, clock=lambda: now)
    while await worker.drain() + await scheduler.once():
        pass
    print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))

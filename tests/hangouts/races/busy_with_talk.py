"""A process that clears up after hangouts until it is killed: `python -m … <file> <later>`."""

from __future__ import annotations

import asyncio
import sys
import time
from itertools import count
from pathlib import Path

from commonroom.hangouts.consumers.children import CHILDREN
from commonroom.hangouts.tables import TalkMessage
from commonroom.store import Store, Write
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from tests.hangouts.friends import TABLES

PAUSE = 0.2
"""Seconds between two batches, in which it may be killed: else it is done before that happens."""


class Telling(Store):
    """A store that says whenever messages are written."""

    async def write(self, *writes: Write) -> None:
        await super().write(*writes)
        if any(one.entity_type is TalkMessage for one in writes):
            print("messages", flush=True)
            await asyncio.sleep(PAUSE)


async def main(path: Path, later: int) -> None:
    store = Telling(EmbeddedEngine(path, TABLES))
    now = time.time() + later
    # Leases of whoever was killed are not waited for: a minute passes whenever it looks.
    minutes = count(0.0, 60.0)
    worker = Worker(store, [CHILDREN], clock=lambda: now, monotonic=minutes.__next__)
    await worker.drain()
    print("done", flush=True)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))

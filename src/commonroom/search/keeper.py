"""The keeper of the index: has everything indexed where an index is new, lost, or outdated."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress

from commonroom.errors import CommonroomError
from commonroom.search.index import IndexReplaced
from commonroom.search.indexing import Indexer
from commonroom.search.reindexing import reindex
from commonroom.store.engine import Clock

logger = logging.getLogger(__name__)

FIRST_SECONDS = 1.0
"""How long it waits at the start: what people wait for goes first."""
FILE_SECONDS = 2.0
"""How often a file is looked at: a removed one is missed for so long."""
SERVER_SECONDS = 60.0
"""How often an index is looked at that is reached over a network."""
TROUBLE_SECONDS = 60.0
SWEEP_SECONDS = 60.0
"""How often what was removed is made unreadable."""


class IndexKeeper:
    """Looks after the index in this process; of several, one at a time reindexes."""

    def __init__(self, indexer: Indexer, monotonic: Clock = time.monotonic) -> None:
        self._indexer = indexer
        self._pause = FILE_SECONDS if indexer.index.name == "embedded" else SERVER_SECONDS
        self._monotonic = monotonic
        self._swept_at = monotonic()
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Looks after it until `stop` is called; a reindex that this ends is continued later."""
        keeping = asyncio.create_task(self._keep())
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait([keeping, stopping], return_when=asyncio.FIRST_COMPLETED)
            if keeping.done():
                keeping.result()
        finally:
            for task in (keeping, stopping):
                task.cancel()
            await asyncio.wait([keeping, stopping])

    def stop(self) -> None:
        """Lets `run` end."""
        self._stopping.set()

    async def look(self) -> None:
        """Reindexes if that is needed and nobody else is at it."""
        state = await self._indexer.index.state()
        if state.declared == self._indexer.declared and state.reindex is None:
            return
        with suppress(IndexReplaced):  # it is looked at again soon
            count = await reindex(self._indexer)
            if count is not None:
                logger.info("The search index is complete: %d documents.", count)

    async def sweep(self) -> None:
        """Leaves nothing readable of what was removed from the index."""
        await self._indexer.index.reclaim_space()
        self._swept_at = self._monotonic()

    async def _keep(self) -> None:
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            pause = self._pause
            try:
                await self.look()
                if self._monotonic() - self._swept_at >= SWEEP_SECONDS:
                    await self.sweep()
            except CommonroomError as error:
                logger.warning("The search index cannot be written: %s", error.detail)
                pause = TROUBLE_SECONDS
            await asyncio.sleep(pause)

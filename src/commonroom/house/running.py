"""What goes on beside the pages: consumers follow changes, timers come due, old things go."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from commonroom.house.checks import repair_missed
from commonroom.house.consumers import (
    consumers,
    data_consumers,
    notification_handlers,
    timer_handlers,
)
from commonroom.house.rooms import ROOMS
from commonroom.house.search import searchables
from commonroom.joins.rooms import Room, joined
from commonroom.maintenance import Maintenance
from commonroom.notifications.imported import quiet_after_import
from commonroom.open_store import make_data_folder, upgrade_of
from commonroom.outgoing.fetcher import Fetcher
from commonroom.search.indexing import Indexer
from commonroom.search.keeper import IndexKeeper
from commonroom.search.opening import is_index_per_machine, open_index
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.streams import LoopShare, Worker
from commonroom.timers import Scheduler
from commonroom.titles.service import Titles
from commonroom.titles.sources import title_source

logger = logging.getLogger(__name__)

LAST_SECONDS = 5.0
"""How long what is under way may take when all is to end; what is not done then is done again."""


class Housekeeping:
    """All of it in this process; any number of processes share the work."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        rooms: Sequence[Room] = ROOMS,
        share: LoopShare | None = None,
    ) -> None:
        make_data_folder(settings)
        self._fetcher = Fetcher.for_user_addresses()  # for push services, which browsers name
        self._sources = Fetcher.of(settings)
        self._titles = Titles(title_source(settings, store, self._sources))
        handlers = [
            timer_handlers(self._titles, rooms),
            notification_handlers(settings, self._fetcher, rooms),
        ]
        quiet = {kind: quiet_after_import(one) for kind, one in joined("timer", handlers).items()}
        self._scheduler = Scheduler(store, quiet)
        # Where each machine has an index of its own, its servers keep it.
        own = [] if is_index_per_machine(settings) else [open_index(settings, store.identity)]
        self._indexers = [Indexer(store, one, searchables(rooms)) for one in own]
        self._keepers = [IndexKeeper(one) for one in self._indexers]
        following = [one.consumer for one in self._indexers]
        self._worker = Worker(
            store,
            [*consumers(settings, self._fetcher, rooms), *following],
            repair=partial(
                repair_missed,
                rooms=rooms,
                indexer=self._indexers[0] if self._indexers else None,
                everyone=data_consumers(settings, rooms),
            ),
            on_change=self._scheduler.wake,  # timers are mostly set with what has changed
            share=share,
        )
        self._maintenance = Maintenance(settings) if store.engine.name == "embedded" else None

    async def run(self) -> None:
        """Works until `stop` is called."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._worker.run())
                group.create_task(self._scheduler.run())
                for keeper in self._keepers:
                    group.create_task(keeper.run())
                if self._maintenance is not None:
                    group.create_task(self._maintenance.run())
        except Exception:
            logger.critical("What goes on beside the pages has ended.", exc_info=True)
            raise
        finally:
            await self._titles.close()
            await self._sources.close()
            await self._fetcher.close()
            for indexer in self._indexers:
                await indexer.index.close()

    def stop(self) -> None:
        """Lets `run` end after what it is at."""
        self._worker.stop()
        self._scheduler.stop()
        for keeper in self._keepers:
            keeper.stop()
        if self._maintenance is not None:
            self._maintenance.stop()


@asynccontextmanager
async def upgrading(store: Store) -> AsyncIterator[None]:
    """Completes an upgrade of the data meanwhile; on DynamoDB, notices that a command has."""
    running = asyncio.create_task(upgrade_of(store).keep_on())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.wait([running])


@asynccontextmanager
async def housekeeping(
    store: Store,
    settings: Settings,
    rooms: Sequence[Room] = ROOMS,
    share: LoopShare | None = None,
) -> AsyncIterator[asyncio.Task[None]]:
    """Runs it meanwhile; returns its task, which ends early only where something is very wrong.

    Beside pages, what follows from writes has a share of the loop's time.
    """
    housekeeping = Housekeeping(store, settings, rooms, share)
    running = asyncio.create_task(housekeeping.run())
    try:
        yield running
    finally:
        housekeeping.stop()
        await asyncio.wait([running], timeout=LAST_SECONDS)
        running.cancel()
        await asyncio.wait([running])
    if not running.cancelled():
        await running

"""Following: an index file of this machine kept current from the streams, with its own progress.

Where machines share data in DynamoDB, each has an index of its own. How far it has come is stored
in the index file, so both are lost, copied and built anew together.
"""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from commonroom.errors import CommonroomError
from commonroom.moments import is_future
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.embedded.state import IndexCheckpoint
from commonroom.search.indexing import CONSUMER, Indexer
from commonroom.store import Table
from commonroom.store.engine import Clock, Shard
from commonroom.store.streams.pace import Pace
from commonroom.store.streams.progress import ConsumerProgress, ShardStates
from commonroom.store.streams.shard import BATCH
from commonroom.store.streams.tables import ShardState

logger = logging.getLogger(__name__)

SHARDS_SECONDS = 300.0
"""How often the lists of shards are read anew; a shard that has ended is noticed at once."""
NOTE_SECONDS = 600.0
"""How often it is written down that nothing happened."""
LOCK_SECONDS = 5.0
"""How often another process of this machine looks whether it is to follow."""
TROUBLE_SECONDS = 10.0


class IndexFollower:
    """Lets an index follow the streams, in one process of a machine at a time.

    Documents are made of what is stored now, and the newest wins: so the order of shards does not
    matter, and records may be read twice.
    """

    def __init__(
        self,
        indexer: Indexer,
        index: EmbeddedIndex,
        *,
        clock: Clock = time.time,
        monotonic: Clock = time.monotonic,
    ) -> None:
        self._indexer = indexer
        self._index = index
        self._engine = indexer.store.engine
        self._clock = clock
        self._monotonic = monotonic
        self._pace = Pace(monotonic)
        self._shards: dict[Table, list[Shard]] = {}
        self._listed_at = float("-inf")
        self._ended: set[tuple[str, str]] = set()
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Follows until `stop` is called; trouble is waited out."""
        while not self._stopping.is_set():
            with _locked(self._index.path) as is_ours:
                while is_ours and not self._stopping.is_set():
                    await self._wait(await self._follow())
            await self._wait(LOCK_SECONDS)

    def stop(self) -> None:
        """Lets `run` end after what it is at."""
        self._stopping.set()

    async def once(self) -> int:
        """Follows everything that is new; returns how many documents were looked at again.

        A process away for longer than records are kept has missed some: everything is indexed.
        """
        progress, now = await self._index.progress(), self._clock()
        if _has_missed(progress, now, self._engine.retention_seconds):
            await self._index.mark_incomplete()
        await self._list_shards()
        positions, refreshed = dict(progress.positions), 0
        for table, shards in self._shards.items():
            for shard in shards:
                refreshed += await self._follow_shard(table, shard.id, positions)
        listed = {(table.name, one.id) for table, some in self._shards.items() for one in some}
        after = IndexCheckpoint({one: at for one, at in positions.items() if one in listed}, now)
        if after.positions != progress.positions or _is_old(progress, now):
            await self._index.save_progress(after)
        return refreshed

    async def _follow(self) -> float:
        """Does one round; returns how long to wait for the next."""
        try:
            if await self.once():
                self._pace.quicken()
        except CommonroomError as error:
            logger.warning("The search index cannot follow: %s", error.detail)
            return TROUBLE_SECONDS
        except Exception:  # whatever it stumbles over, the server goes on
            logger.exception("The search index cannot follow; it is tried again.")
            return TROUBLE_SECONDS
        open_shards = sum(map(len, self._shards.values())) - len(self._ended)
        return self._pace.pause(max(1, open_shards))

    async def _follow_shard(
        self, table: Table, shard: str, positions: dict[tuple[str, str], str | None]
    ) -> int:
        place, refreshed = (table.name, shard), 0
        while place not in self._ended:
            batch = await self._engine.changes(table, shard, positions.get(place), BATCH)
            if keys := self._indexer.changed_keys(batch.records):
                await self._indexer.refresh(keys)
                refreshed += len(keys)
            positions[place] = batch.position
            if batch.ended and not batch.records:
                self._ended.add(place)
                self._listed_at = float("-inf")
            if not batch.records:
                break
        return refreshed

    async def _list_shards(self) -> None:
        if self._monotonic() - self._listed_at < SHARDS_SECONDS:
            return
        tables = [table for table in self._indexer.tables if table.stream]
        self._shards = {table: await self._engine.shards(table) for table in tables}
        self._listed_at = self._monotonic()
        listed = {(table.name, one.id) for table, some in self._shards.items() for one in some}
        self._ended &= listed

    async def _wait(self, seconds: float) -> None:
        """Waits, and less long where this process writes something."""
        changed = asyncio.create_task(self._engine.wait_for_changes(seconds))
        stopping = asyncio.create_task(self._stopping.wait())
        began = self._monotonic()
        await asyncio.wait([changed, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in (changed, stopping):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if self._monotonic() - began < seconds / 2:
            self._pace.quicken()
            with suppress(TimeoutError):  # reading costs requests, so others may write meanwhile
                await asyncio.wait_for(self._stopping.wait(), min(seconds, 1.0))


class IndexProgress(ConsumerProgress):
    """Lets a check wait for an index that follows by itself, wherever its process runs."""

    def __init__(self, indexer: Indexer, index: EmbeddedIndex) -> None:
        super().__init__(indexer.store, [indexer.consumer])
        self._index = index

    async def _read(self) -> tuple[ShardStates, dict[str, int]]:
        progress = await self._index.progress()
        places = [
            ShardState(consumer=CONSUMER, stream=stream, shard=shard, position=position)
            for (stream, shard), position in progress.positions.items()
        ]
        return {CONSUMER: places}, {}


def _has_missed(progress: IndexCheckpoint, now: float, retention_seconds: float) -> bool:
    at = progress.followed_at
    return at is None or is_future(at, now) or now - at >= retention_seconds


def _is_old(progress: IndexCheckpoint, now: float) -> bool:
    return progress.followed_at is None or abs(now - progress.followed_at) >= NOTE_SECONDS


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Whether this process is the one that follows; the system frees the lock when it ends."""
    try:
        descriptor = os.open(path.with_name(f"{path.name}-follower"), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        logger.warning("The search index cannot be written: %s", error.strerror)
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)

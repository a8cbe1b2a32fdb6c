"""One consumer at one shard: handles new records, and parks and retries those that failed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from commonroom.store.declare.table import Table
from commonroom.store.engine import ChangeRecord, Changes
from commonroom.store.errors import StoreError
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer, decode_change
from commonroom.store.streams.lease import Holder, Lease, LeaseLost
from commonroom.store.streams.parked import MAX_PARKED, ParkedChanges
from commonroom.store.streams.tables import ShardState

BATCH = 100

WAIT_SECONDS = 2.0
"""How long until it looks again at a shard that another worker has, or after trouble."""


class ShardConsumer:
    """A consumer's place in a shard, and the changes that wait there for another try."""

    def __init__(
        self, store: Store, consumer: Consumer, table: Table, shard: str, holder: Holder
    ) -> None:
        self.consumer = consumer
        self.shard = shard
        self.parked = ParkedChanges(store, consumer, table, shard, holder.clock)
        self.position: str | None = None
        """Up to here records were looked at; the checkpoint follows where something was done."""
        self.is_at_end = False
        """Whether it has seen all that there is."""
        self.is_busy = False
        self.has_ended = False
        """Whether there will be no more records."""
        self.may_have_missed = False
        """Whether it met a place whose records are no longer kept."""
        self.has_missed = False
        """Whether its shard was gone before it had seen the end."""
        self._store = store
        first = ShardState(consumer=consumer.name, stream=table.name, shard=shard)
        self._lease = Lease(store, first, holder, is_stored=False)
        self._monotonic = holder.monotonic
        self._wait_until = float("-inf")

    @property
    def state(self) -> ShardState:
        """Its checkpoint, as it was last seen."""
        return self._lease.state

    @property
    def is_finished(self) -> bool:
        """Whether the shard has ended and everything in it was handled."""
        return self._lease.state.finished

    @property
    def can_read(self) -> bool:
        """Whether it takes new records now."""
        is_open = not (self.is_finished or self.has_ended or self._is_full)
        return is_open and self._is_ready

    @property
    def is_waiting(self) -> bool:
        """Whether it will look again soon, because another worker is at it or there was trouble."""
        return self._wait_until > self._monotonic()

    @property
    def next_retry(self) -> float | None:
        """When the next of the changes that wait here is due."""
        return self.parked.next_retry if self._is_ready else None

    def resume(self, state: ShardState) -> None:
        """Starts from its checkpoint."""
        self._lease.see(state)
        self.position = state.position

    def accepts(self, batch: Changes) -> bool:
        """Whether there is something in a batch for this consumer to do."""
        if batch.trimmed:
            self.may_have_missed = True
            self.has_missed = self.has_missed or batch.ended
        self.is_at_end = not batch.records
        if self.is_at_end:
            return batch.ended or self._lease.is_held
        return any(self.consumer.entity_of(record) is not None for record in batch.records)

    async def handle(self, batch: Changes | None) -> int:
        """Handles a batch, and what waits and is due; returns how many changes were handled.

        Nothing is done where another worker is at the shard, or was since it was last seen.
        """
        self.is_busy = True
        try:
            if self._lease.is_held or await self._lease.take():
                return await self._handle_held(batch)
            self._follow_other()
        except LeaseLost:
            self._follow_other()
            raise
        except StoreError:
            self._lease.doubt()
            self._follow_other()
            self._wait_until = self._monotonic() + WAIT_SECONDS
            raise
        except asyncio.CancelledError:
            await self.release()
            raise
        finally:
            self.is_busy = False
        return 0

    async def save_position(self) -> None:
        """Stores how far it has looked, so that others know, and records need not be kept."""
        if self.is_busy or self.position == self._lease.state.position:
            return
        self.is_busy = True
        try:
            if not await self._lease.advance(self.position):
                self._follow_other()
        finally:
            self.is_busy = False

    async def release(self) -> None:
        """Releases the shard, if the store answers; otherwise the lease runs out by itself."""
        with suppress(LeaseLost, StoreError):
            await self._lease.release()

    @property
    def _is_ready(self) -> bool:
        return not self.is_busy and not self.is_waiting

    @property
    def _is_full(self) -> bool:
        return len(self.parked) >= MAX_PARKED

    async def _handle_held(self, batch: Changes | None) -> int:
        async with self._lease.renewed():
            await self.parked.load()
            handled = await self.parked.retry(self._attempt)
            handled += await self._handle_all(batch.records if batch is not None else ())
        position, is_full_batch = self.position, False
        if batch is not None:
            position, is_full_batch = batch.position, len(batch.records) == BATCH
            self.has_ended = batch.ended and not batch.records
        finished = self.has_ended and not len(self.parked)
        # More is to come: the next batch is handled under the same lease.
        release = not is_full_batch or self._is_full
        await self._lease.checkpoint(position, finished=finished, release=release)
        self.position = position
        return handled

    async def _handle_all(self, records: Iterable[ChangeRecord]) -> int:
        handled = 0
        for record in records:
            if self.consumer.entity_of(record) is None:
                continue
            is_behind = record.key in self.parked
            error = None if is_behind else await self._attempt(record)
            if is_behind or error is not None:
                await self.parked.park(record, error)
            else:
                handled += 1
        return handled

    async def _attempt(self, record: ChangeRecord) -> Exception | None:
        """Runs the handler; whatever it raises is the record's trouble, not the shard's."""
        entity = self.consumer.entity_of(record)
        if entity is None:
            return None
        try:
            async with asyncio.timeout(self.consumer.timeout_seconds):
                await self.consumer.handle(self._store, decode_change(entity, record))
        except Exception as error:
            return error
        return None

    def _follow_other(self) -> None:
        """Continues where another worker was, or waits for it."""
        self.parked.forget()
        self.is_at_end = False
        if self._lease.is_free:
            self.position = self._lease.state.position
        else:
            self._wait_until = self._monotonic() + WAIT_SECONDS

"""One consumer at one shard: handles new records, and parks and retries those that failed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct

from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.engine import ChangeRecord, Changes
from commonroom.store.errors import StoreError
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer, SharedRecord
from commonroom.store.streams.lease import Holder, Lease, LeaseChange, LeaseLost
from commonroom.store.streams.parked import MAX_PARKED, ParkedChanges
from commonroom.store.streams.tables import ShardState

BATCH = 100

WAIT_SECONDS = 2.0
"""How long until it looks again at a shard that another worker has, or after trouble."""


class SharedBatch(Struct, frozen=True):
    """Records of a shard that were read once, for all consumers at its place."""

    records: list[SharedRecord]
    position: str | None
    ended: bool
    trimmed: bool

    @classmethod
    def of(cls, changes: Changes) -> SharedBatch:
        """Returns what an engine gave."""
        records = [SharedRecord(record) for record in changes.records]
        return cls(records, changes.position, changes.ended, changes.trimmed)

    @property
    def is_full(self) -> bool:
        """Whether there may be more after it."""
        return len(self.records) == BATCH


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
        self.is_unsaved = False
        """Whether something was done since the checkpoint was stored."""
        self.has_ended = False
        """Whether there will be no more records."""
        self.may_have_missed = False
        """Whether it met a place whose records are no longer kept."""
        self.has_missed = False
        """Whether its shard was gone before it had seen the end."""
        self._has_more = False
        """Whether more was to come after what it handled last."""
        first = ShardState(consumer=consumer.name, stream=table.name, shard=shard)
        self._store = store
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
    def is_settled(self) -> bool:
        """Whether nothing is to be read, to be tried again or to be waited for."""
        is_past_all = self.is_at_end or self.is_finished
        return is_past_all and not self.is_busy and self.parked.is_empty

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

    def accepts(self, batch: SharedBatch, *, is_news_told: bool) -> bool:
        """Whether there is something in a batch for this consumer to do.

        Where the engine tells of news, a batch that is not full needs no look at what follows it.
        """
        if batch.trimmed:
            self.may_have_missed = True
            self.has_missed = self.has_missed or batch.ended
        self.is_at_end = not batch.records or (is_news_told and not batch.is_full)
        if not batch.records:
            return batch.ended or (self._lease.is_held and self._has_more)
        return any(self.consumer.entity_in(one) is not None for one in batch.records)

    async def handle(self, batch: SharedBatch | None) -> int:
        """Handles a batch, and what waits and is due; returns how many changes were handled.

        Nothing is done where another worker is at the shard, or was since it was last seen.
        """
        self.is_busy = True
        try:
            handled = 0
            if self._lease.is_sure or await self._lease.take():
                handled = await self._handle_held(batch)
            if not self._lease.is_held:
                self._start_over(in_trouble=False)
        except StoreError:
            self._lease.doubt()
            self._start_over(in_trouble=True)
            raise
        except asyncio.CancelledError:
            await self.release()
            raise
        finally:
            self.is_busy = False
        return handled

    def taking(self) -> LeaseChange | None:
        """Returns what takes the lease before anything is handled; None where nothing does."""
        return None if self._lease.is_sure else self._lease.taking()

    def saving(self, *, keeps_lease: bool) -> LeaseChange | None:
        """Returns what stores its checkpoint after something was done, and releases the lease.

        The lease is kept while more is to come, so that the next batch is handled under it.
        """
        lease = self._lease
        if not lease.is_held or (self.is_busy and not lease.is_sure):
            return None
        finished = self.has_ended and self.parked.is_empty
        keeps = self.is_busy or ((keeps_lease or self._has_more) and not self._is_full)
        return lease.saving(self.position, finished=finished, release=finished or not keeps)

    def advancing(self) -> LeaseChange | None:
        """Returns what stores how far it has looked, so that records need not be kept."""
        if self.is_busy or self.position == self._lease.state.position:
            return None
        return self._lease.advancing(self.position)

    def note_lost(self, *, in_trouble: bool) -> None:
        """Learns that its checkpoint was not stored: another worker was quicker, or nobody knows.

        One that is at work learns it when it is done.
        """
        if not self.is_busy:
            self._start_over(in_trouble=in_trouble)

    async def release(self) -> None:
        """Releases the shard, if the store answers; otherwise the lease runs out by itself."""
        with suppress(LeaseLost, StoreError):
            await self._lease.release(self.position)

    def _start_over(self, *, in_trouble: bool) -> None:
        """Goes on from its checkpoint as it is known; not at once where that would be in vain."""
        self.parked.forget()
        self.is_at_end = self.is_unsaved = False
        self.position = self._lease.state.position
        if in_trouble or not self._lease.is_free:
            self._wait_until = self._monotonic() + WAIT_SECONDS

    @property
    def _is_ready(self) -> bool:
        return not self.is_busy and not self.is_waiting

    @property
    def _is_full(self) -> bool:
        return len(self.parked) >= MAX_PARKED

    async def _handle_held(self, batch: SharedBatch | None) -> int:
        self.is_unsaved = True
        async with self._lease.renewed():
            await self.parked.load()
            handled = await self.parked.retry(self._attempt)
            handled += await self._handle_all(batch.records if batch is not None else ())
        if batch is not None:
            self.position, self._has_more = batch.position, batch.is_full
            self.has_ended = batch.ended and not batch.records
        return handled

    async def _handle_all(self, records: Iterable[SharedRecord]) -> int:
        handled = 0
        for shared in records:
            entity = self.consumer.entity_in(shared)
            if entity is None:
                continue
            record = shared.record
            is_behind = record.key in self.parked
            error = None if is_behind else await self._handle_one(shared, entity)
            if is_behind or error is not None:
                await self.parked.park(record, error)
            else:
                handled += 1
            # Handlers that only read never wait: others have their turn here.
            await asyncio.sleep(0)
        return handled

    async def _attempt(self, record: ChangeRecord) -> Exception | None:
        """Handles a record that was parked."""
        shared = SharedRecord(record)
        entity = self.consumer.entity_in(shared)
        return None if entity is None else await self._handle_one(shared, entity)

    async def _handle_one(self, shared: SharedRecord, entity: type[Entity]) -> Exception | None:
        """Runs the handler; whatever it raises is the record's trouble, not the shard's."""
        try:
            async with asyncio.timeout(self.consumer.timeout_seconds):
                await self.consumer.handle(self._store, shared.change_of(entity))
        except Exception as error:
            return error
        return None

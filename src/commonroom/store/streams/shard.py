"""One consumer at one shard: handles new records, and parks and retries those that failed."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from commonroom.store.declare.table import Table
from commonroom.store.engine import ChangeRecord, Clock
from commonroom.store.errors import BeingUpgraded, DamagedItem
from commonroom.store.operations import delete, put
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer, decode_change, error_text
from commonroom.store.streams.lease import Lease
from commonroom.store.streams.tables import ParkedChange
from commonroom.store.values import Key

BATCH = 100

LARGEST_IMAGES = 300 * 1024
"""An item holds 400 KB; two images of such an item may not fit into one, even compressed."""

MOST_PARKED = 1000
"""How many changes of a shard may wait before its consumer stops taking more."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


class ShardProcessor:
    """Processes a shard's records for one consumer while its lease is held."""

    def __init__(
        self,
        store: Store,
        consumer: Consumer,
        table: Table,
        lease: Lease,
        *,
        parked: Iterable[ParkedChange],
        clock: Clock,
    ) -> None:
        self._store = store
        self._consumer = consumer
        self._table = table
        self._lease = lease
        self._clock = clock
        self._waiting: dict[Key, list[ParkedChange]] = {}
        """Changes that failed, by item: later changes of the same item wait behind them."""
        for one in parked:
            self._waiting.setdefault(item_key(one), []).append(one)

    async def run(self) -> int:
        """Handles all that is there and lets the lease go; says how many changes were handled."""
        position = self._lease.state.position
        async with self._lease.renewed():
            handled = await self._retry_parked()
            while sum(map(len, self._waiting.values())) < MOST_PARKED:
                batch = await self._store.engine.changes(
                    self._table, self._lease.state.shard, position, BATCH
                )
                if not batch.records:
                    finished = batch.ended and not self._waiting
                    await self._lease.checkpoint(position, finished=finished, release=True)
                    return handled
                handled += await self._handle_all(batch.records)
                position = batch.position
                await self._lease.checkpoint(position)
        await self._lease.checkpoint(position, release=True)
        return handled

    async def _handle_all(self, records: Iterable[ChangeRecord]) -> int:
        handled = 0
        for record in records:
            if self._consumer.entity_of(record) is None:
                continue
            error = None if record.key in self._waiting else await self._attempt(record)
            if record.key in self._waiting or error is not None:
                await self._park(record, error)
            else:
                handled += 1
        return handled

    async def _attempt(self, record: ChangeRecord) -> Exception | None:
        """Runs the handler; whatever it raises is the record's trouble, not the shard's."""
        entity = self._consumer.entity_of(record)
        if entity is None:
            return None
        try:
            async with asyncio.timeout(self._consumer.timeout_seconds):
                await self._consumer.handle(self._store, decode_change(entity, record))
        except Exception as error:
            return error
        return None

    async def _park(self, record: ChangeRecord, error: Exception | None) -> None:
        """Keeps a change for later; its item's later changes then wait behind it."""
        parked = park(self._consumer.name, self._lease.state.shard, record)
        if error is not None:
            parked = self._after_failure(parked, error)
        await self._store.write(put(parked))
        behind = self._waiting.setdefault(record.key, [])
        # After a crash the same record can come again: it is kept once, at its place.
        if all(one.position != parked.position for one in behind):
            behind.append(parked)

    async def _retry_parked(self) -> int:
        """Gives every item's oldest waiting change that is due another chance."""
        handled = 0
        for key in list(self._waiting):
            while self._waiting[key] and self._waiting[key][0].next_at <= self._clock():
                parked = self._waiting[key][0]
                error = await self._attempt(await self._record(parked))
                if error is None:
                    await self._store.write(delete(parked))
                    handled += 1
                elif not await self._failed_again(key, self._after_failure(parked, error)):
                    break
                self._waiting[key].pop(0)
            if not self._waiting[key]:
                del self._waiting[key]
        return handled

    async def _failed_again(self, key: Key, parked: ParkedChange) -> bool:
        """Backs off, or makes it a dead letter; says whether it no longer holds its item up."""
        if parked.attempts >= self._consumer.retry_policy.max_attempts:
            # It is shown by its key and its error; what the item held would stay here for ever.
            aside = replace(parked, aside=True, images=None)
            await self._store.write(delete(parked), put(aside))
            return True
        await self._store.write(put(parked))
        self._waiting[key][0] = parked
        return False

    def _after_failure(self, parked: ParkedChange, error: Exception) -> ParkedChange:
        attempts = parked.attempts + 1
        if isinstance(error, BeingUpgraded):  # it succeeds as soon as the upgrade is complete
            attempts = min(attempts, self._consumer.retry_policy.max_attempts - 1)
        pause = self._consumer.retry_policy.delay_after(attempts)
        return replace(
            parked, attempts=attempts, next_at=self._clock() + pause, error=error_text(error)
        )

    async def _record(self, parked: ParkedChange) -> ChangeRecord:
        """The record as it was; where its images were not kept, with the item as it is now."""
        record = unpark(parked)
        if parked.images is None:
            try:
                (now,) = await self._store.engine.batch_get([(self._table, record.key)])
            except DamagedItem as damaged:
                return replace(record, damage=damaged.reason)
            record = replace(record, new=now)
        return record


def park(consumer: str, shard: str, record: ChangeRecord) -> ParkedChange:
    """A record as it is stored until its consumer can handle it."""
    images = zlib.compress(_encode([record.old, record.new]), 1)
    return ParkedChange(
        consumer=consumer,
        stream=record.table,
        shard=shard,
        position=record.position,
        change=record.kind,
        changed_at=record.at,
        by_ttl=record.by_ttl,
        key=_encode(record.key),
        images=images if len(images) <= LARGEST_IMAGES and not record.damage else None,
    )


def unpark(parked: ParkedChange) -> ChangeRecord:
    """The record again; without images where they were not kept."""
    old, new = (None, None) if parked.images is None else _decode(zlib.decompress(parked.images))
    return ChangeRecord(
        parked.stream,
        parked.position,
        parked.change,
        item_key(parked),
        old,
        new,
        parked.changed_at,
        parked.by_ttl,
    )


def item_key(parked: ParkedChange) -> Key:
    """The primary key of the item that changed."""
    return tuple(_decode(parked.key))

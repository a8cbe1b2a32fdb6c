"""Parked changes: what a consumer could not handle waits here, item by item, for another try."""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable, Iterable

import msgspec
from msgspec.structs import replace

from commonroom.store.damage import tolerating_damage
from commonroom.store.declare.table import Table
from commonroom.store.engine import ChangeRecord, Clock
from commonroom.store.errors import BeingUpgraded, DamagedItem
from commonroom.store.operations import delete, put
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer, error_text
from commonroom.store.streams.tables import ParkedChange, parked_changes
from commonroom.store.values import Key

MAX_PARKED = 1000
"""How many changes of a shard may wait before its consumer stops taking more."""

MAX_IMAGES = 300 * 1024
"""An item holds 400 KB; two images of such an item may not fit into one, even compressed."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode

Attempt = Callable[[ChangeRecord], Awaitable[Exception | None]]
"""Handles a record; returns what went wrong, if anything did."""


class ParkedChanges:
    """The changes of one shard that wait for one consumer, as they are stored."""

    def __init__(
        self, store: Store, consumer: Consumer, table: Table, shard: str, clock: Clock
    ) -> None:
        self.is_known = False
        """Whether this is what is stored; it is not where another worker was at the shard since."""
        self._store = store
        self._consumer = consumer
        self._table = table
        self._shard = shard
        self._clock = clock
        self._by_item: dict[Key, list[ParkedChange]] = {}
        """Later changes of an item wait behind the one that failed."""

    def __contains__(self, key: Key) -> bool:
        return key in self._by_item

    def __len__(self) -> int:
        return sum(map(len, self._by_item.values()))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known to wait."""
        return not self._by_item

    @property
    def next_retry(self) -> float | None:
        """When the first of them is due; None where nothing waits, or nobody knows what."""
        oldest = (self._retry_at(several[0]) for several in self._by_item.values())
        return min(oldest, default=None) if self.is_known else None

    def set(self, parked: Iterable[ParkedChange]) -> None:
        """Learns what waits, the oldest first."""
        self.is_known = True
        self._by_item = {}
        for one in parked:
            self._by_item.setdefault(item_key(one), []).append(one)

    def forget(self) -> None:
        """Another worker may have changed what waits."""
        self.is_known = False
        self._by_item = {}

    async def load(self) -> None:
        """Reads what waits, unless that is known; to be called while nobody else can change it."""
        if self.is_known:
            return
        here = (self._table.name, self._shard)
        stored = await list_parked(self._store, self._consumer)
        self.set([one for one in stored if (one.stream, one.shard) == here])

    async def park(self, record: ChangeRecord, error: Exception | None) -> None:
        """Keeps a change for later; its item's later changes then wait behind it."""
        parked = park(self._consumer.name, self._shard, record)
        if error is not None:
            parked = self._after_failure(parked, error)
        await self._store.write(put(parked))
        behind = self._by_item.setdefault(record.key, [])
        # After a crash the same record can come again: it is kept once, at its place.
        if all(one.position != parked.position for one in behind):
            behind.append(parked)

    async def retry(self, attempt: Attempt) -> int:
        """Retries the oldest due change of every item; returns how many succeeded."""
        handled = 0
        for key in list(self._by_item):
            waiting = self._by_item[key]
            while waiting and self._retry_at(waiting[0]) <= self._clock():
                error = await attempt(await self._record(waiting[0]))
                if error is None:
                    await self._store.write(delete(waiting[0]))
                    handled += 1
                elif not await self._failed_again(waiting, error):
                    break
                waiting.pop(0)
            if not waiting:
                del self._by_item[key]
        return handled

    async def _failed_again(self, waiting: list[ParkedChange], error: Exception) -> bool:
        """Backs off, or makes it a dead letter; returns whether it no longer holds its item up."""
        parked = self._after_failure(waiting[0], error)
        if parked.attempts >= self._consumer.retry_policy.max_attempts:
            # It is shown by its key and its error; what the item held would stay here for ever.
            aside = replace(parked, aside=True, images=None)
            await self._store.write(delete(parked), put(aside))
            return True
        await self._store.write(put(parked))
        waiting[0] = parked
        return False

    def _retry_at(self, parked: ParkedChange) -> float:
        """Never longer from now than a pause can be: the clock may have been put back."""
        now = self._clock()
        is_beyond = parked.next_at > now + self._consumer.retry_policy.longest_delay
        return now if is_beyond else parked.next_at

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


async def list_parked(store: Store, consumer: Consumer) -> list[ParkedChange]:
    """All that waits for a consumer; what is damaged of it is passed, and shown by `doctor`."""
    with tolerating_damage():
        return [one async for one in store.all(parked_changes(consumer=consumer.name))]


def park(consumer: str, shard: str, record: ChangeRecord) -> ParkedChange:
    """Returns a record as it is stored until its consumer can handle it."""
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
        images=images if len(images) <= MAX_IMAGES and not record.damage else None,
    )


def unpark(parked: ParkedChange) -> ChangeRecord:
    """Returns the record again; without images where they were not kept."""
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
    """Returns the primary key of the item that changed."""
    return tuple(_decode(parked.key))

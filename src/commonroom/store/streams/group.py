"""The consumer group of a worker: how far each has come in every stream, read and stored."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress

from commonroom.store.damage import tolerating_damage
from commonroom.store.errors import StoreError
from commonroom.store.limits import OPERATIONS
from commonroom.store.operations import delete
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.gaps import Gaps
from commonroom.store.streams.lease import Holder, LeaseChange, write_changes
from commonroom.store.streams.parked import list_parked
from commonroom.store.streams.reader import Job, StreamReader
from commonroom.store.streams.shard import ShardConsumer
from commonroom.store.streams.tables import ShardState, shard_states

logger = logging.getLogger(__name__)

SHARDS_SECONDS = 300.0
"""How often the lists of shards are read anew; a shard that has ended is noticed at once."""
PARKED_SECONDS = 60.0
"""How often it is read what waits where other workers are at work."""


class ConsumerGroup:
    """All consumers that a worker runs, with one reader for each table that they follow."""

    def __init__(
        self, store: Store, consumers: Sequence[Consumer], holder: Holder, gaps: Gaps
    ) -> None:
        self._store = store
        self._consumers = consumers
        self._holder = holder
        self._gaps = gaps
        tables = {table.name: table for consumer in consumers for table in consumer.tables}
        self._readers = {
            name: StreamReader(
                store, table, [one for one in consumers if table in one.tables], holder
            )
            for name, table in tables.items()
        }
        self.readers = list(self._readers.values())
        self.keeps_leases = False
        """Whether leases are kept while nothing happens: others can tell whether this one runs."""
        self.trouble: StoreError | None = None
        self._is_open = False
        self._unsaved: dict[ShardConsumer, None] = {}
        self.change_number: int | None = None
        """As of the last poll, where the engine has one and all could be read."""
        self._upto: int | None = None
        """Up to here it is known which streams have something new, where the engine tells."""
        self._polled_at = holder.clock()
        self._listed_at = self._loaded_at = holder.monotonic()

    @property
    def places(self) -> list[ShardConsumer]:
        """Every consumer in every shard."""
        return [place for reader in self.readers for place in reader.places]

    async def open(self) -> None:
        """Reads, at the start, how far every consumer had come and what waits for it."""
        if self._is_open:
            return
        for reader in self.readers:
            await reader.list_shards()
        await self._gaps.load()
        for consumer in self._consumers:
            await self._resume(consumer)
            # After the checkpoints: a worker that parks something later also takes the lease.
            await self._load_parked(consumer)
        self._is_open = True

    async def poll(self) -> list[Job]:
        """Reads what is new in all streams; returns who has something to do.

        A stream that cannot be read is named in `trouble`, and holds up no other.
        """
        await self.open()
        await self._refresh()
        number, now = self._store.engine.change_number(), self._holder.clock()
        is_unchanged = number is not None and number == self.change_number
        reads_all = self.change_number is None
        self.change_number, self._polled_at, self.trouble = number, now, None
        if not is_unchanged:
            self._note_news(reads_all=reads_all)
        jobs: dict[ShardConsumer, Job] = {}
        for reader in self.readers:
            if not reader.unsettled():
                continue
            jobs |= {job[0]: job for job in reader.due(now)}
            try:
                found = await reader.poll(is_news_told=self._upto is not None)
            except StoreError as error:
                self.change_number, self.trouble = None, error
            else:
                jobs |= {job[0]: job for job in found}
        return list(jobs.values())

    def _note_news(self, *, reads_all: bool) -> None:
        """Says to the readers of streams that have something new that they are not at the end."""
        news = self._store.engine.streams_with_news(self._upto)
        self._upto = None if news is None else news.upto
        for reader in self.readers:
            if news is None or reads_all:
                reader.note_news(None)
            elif shards := {shard for table, shard in news.shards if table == reader.table.name}:
                reader.note_news(shards)

    def unsettled(self) -> list[ShardConsumer]:
        """Returns every consumer that has something to read, to try again or to wait for."""
        return [place for reader in self.readers for place in reader.unsettled()]

    @property
    def has_unread(self) -> bool:
        """Whether a consumer could read on at once, where the engine tells of news."""
        return self._upto is not None and any(
            place.can_read for place in self.unsettled() if not place.is_at_end
        )

    async def take(self, places: Sequence[ShardConsumer]) -> None:
        """Takes the leases of these in one write; what that does not get, each tries itself."""
        taking = [change for place in places if (change := place.taking()) is not None]
        if len(taking) > 1:
            with suppress(StoreError):
                await write_changes(self._store, taking)

    def note_done(self, place: ShardConsumer) -> None:
        """Learns that a consumer was at work, so that its checkpoint is to be stored."""
        if place.is_unsaved:
            self._unsaved[place] = None
        self._unsettle(place)

    async def save_checkpoints(self) -> None:
        """Stores in one write how far those have come that did something."""
        places, self._unsaved = self._unsaved, {}
        saving = {place: place.saving(keeps_lease=self.keeps_leases) for place in places}
        for place in await self._write(saving.items()):
            name = place.consumer.name
            logger.warning("%s: another worker took shard %s over.", name, place.shard)

    async def close(self) -> None:
        """Stores how far all have looked, so that none seems to be behind, and ends all leases."""
        if self._is_open:
            with suppress(StoreError):  # then it is looked at again at the next start
                await self._write((one, one.saving(keeps_lease=False)) for one in self.places)
                await self.save_progress()
        await self.release()

    async def release(self) -> None:
        """Ends all leases that are held."""
        for place in self.places:
            await place.release()

    async def save_progress(self) -> None:
        """Stores how far all have looked and what they have missed, where that is new."""
        await self._write((place, place.advancing()) for place in self.places)
        for place in self.places:
            await self._note_gap(place)
        for reader in self.readers:
            for name in reader.lost:
                await self._gaps.note_missed(name)
            reader.lost.clear()
        behind = {
            place.consumer.name
            for place in self.places
            if not (place.is_at_end or place.is_finished)
        }
        names = {consumer.name for consumer in self._consumers} - behind
        await self._gaps.note_followed(sorted(names), self._polled_at)

    async def _write(
        self, changes: Iterable[tuple[ShardConsumer, LeaseChange | None]]
    ) -> list[ShardConsumer]:
        """Writes leases and checkpoints together; returns where another worker was quicker."""
        places = {change: place for place, change in changes if change is not None}
        for place in places.values():
            place.is_unsaved = False
        try:
            failed = await write_changes(self._store, list(places))
        except StoreError:
            for place in places.values():
                place.note_lost(in_trouble=True)
                self._unsettle(place)
            raise
        for change in failed:
            places[change].note_lost(in_trouble=False)
            self._unsettle(places[change])
        return [places[change] for change in failed]

    def _unsettle(self, place: ShardConsumer) -> None:
        self._readers[place.state.stream].unsettle(place)

    async def _resume(self, consumer: Consumer) -> None:
        # A damaged checkpoint is no reason to stop: what it stood for is handled again.
        with tolerating_damage():
            states = [one async for one in self._store.all(shard_states(consumer=consumer.name))]
        unlisted: list[ShardState] = []
        for reader in self._readers_of(consumer):
            unlisted += reader.resume(consumer, states)
        await self._gaps.start(consumer.name, is_new=not states)
        if not all(state.finished for state in unlisted):
            await self._gaps.note_missed(consumer.name)
        for start in range(0, len(unlisted), OPERATIONS):
            await self._store.write(*map(delete, unlisted[start : start + OPERATIONS]))

    async def _note_gap(self, place: ShardConsumer) -> None:
        if place.has_missed:
            await self._gaps.note_missed(place.consumer.name)
        elif place.may_have_missed:
            await self._gaps.note_trimmed(place.consumer.name)
        place.has_missed = place.may_have_missed = False

    async def _refresh(self) -> None:
        """Reads anew, now and then, which shards there are and what other workers left waiting."""
        now = self._holder.monotonic()
        if now - self._listed_at >= SHARDS_SECONDS:
            for reader in self.readers:
                await reader.list_shards()
            self._listed_at = now
        if now - self._loaded_at >= PARKED_SECONDS:
            unknown = [one for one in self.places if not (one.parked.is_known or one.is_busy)]
            for consumer in self._consumers:
                if any(place.consumer is consumer for place in unknown):
                    await self._load_parked(consumer)
            # And once in a while the streams are read although nobody seems to have written.
            self.change_number = None
            self._loaded_at = now

    async def _load_parked(self, consumer: Consumer) -> None:
        parked = await list_parked(self._store, consumer)
        for reader in self._readers_of(consumer):
            reader.set_parked(consumer, parked)

    def _readers_of(self, consumer: Consumer) -> list[StreamReader]:
        return [reader for reader in self.readers if reader.table in consumer.tables]

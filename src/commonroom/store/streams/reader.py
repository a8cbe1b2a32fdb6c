"""The reader of one table's stream: every record is read once, for all consumers at its place."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import count

from commonroom.store.declare.table import Table
from commonroom.store.engine import Shard
from commonroom.store.operations import delete
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.lease import Holder
from commonroom.store.streams.shard import BATCH, ShardConsumer, SharedBatch
from commonroom.store.streams.tables import ParkedChange, ShardState

Job = tuple[ShardConsumer, SharedBatch | None]
"""Who has something to do, and new records, if that is why."""

BATCHES_AT_ONCE = 4
"""How many batches are read in a round for those who want nothing of them."""
FULL_BATCHES = 8
"""How many full batches are kept for consumers that are behind, each at a place of its own."""


class StreamReader:
    """A table's stream with the consumers that follow it in this worker."""

    def __init__(
        self, store: Store, table: Table, consumers: Sequence[Consumer], holder: Holder
    ) -> None:
        self.table = table
        self.lost: set[str] = set()
        """The consumers from which a shard was taken away before they had seen its end."""
        self._store = store
        self._consumers = consumers
        self._holder = holder
        self._shards: list[Shard] = []
        self._needs_shards = True
        """Whether the list of shards is to be read: at the start, and when a shard has ended."""
        self._places: dict[tuple[str, str], ShardConsumer] = {}
        self._unsettled: dict[ShardConsumer, None] = {}
        """Those to look at: of many consumers in several shards, mostly a few."""
        self._full_batches: OrderedDict[tuple[str, str | None], SharedBatch] = OrderedDict()
        """What comes after a position, where nothing can be added to it any more."""

    @property
    def places(self) -> Iterable[ShardConsumer]:
        """Every consumer in every shard."""
        return self._places.values()

    def unsettled(self) -> list[ShardConsumer]:
        """Returns every consumer that has something to read, to try again or to wait for."""
        if self._unsettled:
            left = [place for place in self._unsettled if not place.is_settled]
            self._unsettled = dict.fromkeys(left)
        else:
            self._full_batches.clear()
        return list(self._unsettled)

    @property
    def open_shards(self) -> int:
        """How many shards a round of polling reads."""
        return len({place.shard for place in self._ready(self.places)})

    def note_news(self, shards: Collection[str] | None) -> None:
        """Learns in which shards there is something new; in any of them where it is not known."""
        for place in self.places:
            if shards is None or place.shard in shards:
                place.is_at_end = False
                self._unsettled[place] = None

    def unsettle(self, place: ShardConsumer) -> None:
        """Looks at a consumer that was at work: there may be more for it."""
        if self._places.get((place.consumer.name, place.shard)) is place:
            self._unsettled[place] = None

    async def list_shards(self) -> None:
        """Reads the list of shards; one that is no longer listed stays while changes wait in it."""
        self._shards = await self._store.engine.shards(self.table)
        self._needs_shards = False
        listed = {shard.id for shard in self._shards}
        gone = {key: place for key, place in self._places.items() if place.shard not in listed}
        for place in gone.values():
            if place.is_finished:
                await self._store.write(delete(place.state))
            elif not place.has_ended:
                self.lost.add(place.consumer.name)
        places = {key: place for key, place in gone.items() if len(place.parked)}
        for consumer in self._consumers:
            for shard in self._shards:
                key = (consumer.name, shard.id)
                places[key] = self._places.get(key) or self._place(consumer, shard.id)
        self._places = places
        self._unsettled = dict.fromkeys(places.values())

    def resume(self, consumer: Consumer, states: Iterable[ShardState]) -> list[ShardState]:
        """Continues from stored checkpoints; returns those of shards that are no longer listed."""
        unlisted = []
        for state in states:
            if state.stream != self.table.name:
                continue
            place = self._places.get((consumer.name, state.shard))
            if place is None:
                unlisted.append(state)
            else:
                place.resume(state)
        return unlisted

    def set_parked(self, consumer: Consumer, parked: Iterable[ParkedChange]) -> None:
        """Learns which changes wait for a consumer, in all shards of which it does not know it."""
        by_shard: defaultdict[str, list[ParkedChange]] = defaultdict(list)
        for one in parked:
            if one.stream == self.table.name:
                by_shard[one.shard].append(one)
        for shard in by_shard:
            if (consumer.name, shard) not in self._places:
                place = self._places[consumer.name, shard] = self._place(consumer, shard)
                place.has_ended = True
        for (name, shard), place in self._places.items():
            if name == consumer.name and not place.is_busy and not place.parked.is_known:
                place.parked.set(by_shard[shard])
                self._unsettled[place] = None

    async def poll(self, *, is_news_told: bool) -> list[Job]:
        """Reads what is new in every shard; returns who has something to do with it.

        Where the engine tells of news, nothing is read to learn that there is no more.
        """
        if self._needs_shards:
            await self.list_shards()
        groups: defaultdict[tuple[str, str | None], list[ShardConsumer]] = defaultdict(list)
        behind = [place for place in self.unsettled() if not place.is_at_end]
        for place in self._ready(behind):
            if place.can_read:
                groups[place.shard, place.position].append(place)
        jobs: list[Job] = []
        for (shard, position), group in groups.items():
            jobs += await self._read(shard, position, group, is_news_told=is_news_told)
        return jobs

    def due(self, now: float) -> list[Job]:
        """Returns who has changes to try again."""
        waiting = [place for place in self.unsettled() if not place.parked.is_empty]
        return [
            (place, None) for place in waiting if (at := place.next_retry) is not None and at <= now
        ]

    async def _read(
        self,
        shard: str,
        position: str | None,
        group: list[ShardConsumer],
        *,
        is_news_told: bool,
    ) -> list[Job]:
        """Reads on until nothing is left, or until all of a group have something to do.

        Where it is known who has not seen everything, it goes on with the next round: a backlog of
        which they want little holds up nobody meanwhile.
        """
        jobs: list[Job] = []
        for number in count():
            if not group or (is_news_told and number == BATCHES_AT_ONCE):
                break
            batch = await self._batch(shard, position)
            self._needs_shards = self._needs_shards or batch.ended
            accepting = [
                place for place in group if place.accepts(batch, is_news_told=is_news_told)
            ]
            jobs += [(place, batch) for place in accepting]
            group = [place for place in group if place not in accepting]
            for place in group:
                place.position = batch.position
            if not batch.records or (is_news_told and not batch.is_full):
                break
            position = batch.position
            await asyncio.sleep(0)  # a file answers at once: others have their turn
        return jobs

    async def _batch(self, shard: str, position: str | None) -> SharedBatch:
        """Returns what comes after a position; who is a little further behind may want it too."""
        place = (shard, position)
        known = self._full_batches.get(place)
        if known is not None:
            return known
        batch = SharedBatch.of(await self._store.engine.changes(self.table, shard, position, BATCH))
        if batch.is_full:
            self._full_batches[place] = batch
            if len(self._full_batches) > FULL_BATCHES:
                self._full_batches.popitem(last=False)
        return batch

    def _ready(self, places: Iterable[ShardConsumer]) -> list[ShardConsumer]:
        """Returns the places to work at: not finished, and with no parent shard that is not."""
        parents = {shard.id: shard.parent for shard in self._shards}

        def has_finished(consumer: str, shard: str | None) -> bool:
            return shard not in parents or self._places[consumer, shard].is_finished

        return [
            place
            for place in places
            if not place.is_finished and has_finished(place.consumer.name, parents.get(place.shard))
        ]

    def _place(self, consumer: Consumer, shard: str) -> ShardConsumer:
        return ShardConsumer(self._store, consumer, self.table, shard, self._holder)

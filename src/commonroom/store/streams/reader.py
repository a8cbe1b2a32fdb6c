"""The reader of one table's stream: every record is read once, for all consumers at its place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from commonroom.store.declare.table import Table
from commonroom.store.engine import Changes, Shard
from commonroom.store.operations import delete
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Consumer
from commonroom.store.streams.lease import Holder
from commonroom.store.streams.shard import BATCH, ShardConsumer
from commonroom.store.streams.tables import ParkedChange, ShardState

Job = tuple[ShardConsumer, Changes | None]
"""Who has something to do, and new records, if that is why."""


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

    @property
    def places(self) -> Iterable[ShardConsumer]:
        """Every consumer in every shard."""
        return self._places.values()

    @property
    def open_shards(self) -> int:
        """How many shards a round of polling reads."""
        return len({place.shard for place in self._ready_places()})

    @property
    def is_idle(self) -> bool:
        """Whether all that is ready has seen all that there was."""
        return not any(place.can_read for place in self._ready_places() if not place.is_at_end)

    def note_news(self, shards: Collection[str] | None) -> None:
        """Learns in which shards there is something new; in any of them where it is not known."""
        for place in self.places:
            if shards is None or place.shard in shards:
                place.is_at_end = False

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

    async def poll(self) -> list[Job]:
        """Reads what is new in every shard; returns who has something to do with it."""
        if self._needs_shards:
            await self.list_shards()
        groups: defaultdict[tuple[str, str | None], list[ShardConsumer]] = defaultdict(list)
        for place in self._ready_places():
            if not place.is_at_end and place.can_read:
                groups[place.shard, place.position].append(place)
        jobs: list[Job] = []
        for (shard, position), group in groups.items():
            jobs += await self._read(shard, position, group)
        return jobs

    def due(self, now: float) -> list[Job]:
        """Returns who has changes to try again."""
        waiting = [place for place in self.places if len(place.parked)]
        return [
            (place, None) for place in waiting if (at := place.next_retry) is not None and at <= now
        ]

    async def _read(
        self, shard: str, position: str | None, group: list[ShardConsumer]
    ) -> list[Job]:
        """Reads on until nothing is left, or until all of a group have something to do."""
        jobs: list[Job] = []
        while group:
            batch = await self._store.engine.changes(self.table, shard, position, BATCH)
            self._needs_shards = self._needs_shards or batch.ended
            accepting = [place for place in group if place.accepts(batch)]
            jobs += [(place, batch) for place in accepting]
            group = [place for place in group if place not in accepting]
            for place in group:
                place.position = batch.position
            if not batch.records:
                break
            position = batch.position
        return jobs

    def _ready_places(self) -> list[ShardConsumer]:
        """Returns the places to work at: not finished, and with no parent shard that is not."""
        parents = {shard.id: shard.parent for shard in self._shards}

        def has_finished(consumer: str, shard: str | None) -> bool:
            return shard not in parents or self._places[consumer, shard].is_finished

        return [
            place
            for (consumer, shard), place in self._places.items()
            if not place.is_finished and has_finished(consumer, parents.get(shard))
        ]

    def _place(self, consumer: Consumer, shard: str) -> ShardConsumer:
        return ShardConsumer(self._store, consumer, self.table, shard, self._holder)

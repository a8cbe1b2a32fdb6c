"""Trimming: a stream need not hold what everybody has seen, whichever process they run in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from commonroom.store.conditions import new
from commonroom.store.declare.table import Table
from commonroom.store.errors import ConditionFailed
from commonroom.store.operations import put
from commonroom.store.store import Store
from commonroom.store.streams.progress import stored_progress
from commonroom.store.streams.tables import ConsumerState, ShardState


async def trim_streams(store: Store, tables: Sequence[Table], now: float) -> None:
    """Lets go of records that all consumers have seen that were ever at work on this data.

    One that has not been seen for as long as records are kept does not hold them any longer. When
    it comes back, it notices that it has missed some.
    """
    states = [one async for one in stored_progress(store, ConsumerState, ShardState)]
    known = {one.consumer: one for one in states if isinstance(one, ConsumerState)}
    places = [one for one in states if isinstance(one, ShardState)]
    await _note_unknown(store, {one.consumer for one in places} - known.keys(), now)
    oldest = now - store.engine.retention_seconds
    gone = {one.consumer for one in known.values() if (one.followed_at or now) < oldest}
    positions = {(one.stream, one.shard, one.consumer): one.position for one in places}
    for table in tables:
        followers = {one.consumer for one in known.values() if table.name in one.streams}
        # Of one that an earlier version ran, only its places are known.
        declared = {one.consumer for one in known.values() if one.streams}
        followers |= {one.consumer for one in places if one.stream == table.name} - declared
        await _trim(store, table, positions, followers - gone)


async def _trim(
    store: Store,
    table: Table,
    positions: dict[tuple[str, str, str], str | None],
    followers: Iterable[str],
) -> None:
    by_shard: defaultdict[str, list[str | None]] = defaultdict(list)
    for shard in await store.engine.shards(table):
        by_shard[shard.id] = [positions.get((table.name, shard.id, name)) for name in followers]
    for shard_id, reached in by_shard.items():
        seen = [position for position in reached if position is not None]
        if seen and len(seen) == len(reached):
            await store.engine.trim(table, shard_id, seen)


async def _note_unknown(store: Store, names: Iterable[str], now: float) -> None:
    """From now on it is known how long these, of an earlier version, have been away."""
    for name in names:
        try:
            await store.write(put(ConsumerState(consumer=name, followed_at=now), if_=new))
        except ConditionFailed:
            continue  # it has come back

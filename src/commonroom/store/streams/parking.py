"""Changes that failed: kept durably, tried again with growing pauses, then set aside."""

from __future__ import annotations

import zlib

import msgspec

from commonroom.store.engine import ChangeRecord
from commonroom.store.streams.tables import Parked
from commonroom.store.values import Key

LARGEST_IMAGES = 300 * 1024
"""An item holds 400 KB; two images of such an item may not fit into one, even compressed."""

MOST = 1000
"""How many changes of a shard may wait before its consumer stops taking more."""

LONGEST_ERROR = 1000

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


def park(consumer: str, shard: str, record: ChangeRecord) -> Parked:
    """A record as it is kept until its consumer can handle it."""
    images = zlib.compress(_encode([record.old, record.new]), 1)
    return Parked(
        consumer=consumer,
        stream=record.table,
        shard=shard,
        position=record.position,
        change=record.kind,
        changed_at=record.at,
        by_ttl=record.by_ttl,
        key=_encode(record.key),
        images=images if len(images) <= LARGEST_IMAGES else None,
    )


def unpark(parked: Parked) -> ChangeRecord:
    """The record again; without images where they were too large to keep."""
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


def item_key(parked: Parked) -> Key:
    """The primary key of the item that changed."""
    return tuple(_decode(parked.key))


def sentence(error: BaseException) -> str:
    """An error as it is kept and shown."""
    return f"{type(error).__name__}: {error}"[:LONGEST_ERROR]

"""Deleting all that an access pattern finds, however much that is."""

from __future__ import annotations

from commonroom.store.declare.entity import Entity
from commonroom.store.declare.patterns import BoundPattern
from commonroom.store.limits import OPERATIONS
from commonroom.store.operations import Write, delete
from commonroom.store.store import Store


async def clear(store: Store, asked: BoundPattern[Entity]) -> None:
    """Deletes in bounded writes; where it is interrupted, the next time finds what is left."""
    writes: list[Write] = []
    async for one in store.all(asked, limit=OPERATIONS):
        writes.append(delete(one))
        if len(writes) == OPERATIONS:
            await store.write(*writes)
            writes.clear()
    if writes:
        await store.write(*writes)

"""A stream consumer that deletes what belonged to a parent that is gone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from commonroom.store.conditions import new
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.relations import Children, Relation
from commonroom.store.errors import ConditionFailed
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.operations import Write, check, delete
from commonroom.store.related_writes import mirrors_of
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Change, Consumer
from commonroom.store.values import Key

Place: TypeAlias = tuple[str, Key]
MAX_TOGETHER = 5
"""How many items a child and its mirrors can be."""


def children_consumer(name: str, relations: Sequence[Relation]) -> Consumer:
    """Returns the consumer that deletes children after their parents, by what relations declare."""
    known = [one for one in relations if isinstance(one, Children) and one.found is not None]

    async def handle(store: Store, change: Change) -> None:
        """Deletes what belonged to a thing that is gone."""
        if change.kind == "remove":
            ours = [one for one in known if one.on is change.entity]
            await delete_children(store, change.old, ours)

    parents = tuple(dict.fromkeys(one.on for one in known))
    return Consumer(name, parents, handle)


async def delete_children(store: Store, gone: Entity, relations: Sequence[Children]) -> None:
    """Deletes all that belonged to a thing, in bounded writes, as long as it stays gone.

    What is interrupted goes on with what is left. Where the thing is there again, so may its
    children be, and they stay.
    """
    if await store.get(gone.ref) is not None:
        return
    still_gone = check(gone.ref, if_=new)
    for relation in relations:
        if relation.found is None:
            continue
        writes: dict[Place, Write] = {}
        async for child in store.all(relation.found(gone), limit=REQUEST_OPERATIONS):
            if type(child) not in relation.of:
                continue
            if len(writes) + MAX_TOGETHER >= REQUEST_OPERATIONS:
                if not await _write(store, still_gone, writes.values()):
                    return
                writes = {}
            # A mirror may be a child, too.
            writes |= {_place(one): delete(one) for one in (child, *mirrors_of(child))}
        if writes and not await _write(store, still_gone, writes.values()):
            return


async def _write(store: Store, still_gone: Write, writes: Iterable[Write]) -> bool:
    """Deletes some, and returns whether what they belonged to was still gone."""
    try:
        await store.write(still_gone, *writes)
    except ConditionFailed:
        return False
    return True


def _place(thing: Entity) -> Place:
    return thing.schema.table.name, thing.ref.key

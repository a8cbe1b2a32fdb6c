"""Checks of things together with what they refer to, which is read in batches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct

from commonroom.store.batched_reads import BatchedReads
from commonroom.store.checking.checks import Problem, StoredEntity, decode_stored
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.table import Table
from commonroom.store.errors import BadKey
from commonroom.store.limits import BATCH
from commonroom.store.operations import Write
from commonroom.store.store import Store
from commonroom.store.values import Key

ItemAddress: TypeAlias = tuple[str, Key]


class RelatedProblem(Struct, frozen=True):
    """Something that is wrong with a thing, and the writes that would repair it."""

    check: str
    detail: str
    repair: Sequence[Write] = ()


class Unreadable:
    """An item that cannot be read; the walk over all items reports it."""


Found: TypeAlias = Entity | Unreadable | None


class RelatedItems:
    """What there is of the things that others refer to, read together and once."""

    def __init__(self, store: Store, reads: BatchedReads) -> None:
        self.store = store
        self._reads = reads
        self._there: dict[ItemAddress, Found] = {}

    async def at(self, ref: Ref[Any]) -> Found:
        """Returns what is there, of whatever kind; None where there is nothing."""
        return (await self.each([ref]))[0]

    async def each(self, refs: Sequence[Ref[Any]]) -> list[Found]:
        """Returns what is at several places, in their order."""
        unknown = [one for one in refs if _address(one) not in self._there]
        if unknown:
            found = await self._reads.batch_get(unknown)
            self._there |= zip(map(_address, unknown), found, strict=True)
        return [self._there[_address(one)] for one in refs]

    async def missing(self, refs: Iterable[Ref[Any]]) -> list[Ref[Any]]:
        """Returns the places where there is nothing."""
        asked = list(refs)
        return [one for one, it in zip(asked, await self.each(asked), strict=True) if it is None]


Rule: TypeAlias = Callable[[Any, RelatedItems], AsyncIterator[RelatedProblem]]
"""Yields what is wrong with a thing of one kind, by what it asks for of others."""


class RelatedCheck:
    """Looks at each thing by the rule of its kind."""

    def __init__(self, rules: Mapping[type[Entity], Rule]) -> None:
        self._rules = rules

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields what is wrong with these things."""
        reads = BatchedReads(partial(_read, store))
        found = RelatedItems(store, reads)
        known = [it for it in things if type(it.entity) in self._rules]
        for problems in await reads.gather(*(self._find(thing, found) for thing in known)):
            for problem in problems:
                yield problem

    async def _find(self, thing: StoredEntity, found: RelatedItems) -> list[Problem]:
        rule, table = self._rules[type(thing.entity)], thing.entity.schema.table.name
        try:
            return [
                Problem(one.check, table, thing.key, one.detail, tuple(one.repair))
                async for one in rule(thing.entity, found)
            ]
        except BadKey:
            return []  # it refers to an id that is none


async def _read(store: Store, refs: Sequence[Ref[Any]]) -> list[Found]:
    read: list[Found] = []
    for start in range(0, len(refs), BATCH):
        wanted = [(one.entity.schema.table, one.key) for one in refs[start : start + BATCH]]
        items = await store.engine.batch_get(wanted)
        read += [_decode(table, item) for (table, _), item in zip(wanted, items, strict=True)]
    return read


def _decode(table: Table, item: Any) -> Found:
    if item is None:
        return None
    thing = decode_stored(table, item)
    return thing.entity if isinstance(thing, StoredEntity) else Unreadable()


def _address(ref: Ref[Any]) -> ItemAddress:
    return ref.entity.schema.table.name, ref.key

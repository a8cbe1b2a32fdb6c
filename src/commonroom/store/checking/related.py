"""Checks of things together with what they refer to, which is read in batches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from commonroom.store.checking.checks import Problem, StoredEntity, decode_stored
from commonroom.store.checking.each import find_each
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.table import Table
from commonroom.store.errors import StoreError
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


class RelatedItems:
    """What was found of the things that others refer to, and where one can look further."""

    def __init__(self, store: Store, there: Mapping[ItemAddress, Entity | Unreadable]) -> None:
        self.store = store
        self._there = there

    def at(self, ref: Ref[Any]) -> Entity | Unreadable | None:
        """Returns what is there, of whatever kind; None where there is nothing."""
        return self._there.get(_address(ref))


CheckEntity: TypeAlias = Callable[[Any, RelatedItems], AsyncIterator[RelatedProblem]]


class Rule(Struct, frozen=True):
    """What a thing of one kind refers to, and what must be so."""

    refers: Callable[[Any], Iterable[Ref[Any]]]
    check: CheckEntity


class RelatedCheck:
    """Looks at each thing by the rule of its kind."""

    def __init__(self, rules: Mapping[type[Entity], Rule]) -> None:
        self._rules = rules

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields what is wrong with these things."""
        known = [(thing, refs) for thing in things if (refs := self._refs(thing)) is not None]
        found = await read_related(store, [ref for _, refs in known for ref in refs])

        async def check_one(_: Store, thing: StoredEntity) -> list[Problem]:
            problems = self._rules[type(thing.entity)].check(thing.entity, found)
            return [_problem(thing, one) async for one in problems]

        async for problem in find_each(store, check_one, [thing for thing, _ in known]):
            yield problem

    def _refs(self, thing: StoredEntity) -> list[Ref[Any]] | None:
        """What a thing refers to; None where there is no rule for it, or an id that is none."""
        rule = self._rules.get(type(thing.entity))
        if rule is None:
            return None
        try:
            return list(rule.refers(thing.entity))
        except StoreError:
            return None


def _problem(thing: StoredEntity, related: RelatedProblem) -> Problem:
    table = thing.entity.schema.table.name
    return Problem(related.check, table, thing.key, related.detail, tuple(related.repair))


async def read_related(store: Store, refs: Iterable[Ref[Any]]) -> RelatedItems:
    """Returns what is at some places now; each is read once."""
    places = {_address(ref): ref.entity.schema.table for ref in refs}
    wanted = [(table, key) for (_, key), table in places.items()]
    there: dict[ItemAddress, Entity | Unreadable] = {}
    for start in range(0, len(wanted), BATCH):
        some = wanted[start : start + BATCH]
        items = await store.engine.batch_get(some)
        for (table, key), item in zip(some, items, strict=True):
            if item is not None:
                there[table.name, key] = _read(table, item)
    return RelatedItems(store, there)


def _read(table: Table, item: Any) -> Entity | Unreadable:
    thing = decode_stored(table, item)
    return thing.entity if isinstance(thing, StoredEntity) else Unreadable()


def _address(ref: Ref[Any]) -> ItemAddress:
    return ref.entity.schema.table.name, ref.key

"""Checks of relations: whether counts are right, parents are there, and mirrors are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.structs import replace

from commonroom.store.checking.checks import Problem
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule
from commonroom.store.checking.snapshots import SnapshotCheck
from commonroom.store.conditions import Condition, new, stored
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.relations import Children, Count, Mirror, Relation
from commonroom.store.operations import as_read, check, delete, put, update_with_copies
from commonroom.store.related_writes import removal
from commonroom.store.store import Store

Numbers: TypeAlias = Mapping[str, int]
"""What counts come to, by field of the parent."""


class Recount:
    """Counts children as they are read, one after the other."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._counts = [one for one in relations if isinstance(one, Count)]
        self._numbers: Counter[tuple[Any, ...]] = Counter()

    def add(self, child: Entity) -> None:
        """Counts a child in, wherever it counts."""
        for count in self._counts:
            if type(child) in count.of and (parent := count.parent(child)) is not None:
                self._numbers[count.on, parent.key, count.field] += count.number(child)

    def of(self, parent: Entity) -> dict[str, int]:
        """Returns what the counts of a parent come to."""
        kind, key = type(parent), parent.ref.key
        fields = [count.field for count in self._counts if count.on is kind]
        return {field: self._numbers[kind, key, field] for field in fields}


def find_miscounted(
    parent: Entity, numbers: Numbers, relations: Iterable[Relation] = ()
) -> Iterator[Problem]:
    """Yields what a parent counts wrong, and what has come to more than its relations allow.

    What changes a count also changes what is counted, in one write; so if the counts are still as
    they were read, so is the difference.
    """
    wrong = {name: it for name, it in numbers.items() if getattr(parent, name) != it}
    if wrong:
        differences = ", ".join(
            f"{name} is {getattr(parent, name)}, not {it}" for name, it in wrong.items()
        )
        changes: dict[str, Any] = dict(wrong)
        repair = update_with_copies(parent, if_=as_read(parent, *numbers), **changes)
        yield Problem.of("counts", parent, f"Its {differences}.", *repair)
    for one in relations:
        if isinstance(one, Count) and one.on is type(parent) and one.overbooked is not None:
            number, limit = numbers[one.field], one.limit(parent)
            if limit is not None and number > limit:
                detail = one.overbooked.format(number=number, limit=limit)
                yield Problem.of("overbooked", parent, detail)


def recounted(parent: Any, numbers: Numbers) -> Any:
    """Returns a parent as it is once its counts are right."""
    return replace(parent, **numbers)


def count_check(relations: Sequence[Relation]) -> SnapshotCheck[dict[str, int]]:
    """Returns the check of all counts that say how their children are found.

    What several counts of a parent ask alike is read once.
    """
    known = [one for one in relations if isinstance(one, Count) and one.found is not None]

    async def take_snapshot(store: Store, parent: Entity) -> dict[str, int]:
        ours = [one for one in known if one.on is type(parent)]
        recount = Recount(ours)
        for asked in dict.fromkeys(one.found(parent) for one in ours if one.found is not None):
            async for child in store.all(asked):
                recount.add(child)
        return recount.of(parent)

    def find_problems(parent: Entity, numbers: dict[str, int]) -> Iterator[Problem]:
        yield from find_miscounted(parent, numbers, known)

    return SnapshotCheck(tuple({one.on: None for one in known}), take_snapshot, find_problems)


def rules_of(
    relations: Iterable[Relation], beside: Mapping[type[Entity], Rule] | None = None
) -> dict[type[Entity], Rule]:
    """Returns the rules that relations come to, joined with those by hand.

    A thing whose parent is gone, or does not know of it, goes, and nothing else is asked of it.
    """
    declared = list(relations)
    rules: dict[type[Entity], Rule] = {}
    kinds = dict.fromkeys(kind for one in declared for kind in _examined(one))
    for kind in dict.fromkeys([*kinds, *(beside or {})]):
        ours = [one for one in declared if kind in _examined(one)]
        by_hand = (beside or {}).get(kind)
        rules[kind] = _rule(ours, by_hand) if ours or by_hand is None else by_hand
    return rules


def _examined(relation: Relation) -> tuple[type[Entity], ...]:
    match relation:
        case Children():
            return relation.of
        case Mirror():
            return (*relation.of, relation.by)
    return ()


def _rule(relations: Sequence[Relation], by_hand: Rule | None) -> Rule:
    async def find(thing: Any, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
        if (lost := await _find_lost(relations, thing, found)) is not None:
            yield lost
            return
        for one in relations:
            if isinstance(one, Mirror):
                async for problem in _find_unmirrored(one, thing, found):
                    yield problem
        if by_hand is not None:
            async for problem in by_hand(thing, found):
                yield problem

    return find


async def _find_lost(
    relations: Sequence[Relation], child: Entity, found: RelatedItems
) -> RelatedProblem | None:
    belongs = [one for one in relations if isinstance(one, Children)]
    parents = [(one, it) for one in belongs if (it := one.parent(child)) is not None]
    gone = await found.missing(it for _, it in parents)
    for one, parent in parents:
        if parent in gone:
            # What else counts it is there, or gone with it; what was not looked at is left alone.
            counting = [(it.entity, it.key) for _, it in parents if it not in gone]
            repair = [
                write
                for write in removal(child, if_=_unchanged(child))
                if not write.joins or (write.entity_type, write.operation.key) in counting
            ]
            detail = one.lost.format_map(_Fields(child))
            return RelatedProblem(one.check, detail, [check(parent, if_=new), *repair])
    for one, it in parents:
        there = None if one.known is None else await found.at(it)
        if one.known is not None and isinstance(there, one.on) and not one.known(child, there):
            return _find_unknown(one, child, there)
    return None


def _find_unknown(relation: Children, child: Entity, parent: Entity) -> RelatedProblem:
    detail = relation.unknown.format_map(_Fields(child))
    same = check(parent, if_=as_read(parent, *relation.known_by))
    gone = delete(child, if_=_unchanged(child))
    return RelatedProblem(relation.unknown_check, detail, [same, gone])


async def _find_unmirrored(
    mirror: Mirror, thing: Any, found: RelatedItems
) -> AsyncIterator[RelatedProblem]:
    if type(thing) in mirror.of:
        made = mirror.made(thing)
        if made is not None and await found.at(made.ref) != made:
            detail = mirror.missing.format_map(_Fields(thing))
            same = as_read(thing, *mirror.held) if mirror.held else stored
            yield RelatedProblem(mirror.missing_check, detail, [check(thing, if_=same), put(made)])
    elif (ref := mirror.original(thing)) is not None:
        original = await found.at(ref)
        if original is None:
            held = check(ref, if_=new)
        elif isinstance(original, mirror.of) and not _is_mirrored_by(mirror, original, thing):
            held = check(original, if_=as_read(original, *mirror.held))
        else:
            return
        detail = mirror.stray.format_map(_Fields(thing))
        gone = delete(thing, if_=_unchanged(thing))
        yield RelatedProblem(mirror.stray_check, detail, [held, gone])


def _is_mirrored_by(mirror: Mirror, original: Entity, thing: Entity) -> bool:
    made = mirror.made(original)
    return made is not None and made.ref == thing.ref


def _unchanged(thing: Entity) -> Condition:
    """Returns the condition that a thing is as it was read, by its version if it has one."""
    schema = thing.schema
    own = [name for name in schema.attributes if name not in schema.primary_fields]
    return as_read(thing, *(["version"] if schema.versioned else own))


class _Fields(dict[str, Any]):
    """A thing's fields, as a sentence names them."""

    def __init__(self, thing: Entity) -> None:
        super().__init__({name: getattr(thing, name) for name in thing.__struct_fields__})

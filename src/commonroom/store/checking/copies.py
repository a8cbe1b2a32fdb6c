"""The copy check: every copy is what its original says, and every carrier's original is there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from commonroom.store.checking.checks import Problem, StoredEntity, decode_stored
from commonroom.store.conditions import equal
from commonroom.store.declare.copies import Copy
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.errors import StoreError
from commonroom.store.limits import BATCH
from commonroom.store.operations import Write, check, update
from commonroom.store.store import Store
from commonroom.store.values import Item, Key


class CopyCheck:
    """Compares copies with their originals, which are read in batches.

    Orphans of the entities that are left to others are theirs to report, who know the repair.
    """

    def __init__(self, copies: Sequence[Copy], orphans_left: Collection[type[Entity]] = ()) -> None:
        self._copies = copies
        self._orphans_left = frozenset(orphans_left)

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields what is wrong with the copies on these things."""
        for copy in self._copies:
            left = not self._orphans_left.isdisjoint(copy.on)
            pairs = [_pair(copy, thing, left) for thing in things if type(thing.entity) in copy.on]
            for problem in await _confirm(store, await _find_wrong(store, pairs)):
                yield problem


@dataclass(frozen=True, slots=True)
class _Pair:
    """A carrier and where its original is; None where it has none or where it cannot be."""

    copy: Copy
    carrier: StoredEntity
    original: Ref[Any] | None
    orphan_left: bool
    """Whether another check reports an orphan."""
    impossible: str = ""


def _pair(copy: Copy, carrier: StoredEntity, orphan_left: bool) -> _Pair:
    try:
        return _Pair(copy, carrier, copy.original(carrier.entity), orphan_left)
    except StoreError as error:
        return _Pair(copy, carrier, None, orphan_left, error.detail)


async def _find_wrong(store: Store, pairs: Sequence[_Pair]) -> list[_Pair]:
    """Returns those that look wrong, with the originals read after their carriers."""
    refs = {pair.original.key: pair.original for pair in pairs if pair.original is not None}
    originals = await _read(store, [(ref.entity, ref.key) for ref in refs.values()])
    found = dict(zip(refs, originals, strict=True))
    return [pair for pair in pairs if _compare(pair, found.get(_key(pair))) is not None]


async def _confirm(store: Store, pairs: Sequence[_Pair]) -> list[Problem]:
    """A second look at carrier and original together: between two reads both may have changed."""
    problems: list[Problem] = []
    for start in range(0, len(pairs), BATCH // 2):
        problems += await _confirm_together(store, pairs[start : start + BATCH // 2])
    return problems


async def _confirm_together(store: Store, pairs: Sequence[_Pair]) -> list[Problem]:
    places = [_places(pair) for pair in pairs]
    found = iter(await _read(store, [place for both in places for place in both]))
    problems = []
    for pair, both in zip(pairs, places, strict=True):
        carrier, *original = [next(found) for _ in both]
        again = decode_stored(pair.carrier.entity.schema.table, carrier) if carrier else None
        if not isinstance(again, StoredEntity):
            continue
        second = _pair(pair.copy, again, pair.orphan_left)
        if second.original != pair.original:
            continue
        problem = _compare(second, original[0] if original else None)
        problems += [problem] if problem is not None else []
    return problems


def _places(pair: _Pair) -> list[tuple[type[Entity], Key]]:
    carrier = (type(pair.carrier.entity), pair.carrier.key)
    original = pair.original
    return [carrier] if original is None else [carrier, (original.entity, original.key)]


async def _read(store: Store, places: Sequence[tuple[type[Entity], Key]]) -> list[Item | None]:
    found: list[Item | None] = []
    for start in range(0, len(places), BATCH):
        some = places[start : start + BATCH]
        wanted = [(entity.schema.table, key) for entity, key in some]
        found += await store.engine.batch_get(wanted)
    return found


def _key(pair: _Pair) -> Key:
    return () if pair.original is None else pair.original.key


def _compare(pair: _Pair, item: Item | None) -> Problem | None:
    """Returns what is wrong with one carrier, given its original's item."""
    if pair.impossible:
        return _problem(pair, "orphans", f"Its original cannot be anywhere: {pair.impossible}")
    if pair.original is None:
        return _without_original(pair)
    original = _decode(pair.original, item)
    if original is None:
        name = pair.copy.of.__name__
        gone = _problem(pair, "orphans", f"Its {name} {pair.original.key!r} is not there.")
        return None if pair.orphan_left else gone
    if isinstance(original, StoreError):
        return None  # the original itself is reported, when its turn comes
    wrong = _differences(pair, pair.copy.values(original))
    if not wrong:
        return None
    return _problem(pair, "copies", _sentence(pair, wrong), _repair(pair, original, wrong))


def _without_original(pair: _Pair) -> Problem | None:
    """Returns a problem where nothing is referred to and something is copied."""
    wrong = _differences(pair, pair.copy.values(None))
    if not wrong:
        return None
    fields = _fields(type(pair.carrier.entity))
    wrong = {
        name: None for name in wrong if getattr(pair.carrier.entity, name) != fields[name].default
    }
    if not wrong:
        return None
    optional = not any(fields[name].required for name in wrong)
    repair = _update_copy(pair, wrong) if optional else ()
    return _problem(pair, "copies", _sentence(pair, wrong), repair)


@cache
def _fields(entity: type[Entity]) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.name: field for field in msgspec.structs.fields(entity)}


def _decode(ref: Ref[Any], item: Item | None) -> Entity | StoreError | None:
    if item is None or not ref.entity.schema.matches(item):
        return None
    try:
        original: Entity = ref.entity.from_item(item)
    except StoreError as error:
        return error
    return original


def _differences(pair: _Pair, values: dict[str, Any]) -> dict[str, Any]:
    carrier = pair.carrier.entity
    return {name: value for name, value in values.items() if getattr(carrier, name) != value}


def _problem(pair: _Pair, name: str, detail: str, repair: Iterable[Write] = ()) -> Problem:
    table = pair.carrier.entity.schema.table.name
    return Problem(name, table, pair.carrier.key, detail, tuple(repair))


def _sentence(pair: _Pair, wrong: dict[str, Any]) -> str:
    carrier, name = pair.carrier.entity, pair.copy.of.__name__
    parts = [
        f"{field} is {getattr(carrier, field)!r:.60} and {name} says {value!r:.60}"
        for field, value in wrong.items()
    ]
    return f"{'; '.join(parts)}."


def _repair(pair: _Pair, original: Entity, wrong: dict[str, Any]) -> tuple[Write, ...]:
    """The copy set anew, if neither the original nor what refers to it has changed since."""
    held = equal(**{name: getattr(original, name) for name in pair.copy.fields})
    writes = _update_copy(pair, wrong)
    return (check(original, if_=held), *writes) if writes else ()


def _update_copy(pair: _Pair, wrong: dict[str, Any]) -> tuple[Write, ...]:
    carrier = pair.carrier.entity
    references = {name: getattr(carrier, name) for name in pair.copy.refers.values()}
    try:
        return (update(carrier, if_=equal(**references), **wrong),)
    except StoreError:
        return ()  # a copy that is part of the primary key: only a person can move the thing

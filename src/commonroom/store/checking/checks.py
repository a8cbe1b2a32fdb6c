"""The check protocol, by which rooms add their own: what it examines and what it finds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from msgspec import Struct

from commonroom.store.declare.completion import kind_of
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.errors import DamagedItem, StoreError
from commonroom.store.operations import Write
from commonroom.store.store import Store
from commonroom.store.values import Item, Key


class StoredEntity(Struct, frozen=True):
    """A stored item, its key, and the entity that it decodes to."""

    key: Key
    item: Item
    entity: Entity


class Problem(Struct, frozen=True):
    """Something that is not as it should be, and the write that would repair it."""

    check: str
    table: str
    key: Key
    detail: str
    """One sentence: what is wrong."""
    repair: tuple[Write, ...] = ()
    """One transaction that holds what it was worked out from; empty where a person must decide."""

    @classmethod
    def of(cls, name: str, thing: Entity, detail: str, *repair: Write) -> Problem:
        """Returns what a check found wrong with a thing."""
        return cls(name, thing.schema.table.name, thing.ref.key, detail, repair)


class Check(Protocol):
    """Looks at everything that is stored, some at a time."""

    def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Yields what is wrong with these things, which are of one table and up to a hundred."""


def decode_stored(table: Table, item: Item) -> StoredEntity | Problem:
    """Returns the entity that an item decodes to, or the problem that it decodes to none."""
    key = table.key_of(item)
    entities = _candidates(table, item)
    if not entities:
        kind = item.get(table.discriminator or "")
        return Problem("decoding", table.name, key, f"Nothing of the kind {kind!r} is declared.")
    decoded: list[StoredEntity] = []
    why = ""
    for entity in entities:
        try:
            decoded.append(StoredEntity(key, item, entity.from_item(item)))
        except DamagedItem as error:
            why = f"It is no {entity.__name__}: {error.reason}."
    fitting = [thing for thing in decoded if _is_at(thing.entity, key)]
    for thing in (*fitting, *decoded):
        return thing
    return Problem("decoding", table.name, key, why)


def find_damage(table: Table, item: Item) -> Problem | None:
    """Returns the problem that an item of a declared kind does not decode.

    What nobody has declared, such as of a newer version, is not damaged.
    """
    if not _candidates(table, item):
        return None
    stored = decode_stored(table, item)
    return stored if isinstance(stored, Problem) else None


def damaged_item_problem(damaged: DamagedItem) -> Problem:
    """Returns the problem that an item cannot be decoded at all."""
    detail = f"It cannot be decoded: {damaged.reason}."
    return Problem("decoding", damaged.table, damaged.key, detail)


def _candidates(table: Table, item: Item) -> list[type[Entity]]:
    """Returns the one entity of the item's kind, or all of a table that tells no kinds apart."""
    if table.discriminator is None:
        return list(table.entities.values())
    kind = kind_of(table, item)
    return [table.entities[kind]] if isinstance(kind, str) and kind in table.entities else []


def _is_at(entity: Entity, key: Key) -> bool:
    try:
        return entity.ref.key == key
    except StoreError:
        return False

"""From a stored item to the thing it stands for, or to the problem that it stands for none."""

from __future__ import annotations

from commonroom.store.checking.problems import Problem, Thing
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.errors import StoreError
from commonroom.store.values import Item, Key


def key_of(table: Table, item: Item) -> Key:
    """The primary key under which an item is stored."""
    return tuple(item[attribute.name] for attribute in table.key)


def thing_of(table: Table, item: Item) -> Thing | Problem:
    """The thing that an item stands for."""
    key = key_of(table, item)
    entities = _candidates(table, item)
    if not entities:
        kind = item.get(table.discriminator or "")
        return Problem("decoding", table.name, key, f"Nothing of the kind {kind!r} is declared.")
    decoded: list[Thing] = []
    why = ""
    for entity in entities:
        try:
            decoded.append(Thing(key, item, entity.from_item(item)))
        except StoreError as error:
            why = error.detail
    fitting = [thing for thing in decoded if _is_at(thing.entity, key)]
    for thing in (*fitting, *decoded):
        return thing
    return Problem("decoding", table.name, key, why)


def _candidates(table: Table, item: Item) -> list[type[Entity]]:
    """The one entity of the item's kind, or all of a table that tells no kinds apart."""
    if table.discriminator is None:
        return list(table.entities.values())
    kind = item.get(table.discriminator)
    return [table.entities[kind]] if isinstance(kind, str) and kind in table.entities else []


def _is_at(entity: Entity, key: Key) -> bool:
    try:
        return entity.ref.key == key
    except StoreError:
        return False

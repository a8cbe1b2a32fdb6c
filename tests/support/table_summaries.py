"""Declarations in short, to be held against what the data models say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from commonroom.store import Entity, Table
from commonroom.store.declare.table import KeyAttribute


def facts(table: Table) -> dict[str, Any]:
    """Key, indexes, TTL and stream of a table: `{"key": "PK S, SK S", …}`."""
    return {
        "key": _key(table.key),
        "indexes": {one.name: f"{_key(one.key)}; {one.projection}" for one in table.indexes},
        "ttl": table.ttl,
        "stream": table.stream,
    }


def _key(attributes: Iterable[KeyAttribute]) -> str:
    return ", ".join(f"{one.name} {one.type}" for one in attributes)


def key_attributes(thing: Entity) -> dict[str, Any]:
    """What an item has of the attributes that its table's keys are made of."""
    item = thing.to_item()
    return {name: item[name] for name in thing.schema.table.key_attributes if name in item}


def stored_attributes(entity: type[Entity]) -> set[str]:
    """Every attribute that an entity may have in storage."""
    declared = entity.schema
    kind = {declared.table.discriminator} if declared.table.discriminator is not None else set()
    return {*declared.attributes.values(), *declared.templates, *kind}


def pattern_facts(table: Table) -> set[tuple[str, str | None]]:
    """The names of a table's access patterns, each with its index."""
    return {(one.name, one.index.name if one.index is not None else None) for one in table.patterns}

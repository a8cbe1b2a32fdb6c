"""Fingerprints: what of a table's declaration decides how its items are stored and found."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from commonroom.store.declare.entity import EntitySchema
from commonroom.store.declare.key_templates import KeyTemplate
from commonroom.store.declare.table import Index, KeyAttribute, Table

Templates = dict[str, str]
"""Key attributes that are derived, each with what it is derived by."""

_PART = re.compile(r"<(\w+)(:[^>]+)?>")


class Fingerprint(Struct, frozen=True):
    """A table's structure, and how the keys of each of its entities come about.

    It speaks of what is stored and not of how the code calls it: a field or a module can be renamed
    without another fingerprint.
    """

    key: list[str]
    """The primary key's attributes with their types: `PK S`."""
    indexes: dict[str, list[str]]
    """By name: the attributes of the key with their types, and the projection."""
    entities: dict[str, Templates]
    """By kind, or by name where the table tells no kinds apart."""
    outside: list[str]
    """Key attributes that are no field of any entity."""
    discriminator: str | None = None
    ttl: str | None = None
    stream: bool = False

    @property
    def types(self) -> dict[str, str]:
        """The type of every attribute that takes part in a key."""
        described = [*self.key, *(one for index in self.indexes.values() for one in index[:-1])]
        return {one[:-2]: one[-1] for one in described}

    @property
    def columns(self) -> set[str]:
        """The attributes that the embedded engine has columns for."""
        extra = {name for name in (self.ttl, self.discriminator) if name is not None}
        return self.types.keys() | extra


def fingerprint(table: Table) -> Fingerprint:
    """Returns the fingerprint of a table as it is declared now."""
    fields = {
        attribute
        for entity in table.entities.values()
        for attribute in entity.schema.attributes.values()
    }
    extra = (table.ttl, table.discriminator)
    return Fingerprint(
        key=_described(table.key),
        indexes={index.name: _index(index) for index in table.indexes},
        entities={kind: _templates(one.schema) for kind, one in sorted(table.entities.items())},
        outside=sorted(
            name for name in table.key_attributes if name not in fields and name not in extra
        ),
        discriminator=table.discriminator,
        ttl=table.ttl,
        stream=table.stream,
    )


def _index(index: Index) -> list[str]:
    return [*_described(index.key), index.projection]


def _described(attributes: Iterable[KeyAttribute]) -> list[str]:
    return [f"{one.name} {one.type}" for one in attributes]


def _templates(schema: EntitySchema) -> Templates:
    """A key attribute that is a field itself needs nobody to derive it, so it is left out."""
    return {
        name: _signature(schema, made)
        for name, made in sorted(schema.templates.items())
        if not (made.identity and schema.attributes[made.fields[0]] == name)
        and name != schema.table.discriminator
    }


def _signature(schema: EntitySchema, made: KeyTemplate) -> str:
    """Returns a template with the stored names of its fields."""

    def stored(part: re.Match[str]) -> str:
        return f"<{schema.attributes[part[1]]}{part[2] or ''}>"

    if made.function:
        return f"{made.function} ({', '.join(schema.attributes[field] for field in made.fields)})"
    return " ".join([_PART.sub(stored, made.text), *made.versions])

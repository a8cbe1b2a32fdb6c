"""Tables, indexes, TTL, streams, kinds and configuration: stated and declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from commonroom.data_models.differences import NOTHING, ModelDifference, code, joined, key_of
from commonroom.data_models.statements import ModelStatement, StatedTable
from commonroom.store.declare.model import Model
from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.schema import table_definition


def compare_structure(document: ModelStatement, model: Model) -> Iterator[ModelDifference]:
    """Finds what tables have otherwise than stated, and what was added to the structure."""
    declared = {table.name: table for table in model.tables if table.room == document.room}
    for name, stated in document.tables.items():
        if name not in declared:
            yield ModelDifference(f"table {name}", code(name), NOTHING)
            continue
        yield from _table(stated, declared[name])
        yield from _indexes(stated, declared[name])
        yield from _configuration(document.configuration, declared[name])
        yield from _kinds(document, declared[name])
    for name in declared.keys() - document.tables.keys():
        yield ModelDifference(f"table {name}", NOTHING, code(name))


def _table(stated: StatedTable, table: Table) -> Iterator[ModelDifference]:
    facts: list[tuple[str, Any, Any]] = [
        ("key", joined(stated.key), joined(key_of(table.key))),
        ("TTL", code(stated.ttl), code(table.ttl)),
        ("stream", _yes(stated.stream), _yes(table.stream)),
        ("discriminator", code(stated.discriminator), code(table.discriminator)),
    ]
    for fact, says, here in facts:
        if says != here:
            yield ModelDifference(f"{fact} {table.name}", says, here)


def _indexes(stated: StatedTable, table: Table) -> Iterator[ModelDifference]:
    declared = {index.name: index for index in table.indexes}
    for name, index in stated.indexes.items():
        subject = f"index {table.name}.{name}"
        if (ours := declared.pop(name, None)) is None:
            yield ModelDifference(subject, joined(index.key), NOTHING)
        elif index.key != key_of(ours.key):
            yield ModelDifference(subject, joined(index.key), joined(key_of(ours.key)))
        elif index.projection not in (None, ours.projection):
            yield ModelDifference(subject, code(index.projection), code(ours.projection))
    for name, ours in declared.items():
        yield ModelDifference(f"index {table.name}.{name}", NOTHING, joined(key_of(ours.key)))


def _configuration(wanted: Mapping[str, Any], table: Table) -> Iterator[ModelDifference]:
    properties = table_definition(table)
    for name, value in wanted.items():
        if properties.get(name) != value:
            here = code(properties.get(name))
            yield ModelDifference(f"configuration {table.name}.{name}", code(value), here)


def _kinds(document: ModelStatement, table: Table) -> Iterator[ModelDifference]:
    """Finds kinds that were added to a stated table, each with the form of its primary key."""
    if table.discriminator is None:
        return
    stated = {name for name, one in document.entities.items() if one.table == table.name}
    for kind, entity in table.entities.items():
        if entity.__name__ not in stated:
            key = joined(made.text for made in entity.schema.primary)
            yield ModelDifference(f"kind {kind}", NOTHING, f"{entity.__name__}: {key}")


def _yes(value: bool) -> str:
    return "yes" if value else NOTHING

"""Attributes: names, types, what may be absent, enumerations and defaults, stated and declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

import msgspec
from msgspec import inspect

from commonroom.data_models.differences import NOTHING, ModelDifference, code, joined
from commonroom.data_models.statements import ModelStatement, StatedAttribute, StatedEntity
from commonroom.store.declare.entity import Entity

Stated: TypeAlias = Mapping[str, str | StatedAttribute]

LETTERS: tuple[tuple[type[inspect.Type] | tuple[type[inspect.Type], ...], str], ...] = (
    (inspect.BoolType, "BOOL"),
    (inspect.StrType, "S"),
    ((inspect.IntType, inspect.FloatType), "N"),
    ((inspect.ListType, inspect.VarTupleType), "L"),
    ((inspect.DictType, inspect.StructType), "M"),
    (inspect.BytesType, "B"),
)
"""Python's types by DynamoDB's names for them."""


def compare_attributes(
    document: ModelStatement, name: str, stated: StatedEntity, entity: type[Entity]
) -> Iterator[ModelDifference]:
    """Finds attributes that an entity lacks, or has otherwise than stated."""
    schema = entity.schema
    fields = _fields(entity)
    keys = schema.table.key_attributes
    for attribute, one in stated.attributes.items():
        wanted = _full(one)
        subject = f"attribute {name}.{attribute}"
        if attribute in fields:
            yield from _field(document, subject, wanted, fields[attribute])
        elif attribute == schema.table.discriminator:
            if wanted.values != [schema.kind]:
                yield ModelDifference(subject, joined(wanted.values), code(schema.kind))
        elif attribute not in schema.templates:
            yield ModelDifference(subject, code(wanted.type), NOTHING)
        elif keys[attribute].type != _letter(wanted):
            yield ModelDifference(subject, code(wanted.type), code(keys[attribute].type))


def added_attributes(stated: StatedEntity, entity: type[Entity]) -> list[str]:
    """Returns the attributes of an entity that its data model does not have, keys included."""
    schema = entity.schema
    known = stated.attributes.keys() | stated.keys.keys() | {schema.table.discriminator}
    ours = dict.fromkeys([*schema.attributes.values(), *schema.templates])
    return [name for name in ours if name not in known]


def _field(
    document: ModelStatement, subject: str, wanted: StatedAttribute, field: inspect.Field
) -> Iterator[ModelDifference]:
    kinds = _kinds(field.type)
    letters = sorted({_letter_of(one) for one in kinds})
    if letters != [_letter(wanted)]:
        yield ModelDifference(subject, code(wanted.type), joined(letters))
        return
    is_optional = not field.required
    if wanted.type.endswith("?") and not is_optional:
        yield ModelDifference(subject, "may be absent", "required")
    if wanted.type.endswith("!") and is_optional:
        yield ModelDifference(subject, "required", "may be absent")
    values = [
        value for one in kinds if isinstance(one, inspect.LiteralType) for value in one.values
    ]
    if wanted.values and set(values) != set(wanted.values):
        ours = sorted(values, key=[*wanted.values, *values].index)
        yield ModelDifference(subject, joined(wanted.values), joined(ours) if ours else "any")
    if wanted.default is not None and field.default != wanted.default:
        yield ModelDifference(
            subject, f"{wanted.default} by default", f"{field.default} by default"
        )
    if wanted.of is not None:
        yield from _object(document, subject, wanted.of, kinds)


def _object(
    document: ModelStatement, subject: str, name: str, kinds: list[inspect.Type]
) -> Iterator[ModelDifference]:
    """Compares what a list holds with the object of that name."""
    (kind,) = kinds
    held = kind.item_type if isinstance(kind, inspect.ListType) else None
    stated: Stated = document.objects[name]
    if not isinstance(held, inspect.StructType):
        letters = [] if held is None else [_letter_of(held)]
        yield ModelDifference(subject, f"a list of {name}", joined(letters))
        return
    fields = {one.encode_name: one for one in held.fields}
    for attribute, one in stated.items():
        below = f"attribute {name}.{attribute}"
        if attribute not in fields:
            yield ModelDifference(below, code(_full(one).type), NOTHING)
        else:
            yield from _field(document, below, _full(one), fields[attribute])
    for attribute in fields.keys() - stated.keys():
        yield ModelDifference(f"attribute {name}.{attribute}", NOTHING, "added")


@cache
def _fields(entity: type[Entity]) -> dict[str, inspect.Field]:
    described: Any = inspect.type_info(entity)
    return {field.encode_name: field for field in described.fields}


def _kinds(kind: inspect.Type) -> list[inspect.Type]:
    """Returns what a type may be when it is there: neither None nor a mark that it is absent."""
    several = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    absent = (inspect.NoneType, inspect.CustomType)
    return [one for one in several if not isinstance(one, absent) and not _is_unset(one)]


def _is_unset(kind: inspect.Type) -> bool:
    return getattr(kind, "cls", None) is msgspec.UnsetType


def _letter_of(kind: inspect.Type) -> str:
    if isinstance(kind, inspect.LiteralType):
        return "S" if isinstance(kind.values[0], str) else "N"
    if isinstance(kind, inspect.Metadata):
        return _letter_of(kind.type)
    return next((letter for types, letter in LETTERS if isinstance(kind, types)), "?")


def _letter(wanted: StatedAttribute) -> str:
    return wanted.type.rstrip("?!")


def _full(stated: str | StatedAttribute) -> StatedAttribute:
    return StatedAttribute(type=stated) if isinstance(stated, str) else stated

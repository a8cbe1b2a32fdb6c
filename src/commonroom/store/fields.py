"""From field names and typed values to attribute names and plain values."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_origin

import msgspec

from commonroom.store.conditions import Condition
from commonroom.store.declare.entity import Entity
from commonroom.store.errors import UnknownField, WrongType

_PARTS = {"append": list, "merge": dict, "discard": dict, "count": dict}
"""What a field must be for a part of it to be changed."""


def attribute_of(kind: type[Entity], field: str) -> str:
    """The attribute that a field is stored under."""
    try:
        return kind.declared.attributes[field]
    except KeyError:
        raise UnknownField(f"{kind.__name__} has no field {field}.") from None


def bound(kind: type[Entity], condition: Condition) -> Condition:
    """A condition on fields as one on attributes."""
    return condition.bound(lambda field, value: (attribute_of(kind, field), builtins(value)))


def builtins(value: Any) -> Any:
    """A typed value as it is stored."""
    return value if value is None else msgspec.to_builtins(value, builtin_types=(bytes,))


def plain(kind: type[Entity], field: str, value: Any, how: str) -> Any:
    """A changed field's value as it is stored, after checking that it fits the field's type."""
    expected = _expected(kind, field, how)
    stored = builtins(value)
    try:
        msgspec.convert(stored, expected, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise WrongType(f"{kind.__name__}.{field}: {error}.") from error
    return stored


def _expected(kind: type[Entity], field: str, how: str) -> Any:
    """What the value must be: the field's own type, or what a part of its list or map must be."""
    declared = _types(kind)[field]
    if how not in _PARTS:
        return declared
    for one in _alternatives(declared):
        if (get_origin(one) or one) is _PARTS[how]:
            return list[str] if how == "discard" else one
        if _PARTS[how] is dict and isinstance(one, msgspec.StructMeta):
            return list[str] if how == "discard" else dict[str, Any]
    raise UnknownField(f"{kind.__name__}.{field} is no {_PARTS[how].__name__}: no `{how}` for it.")


def _alternatives(declared: Any) -> tuple[Any, ...]:
    origin = get_origin(declared)
    return (declared,) if origin in (None, list, dict) else get_args(declared)


@cache
def defaults(kind: type[Entity]) -> dict[str, Any]:
    """What stands for a field that is absent, where that is not None."""
    found = {}
    for field in msgspec.structs.fields(kind):
        if field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = field.default_factory()
        elif field.default is not msgspec.NODEFAULT:
            found[field.name] = field.default
    return found


@cache
def _types(kind: type[Entity]) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(kind)}

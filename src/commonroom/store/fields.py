"""From field names and typed values to attribute names and plain values."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_origin

import msgspec

from commonroom.store.conditions import Condition
from commonroom.store.declare.entity import Entity
from commonroom.store.errors import UnknownField, WrongType


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
    expected = _expected(_types(kind)[field], how)
    stored = builtins(value)
    try:
        msgspec.convert(stored, expected, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise WrongType(f"{kind.__name__}.{field}: {error}.") from error
    return stored


def _expected(declared: Any, how: str) -> Any:
    """What the value must be: the field's own type, or for `discard` the names of entries."""
    if how == "discard":
        return list[str]
    if how in ("append", "merge"):
        return next(
            (one for one in _alternatives(declared) if get_origin(one) in (list, dict)), Any
        )
    return declared


def _alternatives(declared: Any) -> tuple[Any, ...]:
    origin = get_origin(declared)
    return (declared,) if origin in (None, list, dict) else get_args(declared)


@cache
def _types(kind: type[Entity]) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(kind)}

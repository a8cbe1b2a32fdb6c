"""Updates by field: changes other than setting, values as they are stored, and changed keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin

import msgspec

from commonroom.store.conditions import Condition
from commonroom.store.declare.entity import Entity
from commonroom.store.declare.key_templates import KeyTemplate
from commonroom.store.engine import AttributeChange
from commonroom.store.errors import UnknownField, WrongType

_PARTS = {"append": list, "merge": dict, "discard": dict, "count": dict}
"""What a field must be for a part of it to be changed."""


@dataclass(frozen=True, slots=True)
class FieldUpdate:
    """A change that is made in the database, of whatever is there then."""

    kind: Literal["add", "append", "set_if_absent", "merge", "discard", "count"]
    value: Any


def add(amount: float) -> FieldUpdate:
    """Adds to a number; an absent one counts as 0."""
    return FieldUpdate("add", amount)


def append(*values: Any) -> FieldUpdate:
    """Appends to a list; an absent one counts as empty."""
    return FieldUpdate("append", list(values))


def if_absent(value: Any) -> FieldUpdate:
    """Sets a field only where it has no value."""
    return FieldUpdate("set_if_absent", value)


def merge(entries: Mapping[str, Any]) -> FieldUpdate:
    """Sets entries of a map and leaves its others alone; the map must be there."""
    return FieldUpdate("merge", dict(entries))


def discard(*names: str) -> FieldUpdate:
    """Removes entries of a map and leaves its others alone; the map must be there."""
    return FieldUpdate("discard", list(dict.fromkeys(names)))


def count(amounts: Mapping[str, int]) -> FieldUpdate:
    """Adds to entries of a map of numbers; an absent entry counts as 0, the map must be there."""
    return FieldUpdate("count", dict(amounts))


@dataclass(frozen=True, slots=True)
class KeyUpdates:
    """Actions that keep the keys true, and the fields that must not have changed meanwhile."""

    actions: list[AttributeChange]
    held: dict[str, Any]


def key_updates(
    kind: type[Entity], known: Mapping[str, Any], changes: Mapping[str, Any]
) -> KeyUpdates:
    """Returns what to recompute when these fields change, given what is known of the others."""
    actions: list[AttributeChange] = []
    held: dict[str, Any] = {}
    for attribute, made in kind.schema.derived.items():
        if changes.keys().isdisjoint(made.fields):
            continue
        _check(kind, attribute, made, known, changes)
        values = {name: changes[name] if name in changes else known[name] for name in made.fields}
        actions.append(AttributeChange.assign(attribute, made.value(values)))
        unchanged = values.keys() - changes.keys() - set(kind.schema.primary_fields)
        held |= {name: values[name] for name in unchanged}
    return KeyUpdates(actions, held)


def _check(
    kind: type[Entity],
    attribute: str,
    made: KeyTemplate,
    known: Mapping[str, Any],
    changes: Mapping[str, Any],
) -> None:
    """Refuses a change whose key cannot be worked out before it is made."""
    for field in made.fields:
        if isinstance(changes.get(field), FieldUpdate):
            raise UnknownField(
                f"{kind.__name__}.{field} takes part in {attribute} ({made.text}): set it outright."
            )
        if field not in changes and field not in known:
            raise UnknownField(
                f"Changing {kind.__name__} so needs {field} for {attribute}: "
                f"give the thing as it was read, not only where it is."
            )


def attribute_of(kind: type[Entity], field: str) -> str:
    """Returns the attribute that a field is stored under."""
    try:
        return kind.schema.attributes[field]
    except KeyError:
        raise UnknownField(f"{kind.__name__} has no field {field}.") from None


def bind_condition(kind: type[Entity], condition: Condition) -> Condition:
    """Returns a condition on fields as one on attributes."""
    return condition.bind(lambda field, value: (attribute_of(kind, field), to_stored(value)))


def to_stored(value: Any) -> Any:
    """Returns a typed value as it is stored."""
    return value if value is None else msgspec.to_builtins(value, builtin_types=(bytes,))


def checked_value(kind: type[Entity], field: str, value: Any, how: str) -> Any:
    """A changed field's value as it is stored, after checking that it fits the field's type."""
    expected = _expected_type(kind, field, how)
    stored = to_stored(value)
    try:
        typed = msgspec.convert(stored, expected, builtin_types=(bytes,))
    except msgspec.ValidationError as error:
        raise WrongType(f"{kind.__name__}.{field}: {error}.") from error
    # What is added to a float is one: engines may count whole numbers up themselves.
    return typed if how in ("add", "count") else stored


def _expected_type(kind: type[Entity], field: str, how: str) -> Any:
    """What the value must be: the field's own type, or what a part of its list or map must be."""
    declared = _field_types(kind)[field]
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
def field_defaults(kind: type[Entity]) -> dict[str, Any]:
    """Returns what stands for a field that is absent, where that is not None."""
    found = {}
    for field in msgspec.structs.fields(kind):
        if field.default_factory is not msgspec.NODEFAULT:
            found[field.name] = field.default_factory()
        elif field.default is not msgspec.NODEFAULT:
            found[field.name] = field.default
    return found


@cache
def _field_types(kind: type[Entity]) -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(kind)}

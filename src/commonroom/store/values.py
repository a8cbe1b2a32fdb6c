"""Values that can be stored, the same on both engines, and how they compare."""

from __future__ import annotations

from typing import Any, TypeAlias

Value: TypeAlias = Any
"""None, bool, int, float, str, bytes, or a list or dict of these."""

Item: TypeAlias = dict[str, Any]
"""A stored item: attribute names (the seed's) to values."""

KeyValue: TypeAlias = str | int | float

Key: TypeAlias = tuple[KeyValue, ...]
"""A primary key's values: partition, or partition and sort."""


_CODES: dict[type, str] = {
    type(None): "NULL",
    bool: "BOOL",
    int: "N",
    float: "N",
    str: "S",
    bytes: "B",
    list: "L",
    dict: "M",
}


def type_code(value: Value) -> str:
    """DynamoDB's name for a value's type; a bool is never a number here."""
    return _CODES[type(value)]


def same_value(one: Value, other: Value) -> bool:
    """Equality as DynamoDB has it: by type first, so that True is not 1, also inside lists."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_value, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same_value(one[name], other[name]) for name in one
        )
    return type_code(one) == type_code(other) and bool(one == other)

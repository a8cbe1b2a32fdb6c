"""Values that can be stored, the same on both engines, and how they compare."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeAlias

Value: TypeAlias = Any
"""None, bool, int, float, str, bytes, or a list or dict of these."""

Item: TypeAlias = dict[str, Any]
"""A stored item: attribute names (the data model's) to values."""

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


INTEGER_BITS = 63
"""How large a whole number may be; larger ones are floats."""

EXACT_FLOATS = 2**53
"""Below this a float is the number that it is written as."""


def exact_number(value: float) -> float:
    """Returns a number for comparing: a large float is what it is written as, as DynamoDB takes it.

    2.0**62 is written 4.611686018427388e+18, which is 96 more than the whole number 2**62.
    """
    if isinstance(value, int) or abs(value) < EXACT_FLOATS:
        return value
    return int(Decimal(repr(value)))


def same_value(one: Value, other: Value) -> bool:
    """Equality as DynamoDB has it: by type first, so that True is not 1, also inside lists."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_value, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same_value(one[name], other[name]) for name in one
        )
    if type(one) is type(other):
        return bool(one == other)
    return type_code(one) == type_code(other) == "N" and exact_number(one) == exact_number(other)

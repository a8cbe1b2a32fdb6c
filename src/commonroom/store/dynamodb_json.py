"""DynamoDB JSON, in which values carry their type: encoded, decoded, and checked to be lossless."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from commonroom.store.errors import BadNumber, WrongType
from commonroom.store.values import INTEGER_BITS, Item, Value

AttributeValue: TypeAlias = dict[str, Any]
"""A value under DynamoDB's name for its type, such as {"S": "text"} or {"N": "1.5"}."""

Attributes: TypeAlias = dict[str, AttributeValue]

MAX_INTEGER = 20
"""Digits and sign of the largest whole number that is kept as one; longer ones were floats."""

SURELY_EXACT = 15
"""Digits of a number that every float and every whole number of ours keeps."""


def to_attributes(item: Item) -> Attributes:
    """Returns a whole item in DynamoDB's form."""
    # Most attributes are text: no call for those.
    return {
        name: {"S": value} if type(value) is str else to_attribute(value)
        for name, value in item.items()
    }


def from_attributes(attributes: Mapping[str, AttributeValue]) -> Item:
    """Returns a whole item from DynamoDB's form."""
    try:
        return {
            name: typed["S"] if "S" in typed else from_attribute(typed)
            for name, typed in attributes.items()
        }
    except (AttributeError, TypeError) as error:
        raise WrongType("This is not an item in DynamoDB's form.") from error


def to_attribute(value: Value) -> AttributeValue:
    """Returns one value in DynamoDB's form."""
    try:
        return _ENCODERS[type(value)](value)
    except KeyError as error:
        raise WrongType(f"A {type(value).__name__} cannot be stored.") from error


def from_attribute(typed: AttributeValue) -> Value:
    """Returns one value from DynamoDB's form; sets, which we never write, become lists."""
    try:
        [(kind, value)] = typed.items()
        return _DECODERS[kind](value)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise WrongType(f"This is not a value in DynamoDB's form: {typed!r:.80}") from error


def _number(text: str) -> int | float:
    if "." in text or "E" in text or "e" in text or len(text) > MAX_INTEGER:
        return float(text)
    number = int(text)
    return number if number.bit_length() <= INTEGER_BITS else float(text)


def _bytes(value: str | bytes) -> bytes:
    # botocore has undone the base64 already; plain JSON has not.
    return value if isinstance(value, bytes) else b64decode(value, validate=True)


_ENCODERS: dict[type, Callable[[Any], AttributeValue]] = {
    str: lambda value: {"S": value},
    bool: lambda value: {"BOOL": value},
    int: lambda value: {"N": str(value)},
    float: lambda value: {"N": repr(value)},
    bytes: lambda value: {"B": b64encode(value).decode()},
    list: lambda value: {"L": [to_attribute(one) for one in value]},
    dict: lambda value: {"M": to_attributes(value)},
    type(None): lambda _: {"NULL": True},
}

_DECODERS: dict[str, Callable[[Any], Value]] = {
    "S": lambda value: value,
    "BOOL": lambda value: value,
    "N": _number,
    "B": _bytes,
    "L": lambda value: [from_attribute(one) for one in value],
    "M": from_attributes,
    "NULL": lambda _: None,
    "SS": list,
    "NS": lambda value: [_number(one) for one in value],
    "BS": lambda value: [_bytes(one) for one in value],
}


def check_attributes(attributes: Mapping[str, Any]) -> None:
    """Refuses an item that would not come back as it is."""
    for typed in attributes.values():
        _check(typed)


def _check(typed: Any) -> None:
    if not isinstance(typed, dict) or len(typed) != 1:
        raise WrongType(f"{typed!r:.80} is not one value under the name of its type.")
    match typed:
        case {"S": str()} | {"B": str()} | {"BOOL": bool()} | {"NULL": True}:
            pass
        case {"N": str(text)}:
            _check_number(text)
        case {"NS": list(texts)}:
            for text in texts:
                _check({"N": text})
        case {"SS": list(texts)} | {"BS": list(texts)}:
            for text in texts:
                _check({"S": text})
        case {"L": list(several)}:
            for one in several:
                _check(one)
        case {"M": dict(entries)}:
            check_attributes(entries)
        case _:
            raise WrongType(f"{typed!r:.80} is not a value of the type that it names.")


def _check_number(text: str) -> None:
    """DynamoDB keeps 38 digits; what we cannot keep is refused, never rounded."""
    if len(text) <= SURELY_EXACT:
        return
    try:
        exact = Decimal(text) == Decimal(repr(from_attribute({"N": text})))
    except InvalidOperation:
        exact = False
    if not exact:
        raise BadNumber(f"The number {text:.80} has more digits than Commonroom keeps.")

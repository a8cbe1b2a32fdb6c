"""What a line may hold: values of the type they say, and no number that would be rounded."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from commonroom.store.attribute_values import from_attribute
from commonroom.store.errors import BadNumber, WrongType

SURELY_EXACT = 15
"""Digits of a number that every float and every whole number of ours keeps."""


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

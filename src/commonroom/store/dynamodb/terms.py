"""The names and values that a request's expressions stand on."""

from __future__ import annotations

from typing import Any

from commonroom.store.attribute_values import Attributes, to_attribute
from commonroom.store.values import Value


class Terms:
    """Placeholders of one request: each name and value goes through one, so that none is parsed."""

    __slots__ = ("_names", "_values")

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._values: Attributes = {}

    def name(self, attribute: str) -> str:
        """The placeholder of an attribute's name; the same for the same name."""
        return self._names.setdefault(attribute, f"#{len(self._names)}")

    def value(self, value: Value) -> str:
        """A placeholder for a value."""
        placeholder = f":{len(self._values)}"
        self._values[placeholder] = to_attribute(value)
        return placeholder

    def fill(self, payload: dict[str, Any]) -> None:
        """Puts the names and values where DynamoDB looks for them; it refuses empty ones."""
        if self._names:
            payload["ExpressionAttributeNames"] = {
                placeholder: name for name, placeholder in self._names.items()
            }
        if self._values:
            payload["ExpressionAttributeValues"] = self._values

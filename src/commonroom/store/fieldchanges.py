"""The ways to change a field other than setting it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Change:
    """A change that is made in the database, of whatever is there then."""

    kind: Literal["add", "append", "set_if_absent", "merge", "discard", "count"]
    value: Any


def add(amount: float) -> Change:
    """Adds to a number; an absent one counts as 0."""
    return Change("add", amount)


def append(*values: Any) -> Change:
    """Appends to a list; an absent one counts as empty."""
    return Change("append", list(values))


def if_absent(value: Any) -> Change:
    """Sets a field only where it has no value."""
    return Change("set_if_absent", value)


def merge(entries: Mapping[str, Any]) -> Change:
    """Sets entries of a map and leaves its others alone; the map must be there."""
    return Change("merge", dict(entries))


def discard(*names: str) -> Change:
    """Removes entries of a map and leaves its others alone; the map must be there."""
    return Change("discard", list(dict.fromkeys(names)))


def count(amounts: Mapping[str, int]) -> Change:
    """Adds to entries of a map of numbers; an absent entry counts as 0, the map must be there."""
    return Change("count", dict(amounts))

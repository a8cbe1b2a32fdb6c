"""Own writes: what this process has written, so that it can forget what it remembers of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from commonroom.store.declare.entity import Ref
from commonroom.store.declare.patterns import BoundPattern
from commonroom.store.engine import WriteOperation
from commonroom.store.values import Key

SLOTS = 1 << 14


class OwnWrites:
    """When each item and each partition was last written by this process, counted in writes.

    They share a bounded number of slots. So one may seem to be written when another was, and never
    the other way round.
    """

    def __init__(self) -> None:
        self.number = 0
        """How many writes there were."""
        self._last = [0] * SLOTS

    def note(self, operations: Sequence[WriteOperation]) -> None:
        """Notes a write once its answer is there, or lost."""
        self.number += 1
        for one in operations:
            if one.kind != "check":
                self._last[_slot(one.table.name, one.key)] = self.number
                self._last[_slot(one.table.name, one.key[:1])] = self.number

    def any_since(self, number: int, refs: Iterable[Ref[Any]]) -> bool:
        """Whether one of these items was written after so many writes."""
        slots = (_slot(one.entity.schema.table.name, one.key) for one in refs)
        return any(self._last[slot] > number for slot in slots)

    def last_in(self, bound: BoundPattern[Any]) -> int:
        """The number of the last write to the partition of a table that a pattern is about."""
        return self._last[_slot(bound.pattern.table.name, (bound.partition,))]


def _slot(table: str, key: Key) -> int:
    return hash((table, key)) % SLOTS

"""What a check looks at and what it finds. A room adds a check of its own by this protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from msgspec import Struct

from commonroom.store.declare.entity import Entity
from commonroom.store.operations import Write
from commonroom.store.store import Store
from commonroom.store.values import Item, Key


class Thing(Struct, frozen=True):
    """A stored item, where it is, and what it stands for."""

    key: Key
    item: Item
    entity: Entity


class Problem(Struct, frozen=True):
    """Something that is not as it should be, and the write that would mend it."""

    check: str
    table: str
    key: Key
    detail: str
    """One sentence: what is wrong."""
    repair: tuple[Write, ...] = ()
    """One transaction that holds what it was worked out from; empty where a person must decide."""


class Check(Protocol):
    """Looks at everything that is stored, some at a time."""

    def examine(self, store: Store, things: Sequence[Thing]) -> AsyncIterator[Problem]:
        """What is wrong with these things, which are of one table and up to a hundred."""

"""Consumers: a name, the entities it wants, and a handler that may run twice for a change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.engine import ChangeRecord
from commonroom.store.values import Item, Key

if TYPE_CHECKING:
    from commonroom.store.store import Store


class Change(Struct, frozen=True):
    """One change of one thing: what it was, what it is, and how it came about."""

    entity: type[Entity]
    kind: Literal["insert", "modify", "remove"]
    key: Key
    old: Any
    new: Any
    at: float
    by_ttl: bool


Handler = Callable[["Store", Change], Awaitable[None]]


class Pauses(Struct, frozen=True):
    """How often and how long to wait before a failing change is tried again."""

    first: float = 1.0
    longest: float = 300.0
    attempts: int = 10

    def after(self, attempts: int) -> float:
        """The pause after so many attempts: twice as long each time."""
        return float(min(self.longest, self.first * 2 ** (attempts - 1)))


class Consumer(Struct, frozen=True):
    """Somebody who wants to know of changes, each at least once and in order per item."""

    name: str
    wants: tuple[type[Entity], ...]
    handle: Handler
    pauses: Pauses = Pauses()
    seconds: float = 300.0
    """How long one change may take before it counts as failed."""

    @property
    def tables(self) -> list[Table]:
        """The tables whose streams it follows."""
        return list(
            {entity.declared.table.name: entity.declared.table for entity in self.wants}.values()
        )

    def wanted(self, record: ChangeRecord) -> type[Entity] | None:
        """The entity that a record is about, if this consumer wants it."""
        item = record.new or record.old or {}
        for entity in self.wants:
            declared = entity.declared
            if declared.table.name == record.table and _is(item, entity):
                return entity
        return None


def _is(item: Item, entity: type[Entity]) -> bool:
    kind = entity.declared.table.discriminator
    return kind is None or item.get(kind) == entity.declared.kind


def typed(entity: type[Entity], record: ChangeRecord) -> Change:
    """A record with its images as things."""
    old, new = (
        None if image is None or not _is(image, entity) else entity.from_item(image)
        for image in (record.old, record.new)
    )
    return Change(entity, record.kind, record.key, old, new, record.at, record.by_ttl)

"""Stream consumers: a name, the entities wanted, a handler that may run twice, a retry policy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct

from commonroom.store.declare.entity import Entity
from commonroom.store.declare.table import Table
from commonroom.store.engine import ChangeRecord
from commonroom.store.errors import DamagedItem
from commonroom.store.values import Key, same_value

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

MAX_ERROR = 1000


class RetryPolicy(Struct, frozen=True):
    """Exponential backoff: how often, and after how many seconds, a failure is tried again."""

    first_delay: float = 1.0
    longest_delay: float = 300.0
    max_attempts: int = 10

    def delay_after(self, attempts: int) -> float:
        """Returns the delay after so many attempts: twice as long each time."""
        return float(min(self.longest_delay, self.first_delay * 2 ** (attempts - 1)))


def error_text(error: BaseException) -> str:
    """Returns an error as it is stored with what failed, and shown."""
    return f"{type(error).__name__}: {error}"[:MAX_ERROR]


class Named(Protocol):
    """Something that is known by its name, such as a kind of notifications."""

    @property
    def name(self) -> str:
        """The name."""


def sentence_of(handler: Callable[..., object]) -> str:
    """Returns the first line of a handler's docstring."""
    function = handler.func if isinstance(handler, partial) else handler
    return (function.__doc__ or "").strip().partition("\n")[0]


class Consumer(Struct, frozen=True):
    """A subscriber to changes: each is delivered at least once, in order per item."""

    name: str
    wants: tuple[type[Entity], ...]
    handle: Handler
    retry_policy: RetryPolicy = RetryPolicy()
    timeout_seconds: float = 300.0
    """How long one change may take before it counts as failed."""
    needs_past: bool = False
    """Whether what it makes is also to be made of what was there before it came, with a new
    version; a check that knows what is missing does that."""
    does: str = ""
    """What follows, in a sentence, where its handler's docstring does not say it."""
    sets: tuple[str, ...] = ()
    """The kinds of timers that it sets, by itself or by those timers."""
    tells: tuple[Named, ...] = ()
    """The kinds of notifications that it sends, by itself or by the timers that it sets."""

    @property
    def description(self) -> str:
        """What follows, in a sentence."""
        return self.does or sentence_of(self.handle)

    @property
    def tables(self) -> list[Table]:
        """The tables whose streams it follows."""
        return list(
            {entity.schema.table.name: entity.schema.table for entity in self.wants}.values()
        )

    def entity_of(self, record: ChangeRecord) -> type[Entity] | None:
        """Returns the entity that a record is about, if this consumer wants it.

        Of what a damaged record is about nobody can tell, so everybody may want it.
        """
        return self.entity_in(SharedRecord(record))

    def entity_in(self, shared: SharedRecord) -> type[Entity] | None:
        """Returns the same of a record that others look at as well."""
        record = shared.record
        item = record.new or record.old or {}
        for entity in self.wants:
            if entity.schema.table.name == record.table and (
                record.damage or entity.schema.matches(item)
            ):
                return None if shared.has_only_keys_changed(entity) else entity
        return None


class SharedRecord:
    """A record with what its consumers ask of it, worked out once for all of them.

    Handlers share what was decoded, so none of them may change it.
    """

    __slots__ = ("_changes", "_has_only_keys", "record")

    def __init__(self, record: ChangeRecord) -> None:
        self.record = record
        self._has_only_keys: dict[type[Entity], bool] = {}
        self._changes: dict[type[Entity], Change] = {}

    def has_only_keys_changed(self, entity: type[Entity]) -> bool:
        """Whether keys were computed again, as an upgrade does: the thing itself is as it was."""
        known = self._has_only_keys.get(entity)
        if known is None:
            known = self._has_only_keys[entity] = _only_keys_changed(entity, self.record)
        return known

    def change_of(self, entity: type[Entity]) -> Change:
        """Returns the record with its images as entities; `DamagedItem` where one is damaged."""
        known = self._changes.get(entity)
        if known is None:
            known = self._changes[entity] = decode_change(entity, self.record)
        return known


def _only_keys_changed(entity: type[Entity], record: ChangeRecord) -> bool:
    if record.old is None or record.new is None:
        return False
    old, new = (
        {name: value for name, value in image.items() if name not in entity.schema.derived}
        for image in (record.old, record.new)
    )
    return same_value(old, new)


def decode_change(entity: type[Entity], record: ChangeRecord) -> Change:
    """Returns a record with its images as entities."""
    if record.damage:
        raise DamagedItem(record.table, record.key, record.damage)
    old, new = (
        entity.from_item(image) if image is not None and entity.schema.matches(image) else None
        for image in (record.old, record.new)
    )
    return Change(entity, record.kind, record.key, old, new, record.at, record.by_ttl)

"""Tables and their indexes: names, keys and types, as the database has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from commonroom.store.errors import BadDeclaration
from commonroom.store.values import Item, Key

if TYPE_CHECKING:
    from commonroom.store.declare.copies import Copy
    from commonroom.store.declare.entity import Entity
    from commonroom.store.declare.patterns import Pattern
    from commonroom.store.declare.relations import Relation

MAX_INDEXES = 20
MAX_ATTRIBUTE_BYTES = 255
_NAME = re.compile(r"[A-Za-z0-9_.-]{3,255}")


@dataclass(frozen=True, slots=True)
class KeyAttribute:
    """An attribute that a key is made of: a string or a number."""

    name: str
    type: Literal["S", "N"] = "S"


def number(name: str) -> KeyAttribute:
    """Returns a key attribute that is stored and sorted as a number."""
    return KeyAttribute(name, "N")


def _attribute(named: str | KeyAttribute) -> KeyAttribute:
    return KeyAttribute(named) if isinstance(named, str) else named


def has_passed(time: object, now: float) -> bool:
    """Whether a TTL attribute's value is a moment that is over; anything but a number is none."""
    return isinstance(time, int | float) and not isinstance(time, bool) and time <= now


class Index:
    """A global secondary index; an item without its key attributes is not in it."""

    def __init__(
        self,
        name: str,
        partition: str | KeyAttribute,
        sort: str | KeyAttribute | None = None,
        *,
        keys_only: bool = False,
    ) -> None:
        self.name = name
        self.partition = _attribute(partition)
        self.sort = _attribute(sort) if sort is not None else None
        self.keys_only = keys_only

    @property
    def key(self) -> tuple[KeyAttribute, ...]:
        """The attributes of the index's key, in order."""
        return (self.partition,) if self.sort is None else (self.partition, self.sort)

    @property
    def projection(self) -> str:
        """What the index carries, in DynamoDB's words."""
        return "KEYS_ONLY" if self.keys_only else "ALL"


class Table:
    """A table: its key, its indexes, and what is declared to live in it."""

    def __init__(
        self,
        name: str,
        *,
        room: str,
        partition: str | KeyAttribute,
        sort: str | KeyAttribute | None = None,
        indexes: tuple[Index, ...] | list[Index] = (),
        discriminator: str | None = None,
        ttl: str | None = None,
        stream: bool = False,
        version: int = 1,
    ) -> None:
        self.name = name
        self.room = room
        self.version = version
        """Raised with the first change of its declaration, or of an entity's, after a release."""
        self.partition = _attribute(partition)
        self.sort = _attribute(sort) if sort is not None else None
        self.indexes = tuple(indexes)
        self.discriminator = discriminator
        self.ttl = ttl
        self.stream = stream
        self.entities: dict[str, type[Entity]] = {}
        self.patterns: list[Pattern[Any]] = []
        self.copies: list[Copy] = []
        """Declared of the originals in this table."""
        self.relations: list[Relation] = []
        """Declared of the children and the originals in this table."""
        self._check_names()
        self._check_types()

    @cached_property
    def key(self) -> tuple[KeyAttribute, ...]:
        """Returns the attributes of the primary key, in order."""
        return (self.partition,) if self.sort is None else (self.partition, self.sort)

    @cached_property
    def key_attributes(self) -> dict[str, KeyAttribute]:
        """Returns every attribute that takes part in the table's key or in an index's, by name."""
        keys = [self.key, *(index.key for index in self.indexes)]
        return {attribute.name: attribute for key in keys for attribute in key}

    @cached_property
    def all_text(self) -> bool:
        """Whether the primary key is made of strings only, as most are."""
        return all(attribute.type == "S" for attribute in self.key)

    def key_of(self, item: Item) -> Key:
        """Returns the primary key of an item."""
        return tuple([item[attribute.name] for attribute in self.key])

    def is_expired(self, item: Item, now: float) -> bool:
        """Whether an item's time is over, so that it counts as gone although it is there."""
        return self.ttl is not None and has_passed(item.get(self.ttl), now)

    def index(self, name: str) -> Index:
        """Returns an index by name."""
        for index in self.indexes:
            if index.name == name:
                return index
        raise BadDeclaration(f"The table {self.name} has no index {name}.")

    def _check_names(self) -> None:
        """Refuses what DynamoDB refuses, whichever engine is used first."""
        names = [index.name for index in self.indexes]
        for name in (self.name, *names):
            if not _NAME.fullmatch(name):
                raise BadDeclaration(
                    f"{name!r} is no name for a table or an index: it must have 3 to 255 letters, "
                    "digits, underscores, dots or dashes."
                )
        if len(set(names)) < len(names):
            raise BadDeclaration(f"Two indexes of {self.name} have the same name.")
        if len(names) > MAX_INDEXES:
            raise BadDeclaration(f"{self.name} has more than {MAX_INDEXES} indexes.")
        for key in (self.key, *(index.key for index in self.indexes)):
            if len({attribute.name for attribute in key}) < len(key):
                raise BadDeclaration(f"A key of {self.name} names {key[0].name} twice.")
        for name in self.key_attributes:
            if not 0 < len(name.encode()) <= MAX_ATTRIBUTE_BYTES:
                raise BadDeclaration(
                    f"A key attribute of {self.name} must have 1 to {MAX_ATTRIBUTE_BYTES} bytes."
                )

    def _check_types(self) -> None:
        for key in (self.key, *(index.key for index in self.indexes)):
            for attribute in key:
                if self.key_attributes[attribute.name] != attribute:
                    raise BadDeclaration(
                        f"{self.name}.{attribute.name} is text in one key and a number in another."
                    )

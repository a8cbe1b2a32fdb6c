"""Items of a table: the key that a request names, and the filter of what a reader may see."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from commonroom.store.declare.table import Table, has_passed
from commonroom.store.dynamodb.expressions import Placeholders, expired_expression
from commonroom.store.dynamodb_json import Attributes, to_attribute
from commonroom.store.values import Item, Key


def key_attributes(table: Table, key: Key) -> Attributes:
    """A primary key as a request names it."""
    return {
        attribute.name: to_attribute(value) for attribute, value in zip(table.key, key, strict=True)
    }


@dataclass(frozen=True, slots=True)
class ReadFilter:
    """Leaves out what has expired, and kinds that were not asked for; by default, nothing."""

    now: float
    ttl: str | None = None
    discriminator: str | None = None
    kinds: frozenset[str] | None = None

    def admits(self, item: Item) -> bool:
        """Whether an item may be seen."""
        if self.kinds is not None and item.get(self.discriminator or "") not in self.kinds:
            return False
        return self.ttl is None or not has_passed(item.get(self.ttl), self.now)

    def expressions(self, placeholders: Placeholders, key: Collection[str]) -> Iterator[str]:
        """The same in DynamoDB's words, but for attributes of the key that a query goes through."""
        if self.ttl is not None and self.ttl not in key:
            yield f"NOT {expired_expression(self.ttl, placeholders, self.now)}"
        if (
            self.discriminator is not None
            and self.kinds is not None
            and self.discriminator not in key
        ):
            kinds = ", ".join([placeholders.value(kind) for kind in sorted(self.kinds)])
            yield f"{placeholders.name(self.discriminator)} IN ({kinds})"


def read_filter(table: Table, now: float, kinds: frozenset[str] | None = None) -> ReadFilter:
    """The filter for a reader of these kinds."""
    if table.discriminator is None or kinds is None or kinds == table.entities.keys():
        return ReadFilter(now, table.ttl)
    return ReadFilter(now, table.ttl, table.discriminator, kinds)

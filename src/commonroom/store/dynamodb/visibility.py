"""Which items a reader may see: none that has expired, and only those of the kinds asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from commonroom.store.declare.table import Table
from commonroom.store.dynamodb.conditions import expired_expression
from commonroom.store.dynamodb.terms import Terms
from commonroom.store.values import Item


@dataclass(frozen=True, slots=True)
class Visibility:
    """What to leave out; by default, nothing."""

    now: float
    ttl: str | None = None
    discriminator: str | None = None
    kinds: frozenset[str] | None = None

    def sees(self, item: Item) -> bool:
        """Whether an item may be seen."""
        if self.kinds is not None and item.get(self.discriminator or "") not in self.kinds:
            return False
        return self.ttl is None or not expired(item.get(self.ttl), self.now)

    def expressions(self, terms: Terms, key: Collection[str]) -> Iterator[str]:
        """The same in DynamoDB's words, but for attributes of the key that a query goes through."""
        if self.ttl is not None and self.ttl not in key:
            yield f"NOT {expired_expression(self.ttl, terms, self.now)}"
        if (
            self.discriminator is not None
            and self.kinds is not None
            and self.discriminator not in key
        ):
            kinds = ", ".join([terms.value(kind) for kind in sorted(self.kinds)])
            yield f"{terms.name(self.discriminator)} IN ({kinds})"


def visibility(table: Table, now: float, kinds: frozenset[str] | None = None) -> Visibility:
    """What a reader of these kinds may see."""
    if table.discriminator is None or kinds is None or kinds == table.entities.keys():
        return Visibility(now, table.ttl)
    return Visibility(now, table.ttl, table.discriminator, kinds)


def expired(time: object, now: float) -> bool:
    """Whether a TTL attribute's value says that the item's time is over."""
    return isinstance(time, int | float) and not isinstance(time, bool) and time <= now

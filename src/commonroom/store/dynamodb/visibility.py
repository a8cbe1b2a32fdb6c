"""Which items a reader may see: none that has expired, and only those of the kinds asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from commonroom.store.declare.table import Index, Table
from commonroom.store.dynamodb.conditions import expired_expression
from commonroom.store.dynamodb.terms import Terms
from commonroom.store.values import Item


@dataclass(frozen=True, slots=True)
class Visibility:
    """What to leave out; None where nothing is, for that reason."""

    ttl: str | None
    now: float
    discriminator: str | None = None
    kinds: frozenset[str] | None = None

    def sees(self, item: Item) -> bool:
        """Whether an item may be seen, as far as its attributes tell."""
        if self.kinds is not None and item.get(self.discriminator) not in self.kinds:
            return False
        time = item.get(self.ttl) if self.ttl is not None else None
        return type(time) not in (int, float) or time > self.now

    def expressions(self, terms: Terms) -> Iterator[str]:
        """The same in DynamoDB's words; all of them must hold."""
        if self.ttl is not None:
            yield f"NOT {expired_expression(self.ttl, terms, self.now)}"
        if self.kinds is not None and self.discriminator is not None:
            kinds = ", ".join(terms.value(kind) for kind in sorted(self.kinds))
            yield f"{terms.name(self.discriminator)} IN ({kinds})"


def visibility(table: Table, now: float, kinds: frozenset[str] | None = None) -> Visibility:
    """What a reader of whole items may see."""
    if table.discriminator is None or kinds is None or kinds >= table.entities.keys():
        return Visibility(table.ttl, now)
    return Visibility(table.ttl, now, table.discriminator, kinds)


def of_keys(
    table: Table, index: Index | None, now: float, kinds: frozenset[str] | None
) -> tuple[Visibility, Visibility]:
    """What a query can leave to DynamoDB, and what has to be looked at here.

    DynamoDB filters by no attribute of the key that it goes through. An index that carries only
    keys cannot be filtered by what it does not carry.
    """
    whole = visibility(table, now, kinds)
    key = [attribute.name for attribute in (table.key if index is None else index.key)]
    hidden = index is not None and index.keys_only
    primary = [attribute.name for attribute in table.key]

    def chosen(*, here: bool) -> Visibility:
        def kept(name: str | None) -> bool:
            seen = name in key or name in primary or not hidden
            return name is not None and seen and (name in key) is here

        return Visibility(
            whole.ttl if kept(whole.ttl) else None,
            now,
            whole.discriminator if kept(whole.discriminator) else None,
            whole.kinds if kept(whole.discriminator) else None,
        )

    return chosen(here=False), chosen(here=True)

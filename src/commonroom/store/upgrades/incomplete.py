"""Incomplete indexes: an engine refuses to answer from them rather than answer half."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from commonroom.store.declare.fingerprint import fingerprint
from commonroom.store.declare.table import Index, Table
from commonroom.store.errors import BeingUpgraded
from commonroom.store.upgrades.comparison import compare
from commonroom.store.upgrades.tables import TableState

IndexAddress = tuple[str, str]
"""A table and one of its indexes, by name."""


class Incomplete:
    """The indexes of an open store that do not hold everything yet."""

    def __init__(self) -> None:
        self.kinds: dict[IndexAddress, frozenset[str] | None] = {}
        """By index: the kinds of which items may be missing; None stands for all."""
        self.unready: frozenset[IndexAddress] = frozenset()
        """Indexes that the database itself is still making."""
        self.filling = False
        """Whether any item may lack a key."""
        self._done = 0
        self._total = 0

    def update(self, tables: Iterable[Table], states: Mapping[str, TableState]) -> None:
        """Takes over what the tables' states say."""
        filling = [
            (table, states[table.name])
            for table in tables
            if table.name in states and states[table.name].target is not None
        ]
        kinds: dict[IndexAddress, frozenset[str] | None] = {}
        for table, state in filling:
            kinds |= _kinds_by_index(table, state)
        kinds |= dict.fromkeys(self.unready)
        self.kinds = kinds
        self.filling = bool(filling)
        self._done = sum(state.done for _, state in filling)
        self._total = sum(max(state.total, state.done) for _, state in filling)

    def check(self, table: Table, index: Index, kinds: frozenset[str] | None) -> None:
        """Refuses a query of these kinds where the index may lack some of them."""
        place = (table.name, index.name)
        if place not in self.kinds:
            return
        lacking = self.kinds[place]
        if kinds is None or lacking is None or lacking & kinds:
            raise BeingUpgraded(f"This cannot be shown yet. {self.summary}")

    @property
    def summary(self) -> str:
        """How far the upgrade is, in a sentence; empty where there is none."""
        if not self.filling and not self.unready:
            return ""
        if not self._total:
            return "The data is being upgraded."
        return f"The data is being upgraded: {100 * self._done // self._total} %."


def _kinds_by_index(table: Table, state: TableState) -> dict[IndexAddress, frozenset[str] | None]:
    unfilled = compare(state.complete, fingerprint(table)).unfilled
    found: dict[IndexAddress, frozenset[str] | None] = {}
    for index in table.indexes:
        names = {attribute.name for attribute in index.key}
        if kinds := frozenset(kind for kind, changed in unfilled.items() if changed & names):
            found[table.name, index.name] = kinds
    return found

"""The state of every table: which declaration its items are complete for."""

from __future__ import annotations

from typing import Any

from commonroom.store.declare.entity import Entity, Keys
from commonroom.store.declare.fingerprint import Fingerprint
from commonroom.store.declare.patterns import many
from commonroom.store.declare.table import Table

upgrades = Table("Upgrades", room="store", partition="scope", sort="name")


class TableState(Entity, table=upgrades):
    """What a table's items are complete for and, while keys are being filled, how far that is."""

    name: str
    complete: Fingerprint
    """Every item has the keys that this gives it."""
    complete_version: int
    """The version of the table's declaration that this was."""
    target: Fingerprint | None = None
    """What is being filled now; None where nothing is."""
    target_version: int = 0
    position: dict[str, Any] | None = None
    """After which item to go on."""
    done: int = 0
    total: int = 0
    """How many items there were at the beginning, as far as the engine knows."""
    version: int = 0

    keys = Keys(scope="tables")

    @property
    def current(self) -> Fingerprint:
        """Returns the fingerprint that a writer to the table has to keep to."""
        return self.complete if self.target is None else self.target

    @property
    def current_version(self) -> int:
        """The version of that."""
        return self.complete_version if self.target is None else self.target_version


table_states = many(upgrades, "List what the tables are complete for", gives=TableState)

tables = [upgrades]

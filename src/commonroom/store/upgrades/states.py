"""The next state of a table when it is opened with a declaration; the same on both engines."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from commonroom.store.declare.fingerprint import Fingerprint, fingerprint
from commonroom.store.declare.table import Table
from commonroom.store.errors import NewerData, NotAdditive
from commonroom.store.upgrades.comparison import common, compare, merge
from commonroom.store.upgrades.tables import TableState

Baseline = Mapping[str, Fingerprint]
"""By table: what its items are complete for where no state says so."""


def new_state(table: Table) -> TableState:
    """Returns the state of a table that holds nothing yet."""
    return TableState(name=table.name, complete=fingerprint(table), complete_version=table.version)


def unrecorded_state(table: Table, baseline: Baseline, missing: Collection[str] = ()) -> TableState:
    """The state of a table from before states were kept, whose items cannot have some attributes.

    Where the baseline does not know it either, its first version is what it was stored by.
    """
    declared = fingerprint(table)
    known = baseline.get(table.name, declared)
    if table.name not in baseline and table.version > 1:
        missing = declared.types.keys() - {attribute.name for attribute in table.key}
    entities = {
        kind: {name: text for name, text in templates.items() if name not in missing}
        for kind, templates in known.entities.items()
    }
    return TableState(
        name=table.name, complete=replace(known, entities=entities), complete_version=1
    )


def next_state(state: TableState, table: Table) -> TableState:
    """Returns the state after opening: as it was, at once complete, or with keys to fill.

    Raises where a newer version was here, or where the change cannot be made.
    """
    if state.current_version > table.version:
        raise NewerData(
            f"The data of {table.name} was upgraded by a newer Commonroom; use that version, or "
            "restore a backup from before."
        )
    sure = state.complete if state.target is None else common(state.complete, state.target)
    declared = fingerprint(table)
    target = merge(state.current, declared)
    found = compare(sure, declared)
    if found.conflicts:
        raise NotAdditive(
            f"{table.name} is declared in a way that what is stored cannot follow: "
            f"{'; '.join(found.conflicts)}. Export everything with the version that wrote it, and "
            "import that into a new installation."
        )
    if state.target is not None and compare(state.target, declared).covered:
        return replace(state, target=target, target_version=table.version)
    if not found.unfilled:
        return replace(
            state,
            complete=target,
            complete_version=table.version,
            target=None,
            target_version=0,
            position=None,
        )
    return replace(
        state,
        complete=sure,
        target=target,
        target_version=table.version,
        position=None,
        done=0,
        total=0,
    )


def is_same(one: TableState, other: TableState) -> bool:
    """Whether two states say the same, however often they were stored."""
    return replace(one, version=0) == replace(other, version=0)

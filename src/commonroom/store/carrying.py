"""Writes that keep copies true: the original and its known copies in one transaction."""

from __future__ import annotations

from typing import Any

from commonroom.store.conditions import Condition
from commonroom.store.declare.copies import Copy
from commonroom.store.declare.entity import Entity
from commonroom.store.fieldchanges import add
from commonroom.store.operations import Write, update


def update_with_copies(
    original: Entity, *, if_: Condition | None = None, **changes: Any
) -> tuple[Write, ...]:
    """An update of an original, and of every copy whose place the original itself knows."""
    writes = [update(original, if_=if_, **changes)]
    if original.declared.raises_version(changes):
        # What the update raises by itself stands on copies too.
        changes["version"] = add(1)
    for copy in _known(original):
        copied = {
            copy.fields[name]: value for name, value in changes.items() if name in copy.fields
        }
        if copied and copy.known is not None:
            writes += [update(ref, **copied) for ref in copy.known(original)]
    return tuple(writes)


def copied_fields(original: Entity, carrier: type[Entity]) -> dict[str, Any]:
    """The fields that a new carrier takes from its original, references included."""
    fields: dict[str, Any] = {}
    for copy in _known(original):
        if carrier in copy.on:
            fields |= copy.values(original)
            fields |= {field: getattr(original, key) for key, field in copy.refers.items()}
    return fields


def _known(original: Entity) -> list[Copy]:
    table = original.declared.table
    return [copy for copy in table.copies if copy.of is type(original) and copy.known is not None]

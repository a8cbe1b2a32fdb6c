"""Which key attributes an update changes, and what it was computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from commonroom.store.declare.entity import Entity
from commonroom.store.declare.templates import Template
from commonroom.store.engine import Action
from commonroom.store.errors import UnknownField
from commonroom.store.fieldchanges import Change


@dataclass(frozen=True, slots=True)
class KeyChanges:
    """Actions that keep the keys true, and the fields that must not have changed meanwhile."""

    actions: list[Action]
    held: dict[str, Any]


def key_changes(
    kind: type[Entity], known: Mapping[str, Any], changes: Mapping[str, Any]
) -> KeyChanges:
    """What to recompute when these fields change, given what is known of the others."""
    actions: list[Action] = []
    held: dict[str, Any] = {}
    for attribute, made in kind.declared.derived.items():
        if changes.keys().isdisjoint(made.fields):
            continue
        values = {name: _value(kind, attribute, made, name, known, changes) for name in made.fields}
        key = made.value(values)
        actions.append(
            Action("remove", attribute) if key is None else Action("set", attribute, key)
        )
        unchanged = values.keys() - changes.keys() - set(kind.declared.primary_fields)
        held |= {name: values[name] for name in unchanged}
    return KeyChanges(actions, held)


def _value(
    kind: type[Entity],
    attribute: str,
    made: Template,
    field: str,
    known: Mapping[str, Any],
    changes: Mapping[str, Any],
) -> Any:
    if field not in changes:
        if field not in known:
            raise UnknownField(
                f"Changing {kind.__name__} so needs {field} for {attribute}: "
                f"give the thing as it was read, not only where it is."
            )
        return known[field]
    if isinstance(changes[field], Change):
        raise UnknownField(
            f"{kind.__name__}.{field} takes part in {attribute} ({made.text}): set it to a value."
        )
    return changes[field]

"""Which key attributes an update changes, and what it was computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from commonroom.store.declare.entity import Entity
from commonroom.store.declare.key_templates import Template
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
        _check(kind, attribute, made, known, changes)
        values = {name: changes[name] if name in changes else known[name] for name in made.fields}
        key = made.value(values)
        actions.append(
            Action("remove", attribute) if key is None else Action("set", attribute, key)
        )
        unchanged = values.keys() - changes.keys() - set(kind.declared.primary_fields)
        held |= {name: values[name] for name in unchanged}
    return KeyChanges(actions, held)


def _check(
    kind: type[Entity],
    attribute: str,
    made: Template,
    known: Mapping[str, Any],
    changes: Mapping[str, Any],
) -> None:
    """Refuses a change whose key cannot be worked out before it is made."""
    for field in made.fields:
        if isinstance(changes.get(field), Change):
            raise UnknownField(
                f"{kind.__name__}.{field} takes part in {attribute} ({made.text}): set it outright."
            )
        if field not in changes and field not in known:
            raise UnknownField(
                f"Changing {kind.__name__} so needs {field} for {attribute}: "
                f"give the thing as it was read, not only where it is."
            )

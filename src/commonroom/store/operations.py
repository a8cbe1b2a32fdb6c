"""The parts of a write, by field name: put, create, update, delete, check, move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from commonroom.store.conditions import (
    Compare,
    Condition,
    absent,
    all_of,
    equals_or_absent,
    new,
    stored,
)
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.engine import Action, Operation
from commonroom.store.errors import UnknownField
from commonroom.store.fieldchanges import Change
from commonroom.store.fields import attribute_of, bound, defaults, plain
from commonroom.store.keychanges import key_changes

E = TypeVar("E", bound=Entity)


class Write(msgspec.Struct, frozen=True):
    """One operation, ready for `Store.write`."""

    operation: Operation
    entity_type: type[Entity]


def put(entity: Entity, *, if_: Condition | None = None) -> Write:
    """Stores a thing whole, in place of what is under its key."""
    kind = type(entity)
    item = entity.to_item()
    try:
        key = tuple([item[attribute.name] for attribute in kind.declared.table.key])
    except KeyError:
        key = entity.ref.key  # a part of it has no value, and this says so
    operation = Operation("put", kind.declared.table, key, _condition(kind, if_), item)
    return Write(operation, kind)


def create(entity: Entity) -> Write:
    """Stores a thing on condition that nothing is under its key yet."""
    return put(entity, if_=new)


def delete(what: Entity | Ref[E], *, if_: Condition | None = None) -> Write:
    """Removes a thing; without a condition, it need not be there."""
    ref = _ref(what)
    return Write(
        Operation("delete", ref.entity.declared.table, ref.key, _condition(ref.entity, if_)),
        ref.entity,
    )


def check(what: Entity | Ref[E], *, if_: Condition) -> Write:
    """Changes nothing, and lets the write happen only if the condition holds."""
    ref = _ref(what)
    return Write(
        Operation("check", ref.entity.declared.table, ref.key, _condition(ref.entity, if_)),
        ref.entity,
    )


def update(what: Entity | Ref[E], *, if_: Condition | None = None, **changes: Any) -> Write:
    """Changes fields of a thing that is stored: a value sets, None removes, or `add`, `append`, ….

    Every key attribute that depends on a changed field is recomputed in the same write, and what it
    was computed from is held by a condition. A thing with a `version` is held by that instead,
    which every edit raises; changing only fields that are declared `unversioned` is no edit.
    """
    ref = _ref(what)
    kind = ref.entity
    known = _known(what, ref)
    actions = [_action(kind, name, change) for name, change in changes.items()]
    keys = key_changes(kind, known, changes)
    actions += keys.actions
    held = keys.held
    if kind.declared.raises_version(changes):
        name = attribute_of(kind, "version")
        if "version" in known:
            # Set, because what was read may have been the default for one that is absent.
            actions.append(Action("set", name, known["version"] + 1))
            held = {"version": known["version"]}
        else:
            actions.append(Action("add", name, 1))
    conditions = [_as_read(kind, name, value) for name, value in held.items()]
    operation = Operation(
        "update",
        kind.declared.table,
        ref.key,
        all_of(
            _of_its_kind(kind), _condition(kind, if_), *(bound(kind, one) for one in conditions)
        ),
        actions=tuple(actions),
    )
    return Write(operation, kind)


def move(entity: E, **changes: Any) -> tuple[Write, Write]:
    """Gives a thing another primary key: deletes it where it is, unchanged, and creates it anew."""
    moved = msgspec.structs.replace(entity, **changes)
    declared = entity.declared
    names = ["version", *declared.unversioned] if declared.versioned else declared.attributes
    as_read = all_of(*(_as_read(type(entity), name, getattr(entity, name)) for name in names))
    return delete(entity, if_=as_read), create(moved)


def _as_read(kind: type[Entity], name: str, value: Any) -> Condition:
    """That a field still has the value it was read with: a default may have stood for absence."""
    same = equals_or_absent(name, value)
    default = defaults(kind).get(name)
    return same | absent(name) if value is not None and value == default else same


def _ref(what: Entity | Ref[Any]) -> Ref[Any]:
    return what if isinstance(what, Ref) else what.ref


def _known(what: Entity | Ref[Any], ref: Ref[Any]) -> Mapping[str, Any]:
    if isinstance(what, Ref):
        return ref.fields
    return {name: getattr(what, name) for name in what.declared.attributes}


def _of_its_kind(kind: type[Entity]) -> Condition:
    """That it is stored, and not something else under the same key."""
    discriminator = kind.declared.table.discriminator
    return stored if discriminator is None else Compare(discriminator, "=", kind.declared.kind)


def _condition(kind: type[Entity], condition: Condition | None) -> Condition | None:
    return bound(kind, condition) if condition is not None else None


def _action(kind: type[Entity], name: str, change: Any) -> Action:
    attribute = attribute_of(kind, name)
    if name in kind.declared.primary_fields:
        raise UnknownField(
            f"{kind.__name__}.{name} is part of the primary key; `move` gives a thing another key."
        )
    if isinstance(change, Change):
        return Action(change.kind, attribute, plain(kind, name, change.value, change.kind))
    value = plain(kind, name, change, "set")
    return Action("remove", attribute) if value is None else Action("set", attribute, value)

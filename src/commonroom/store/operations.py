"""Operations of a write, by field name: put, create, update, delete, check, move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from commonroom.store.conditions import (
    AllOf,
    Compare,
    Condition,
    absent,
    all_of,
    equals_or_absent,
    new,
    stored,
)
from commonroom.store.declare.copies import Copy
from commonroom.store.declare.entity import Entity, Ref
from commonroom.store.declare.plain_fields import has_plain_fields
from commonroom.store.declare.relations import Increment
from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.errors import UnknownField
from commonroom.store.updates import (
    FieldUpdate,
    add,
    attribute_of,
    bind_condition,
    checked_value,
    field_defaults,
    key_updates,
)

E = TypeVar("E", bound=Entity)


class Write(msgspec.Struct, frozen=True):
    """One operation, ready for `Store.write`."""

    operation: WriteOperation
    entity_type: type[Entity]
    joins: bool = False
    """Whether it follows from a relation, and is one with another operation on the same item."""
    increments: tuple[Increment, ...] = ()
    """What it adds to counts."""


def put(entity: Entity, *, if_: Condition | None = None) -> Write:
    """Stores a thing whole, in place of what is under its key."""
    kind = type(entity)
    item = entity.to_item()
    try:
        key = kind.schema.table.key_of(item)
    except KeyError:
        key = entity.ref.key  # a part of it has no value, and this says so
    operation = WriteOperation(
        "put", kind.schema.table, key, _condition(kind, if_), item, plain=has_plain_fields(kind)
    )
    return Write(operation, kind)


def create(entity: Entity) -> Write:
    """Stores a thing on condition that nothing is under its key yet."""
    return put(entity, if_=new)


def delete(what: Entity | Ref[E], *, if_: Condition | None = None) -> Write:
    """Removes a thing; without a condition, it need not be there."""
    ref = _ref(what)
    return Write(
        WriteOperation("delete", ref.entity.schema.table, ref.key, _condition(ref.entity, if_)),
        ref.entity,
    )


def check(what: Entity | Ref[E], *, if_: Condition) -> Write:
    """Changes nothing, and lets the write happen only if the condition holds."""
    ref = _ref(what)
    return Write(
        WriteOperation("check", ref.entity.schema.table, ref.key, _condition(ref.entity, if_)),
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
    known = _known_fields(what, ref)
    actions = [_action(kind, name, change) for name, change in changes.items()]
    keys = key_updates(kind, known, changes)
    actions += keys.actions
    held = keys.held
    if kind.schema.raises_version(changes):
        name = attribute_of(kind, "version")
        if "version" in known:
            # Set, because what was read may have been the default for one that is absent.
            actions.append(AttributeChange("set", name, known["version"] + 1))
            held = {"version": known["version"]}
        else:
            actions.append(AttributeChange("add", name, 1))
    conditions = [_as_read(kind, name, value) for name, value in held.items()]
    operation = WriteOperation(
        "update",
        kind.schema.table,
        ref.key,
        all_of(
            _is_of_kind(kind),
            _condition(kind, if_),
            *(bind_condition(kind, one) for one in conditions),
        ),
        actions=tuple(actions),
    )
    return Write(operation, kind)


def move(entity: E, **changes: Any) -> tuple[Write, Write]:
    """Returns the writes that change a primary key: deletes the unchanged item, creates it anew."""
    moved = msgspec.structs.replace(entity, **changes)
    schema = entity.schema
    names = ["version", *schema.unversioned] if schema.versioned else schema.attributes
    as_read = all_of(*(_as_read(type(entity), name, getattr(entity, name)) for name in names))
    return delete(entity, if_=as_read), create(moved)


def as_read(thing: Entity, *fields: str) -> Condition:
    """That a thing is still there, and fields of it are as they were read."""
    parts = [_as_read(type(thing), name, getattr(thing, name)) for name in fields]
    return AllOf((stored, *parts))


def _as_read(kind: type[Entity], name: str, value: Any) -> Condition:
    """That a field still has the value it was read with: a default may have stood for absence."""
    unchanged = equals_or_absent(name, value)
    default = field_defaults(kind).get(name)
    return unchanged | absent(name) if value is not None and value == default else unchanged


def _ref(what: Entity | Ref[Any]) -> Ref[Any]:
    return what if isinstance(what, Ref) else what.ref


def _known_fields(what: Entity | Ref[Any], ref: Ref[Any]) -> Mapping[str, Any]:
    if isinstance(what, Ref):
        return ref.fields
    return {name: getattr(what, name) for name in what.schema.attributes}


def _is_of_kind(kind: type[Entity]) -> Condition:
    """That it is stored, and not something else under the same key."""
    discriminator = kind.schema.table.discriminator
    return stored if discriminator is None else Compare(discriminator, "=", kind.schema.kind)


def _condition(kind: type[Entity], condition: Condition | None) -> Condition | None:
    return bind_condition(kind, condition) if condition is not None else None


def _action(kind: type[Entity], name: str, change: Any) -> AttributeChange:
    attribute = attribute_of(kind, name)
    if name in kind.schema.primary_fields:
        raise UnknownField(
            f"{kind.__name__}.{name} is part of the primary key; `move` gives a thing another key."
        )
    if isinstance(change, FieldUpdate):
        return AttributeChange(
            change.kind, attribute, checked_value(kind, name, change.value, change.kind)
        )
    return AttributeChange.assign(attribute, checked_value(kind, name, change, "set"))


def update_with_copies(
    original: Entity, *, if_: Condition | None = None, **changes: Any
) -> tuple[Write, ...]:
    """Returns an update of an original, and of every copy whose place the original itself knows."""
    writes = [update(original, if_=if_, **changes)]
    if original.schema.raises_version(changes):
        # What the update raises by itself stands on copies too.
        changes["version"] = add(1)
    for copy in _known_copies(original):
        copied = {
            copy.fields[name]: value for name, value in changes.items() if name in copy.fields
        }
        if copied and copy.known is not None:
            writes += [update(ref, **copied) for ref in copy.known(original)]
    return tuple(writes)


def copied_fields(original: Entity, carrier: type[Entity]) -> dict[str, Any]:
    """Returns the fields that a new carrier takes from its original, references included."""
    fields: dict[str, Any] = {}
    for copy in _known_copies(original):
        if carrier in copy.on:
            fields |= copy.values(original)
            fields |= {field: getattr(original, key) for key, field in copy.refers.items()}
    return fields


def _known_copies(original: Entity) -> list[Copy]:
    table = original.schema.table
    return [copy for copy in table.copies if copy.of is type(original) and copy.known is not None]

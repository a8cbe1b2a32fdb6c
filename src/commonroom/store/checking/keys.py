"""The key check: every key attribute is what its template gives."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from commonroom.store.checking.checks import Problem, StoredEntity
from commonroom.store.conditions import Compare, Condition, Has, all_of
from commonroom.store.declare.key_templates import KeyTemplate
from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.operations import Write
from commonroom.store.store import Store
from commonroom.store.values import KeyValue, same_value


class KeyCheck:
    """Compares keys with what the fields give; of index keys, it knows the repair."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:  # noqa: ARG002 - an item says all
        """Yields what is wrong with the keys of these things."""
        for thing in things:
            for problem in key_problems(thing):
                yield problem


def key_problems(thing: StoredEntity) -> Iterator[Problem]:
    """What is wrong with the keys of a thing; each but a wrong primary key with its repair."""
    table = thing.entity.schema.table
    wrong: dict[str, KeyValue | None] = {}
    for name in table.key_attributes:
        made = thing.entity.schema.templates.get(name)
        try:
            value = None if made is None else _compute(made, thing)
        except Exception as error:  # a template may fail in any way on what it never expected
            yield _problem(thing, f"{name} cannot be worked out: {error}")
            continue
        if not same_value(thing.item.get(name), value):
            wrong[name] = value
    primary = [attribute.name for attribute in table.key if attribute.name in wrong]
    if primary:
        should = ", ".join(f"{name} should be {wrong[name]!r}" for name in primary)
        yield _problem(thing, f"It is stored under a wrong primary key: {should}.")
    elif wrong:
        yield _problem(thing, _sentence(thing, wrong), _repair(thing, wrong))


def _compute(made: KeyTemplate, thing: StoredEntity) -> KeyValue | None:
    return made.value({name: getattr(thing.entity, name) for name in made.fields})


def _problem(thing: StoredEntity, detail: str, *repair: Write) -> Problem:
    return Problem("keys", thing.entity.schema.table.name, thing.key, detail, repair)


def _sentence(thing: StoredEntity, wrong: dict[str, KeyValue | None]) -> str:
    parts = [_part(name, thing.item.get(name), value) for name, value in wrong.items()]
    return f"{'; '.join(parts)}."


def _part(name: str, found: Any, value: KeyValue | None) -> str:
    if value is None:
        return f"{name} should be absent and is {found!r}"
    return f"{name} should be {value!r} and is {'absent' if found is None else repr(found)}"


def _repair(thing: StoredEntity, wrong: dict[str, KeyValue | None]) -> Write:
    """Sets the keys, if everything that they were worked out from is still as it was read."""
    schema = thing.entity.schema
    fields = {name for key in wrong if key in schema.templates for name in _fields(thing, key)}
    held = [*wrong, *(schema.attributes[name] for name in sorted(fields))]
    operation = WriteOperation(
        "update",
        schema.table,
        thing.key,
        all_of(*(as_read_in(thing, name) for name in held)),
        actions=tuple(AttributeChange.assign(name, value) for name, value in wrong.items()),
    )
    return Write(operation, type(thing.entity))


def _fields(thing: StoredEntity, key: str) -> Sequence[str]:
    return thing.entity.schema.templates[key].fields


def as_read_in(thing: StoredEntity, name: str) -> Condition:
    """That an attribute is as it was read."""
    if name in thing.item:
        return Compare(name, "=", thing.item[name])
    return Has(name, wanted=False)

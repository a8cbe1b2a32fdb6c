"""The completeness check: every item has the attributes that it is read with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from commonroom.store.checking.checks import Problem, StoredEntity
from commonroom.store.checking.keys import as_read_in
from commonroom.store.conditions import all_of
from commonroom.store.declare.completion import completed
from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.operations import Write
from commonroom.store.store import Store
from commonroom.store.values import Item


class CompletenessCheck:
    """Finds items that hold only what a data model names, as other applications write them.

    They are read as if they were whole; but no condition can hold what is not there.
    """

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:  # noqa: ARG002 - an item says all
        """Yields which of these things lack something."""
        for thing in things:
            table = thing.entity.schema.table
            whole = completed(table, thing.item)
            if whole is not thing.item:
                yield _problem(thing, _differences(thing.item, whole))


def _differences(item: Item, whole: Item) -> Item:
    """Returns what is to be set, or taken away by None."""
    added = {name: value for name, value in whole.items() if item.get(name) is None}
    return added | {name: None for name in item if name not in whole}


def _problem(thing: StoredEntity, changes: Item) -> Problem:
    table = thing.entity.schema.table
    actions = tuple(AttributeChange.assign(name, value) for name, value in changes.items())
    held = all_of(*(as_read_in(thing, name) for name in changes))
    operation = WriteOperation("update", table, thing.key, held, actions=actions)
    detail = f"It lacks {', '.join(changes)}."
    return Problem(
        "completeness", table.name, thing.key, detail, (Write(operation, type(thing.entity)),)
    )

"""Competing writers, who do nothing that any other user of the store could not do as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from commonroom.store.conditions import AllOf, AnyOf, Compare, Condition
from commonroom.store.engine import AttributeChange, Engine, WriteOperation
from commonroom.store.errors import ConditionFailed


async def raise_version(engine: Engine, operations: Sequence[WriteOperation]) -> bool:
    """Edits the first thing whose version a write holds, so that the write comes too late.

    Only the version changes: whoever holds one must be ready for that, whatever else it does.
    """
    for operation in operations:
        for held in _held(operation.condition):
            if held.name in _versions(operation):
                edit = AttributeChange("add", held.name, 1)
                rival = WriteOperation(
                    "update", operation.table, operation.key, held, actions=(edit,)
                )
                with suppress(ConditionFailed):
                    await engine.write([rival])
                    return True
    return False


def _versions(operation: WriteOperation) -> set[str]:
    entities = [entity.schema for entity in operation.table.entities.values()]
    return {entity.attributes["version"] for entity in entities if entity.versioned}


def _held(condition: Condition | None) -> Iterator[Compare]:
    """What a condition needs to be equal, whatever else it needs."""
    match condition:
        case Compare(sign="="):
            yield condition
        # A version may also be absent where its default was read.
        case AllOf(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from _held(part)

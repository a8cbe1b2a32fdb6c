"""Stream consumers that update copies when originals change, where one transaction cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.store.conditions import equal
from commonroom.store.declare.copies import Copy
from commonroom.store.declare.entity import Entity
from commonroom.store.errors import ConditionFailed, StoreError
from commonroom.store.operations import update
from commonroom.store.store import Store
from commonroom.store.streams.consumer import Change, Consumer

TRIES = 5


def copy_consumers(copies: Sequence[Copy]) -> list[Consumer]:
    """Returns one consumer for each kind of original whose copies have to be found."""
    found = [copy for copy in copies if copy.found is not None]
    originals = {copy.of: [one for one in found if one.of is copy.of] for copy in found}
    return [_consumer(original, theirs) for original, theirs in originals.items()]


def _consumer(original: type[Entity], copies: Sequence[Copy]) -> Consumer:
    async def handle(store: Store, change: Change) -> None:
        if change.new is None:
            return
        for copy in copies:
            if change.old is None or _differs(copy, change):
                await update_copies(store, copy, change.new)

    name = f"copies-of-{original.schema.table.name}-{original.__name__}"
    does = " ".join(copy.description for copy in copies)
    return Consumer(name, (original,), handle, does=does)


def _differs(copy: Copy, change: Change) -> bool:
    return any(getattr(change.old, name) != getattr(change.new, name) for name in copy.fields)


async def update_copies(store: Store, copy: Copy, changed: Entity) -> None:
    """Makes every copy equal to its original as it is now, however late or often this runs."""
    original = await store.get(changed.ref)
    if original is None or copy.found is None:
        return
    failed: StoreError | None = None
    async for found in store.all(copy.found(original)):
        carrier = found if copy.carrier is None else await store.get(copy.carrier(found))
        if type(carrier) not in copy.on:
            continue
        try:
            await _update(store, copy, original, carrier)
        except StoreError as error:
            # The others are not to wait for it; the next try finds those that are left.
            failed = error
    if failed is not None:
        raise failed


async def _update(store: Store, copy: Copy, original: Entity, carrier: Any) -> None:
    for _ in range(TRIES):
        if (
            carrier is None
            or copy.original(carrier) != original.ref
            or is_current(copy, original, carrier)
        ):
            return
        references = {field: getattr(carrier, field) for field in copy.refers.values()}
        held = {k: v for k, v in references.items() if k not in carrier.schema.primary_fields}
        try:
            await store.write(
                update(carrier, **copy.values(original), if_=equal(**held) if held else None)
            )
        except ConditionFailed:
            # It was changed meanwhile, or the index was behind: look at it as it is now.
            carrier = await store.get(carrier.ref)
        else:
            return
    raise ConditionFailed(0, None, f"A {type(carrier).__name__} keeps changing; it is tried later.")


def is_current(copy: Copy, original: Entity | None, carrier: Entity) -> bool:
    """Whether a copy is what its original says."""
    return all(getattr(carrier, field) == value for field, value in copy.values(original).items())

"""Fills keys that are new: reads a table page by page, and rewrites the items that lack them.

Any number of processes may do so at once and be killed at any moment: every step is a conditional
write, and the position in the table is stored with the table's state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec.structs import replace

from commonroom.concurrency import gather_each
from commonroom.store.checking.checks import StoredEntity, decode_stored
from commonroom.store.checking.keys import key_problems
from commonroom.store.conditions import equal
from commonroom.store.declare.completion import canonical_key
from commonroom.store.declare.fingerprint import fingerprint
from commonroom.store.declare.table import Table
from commonroom.store.errors import ConditionFailed, Unavailable
from commonroom.store.operations import Write, put
from commonroom.store.store import Store
from commonroom.store.upgrades.comparison import compare
from commonroom.store.upgrades.tables import TableState
from commonroom.store.values import Item

PAGE = 100
CONCURRENT_WRITES = 100
"""All of a page, which the embedded engine then makes durable by one commit."""
MAX_ATTEMPTS = 10
"""How often an item is looked at again because it changed just then."""

Progress = Callable[[str, int, int], None]
"""Told a table's name, how many of its items are done, and of how many."""


async def fill_keys(store: Store, table: Table, progress: Progress) -> None:
    """Writes the keys that a table's declaration wants to every item that lacks them."""
    while (state := await store.get(TableState.at(name=table.name))) is not None:
        progress(table.name, state.done, max(state.done, state.total))
        if state.target is None or not compare(state.target, fingerprint(table)).covered:
            return
        after = await _fill_page(store, table, state)
        try:
            await store.write(put(after, if_=equal(version=state.version)))
        except ConditionFailed:
            continue  # another process was at the same page; go on where it is


async def _fill_page(store: Store, table: Table, state: TableState) -> TableState:
    """Fills the next page, and returns the state that says so."""
    rows = await store.engine.scan(table, limit=PAGE, start=state.position)
    kinds = compare(state.complete, fingerprint(table)).unfilled.keys()
    await gather_each(
        lambda item: _fill_item(store, table, kinds, item), rows.items, limit=CONCURRENT_WRITES
    )
    done = state.done + len(rows.items)
    if rows.next is not None or state.target is None:
        return replace(state, position=rows.next, done=done, version=state.version + 1)
    return TableState(
        name=state.name,
        complete=state.target,
        complete_version=state.target_version,
        done=done,
        total=done,
        version=state.version + 1,
    )


async def _fill_item(store: Store, table: Table, kinds: Collection[str], item: Item) -> None:
    """Sets one item's keys if what they are computed from is still so; otherwise looks again."""
    found: Item | None = item
    for _ in range(MAX_ATTEMPTS):
        repair = () if found is None else _repair(table, kinds, found)
        if not repair:
            return
        try:
            await store.write(*repair)
        except ConditionFailed:
            (found,) = await store.engine.batch_get([(table, table.key_of(item))])
        else:
            return
    raise Unavailable(f"An item of {table.name} changes too often to be upgraded; try again.")


def _repair(table: Table, kinds: Collection[str], item: Item) -> tuple[Write, ...]:
    """The write that sets an item's keys; none where they are right, or where nobody can say."""
    thing = decode_stored(table, item)
    if not isinstance(thing, StoredEntity) or _kind(thing) not in kinds:
        return ()
    return next((one.repair for one in key_problems(thing) if one.repair), ())


def _kind(thing: StoredEntity) -> str:
    return thing.entity.schema.kind or type(thing.entity).__name__


def with_current_keys(table: Table, item: Item, *, whole: bool = False) -> Item:
    """Returns an item with the keys that its declaration wants now, as far as it can be read.

    Of its primary key only the form changes, such as of a moment that has no milliseconds. `whole`
    adds what is read as a default, as if it had been written here: conditions can hold it then.
    """
    thing = decode_stored(table, item)
    if not isinstance(thing, StoredEntity):
        return item
    if whole:
        item = thing.entity.to_item() | item
        thing = StoredEntity(thing.key, item, thing.entity)
    key = canonical_key(type(thing.entity), thing.key)
    if key is not None and key != thing.key and key == thing.entity.ref.key:
        item = item | {one.name: value for one, value in zip(table.key, key, strict=True)}
        thing = StoredEntity(key, item, thing.entity)
    for problem in key_problems(thing):
        for repair in problem.repair:
            actions = {action.name: action.value for action in repair.operation.actions}
            return {name: value for name, value in (item | actions).items() if value is not None}
    return item

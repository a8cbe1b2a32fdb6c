"""Loading: every line becomes an item as it is stored here, or is set aside with the reason."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from commonroom.adoption.neighbours import ImportedNeighbours
from commonroom.adoption.originals import CopyOriginals
from commonroom.adoption.set_aside import SetAside
from commonroom.store import Store, put
from commonroom.store.checking.checks import Problem, StoredEntity, decode_stored
from commonroom.store.declare.table import Table
from commonroom.store.errors import Refused, StoreError, Unavailable
from commonroom.store.limits import BATCH
from commonroom.store.streams.tables import AdoptionState
from commonroom.store.transfer import ForeignLine, ForeignTable, read_lines, storable
from commonroom.store.values import Item, same_value

LINES = 500
"""How many lines are stored between two notes of how far it has come."""

Progress = Callable[[str, int], None]
Others = tuple[ImportedNeighbours, CopyOriginals]
"""What other lines say of an item."""


async def load(
    store: Store,
    state: AdoptionState,
    sources: Sequence[ForeignTable],
    aside: SetAside,
    progress: Progress,
) -> AdoptionState:
    """Stores what was not stored before, and notes after every part how far it has come."""
    neighbours = ImportedNeighbours.of(sources)
    originals = CopyOriginals.of(sources, neighbours.filled)
    files = [(source.table, file) for source in sources for file in source.files]
    for number, (table, file) in enumerate(files):
        if number < state.file:
            continue
        for some in _parts(read_lines(file, after=state.line)):
            count = await _load_part(store, table, some, (neighbours, originals), aside)
            adopted = state.adopted | {table.name: state.adopted.get(table.name, 0) + count}
            state = replace(state, line=some[-1].number, adopted=adopted, aside_bytes=aside.keep())
            await store.write(put(state))
            progress(table.name, len(some))
        state = replace(state, file=number + 1, line=0)
        await store.write(put(state))
    state = replace(state, is_loaded=True, aside_bytes=aside.keep())
    await store.write(put(state))
    return state


async def _load_part(
    store: Store,
    table: Table,
    lines: Sequence[ForeignLine],
    others: Others,
    aside: SetAside,
) -> int:
    """Stores some lines; what stands under their keys already stays."""
    wanted: dict[Any, Item] = {}
    repeated: list[Item] = []
    for line in lines:
        item = _fitting(table, line, others, aside)
        if item is None:
            continue
        before = wanted.setdefault(table.key_of(item), item)
        if not same_value(before, item):
            repeated.append(item)
    there = await stored_items(store, table, list(wanted.values()))
    known = [one for key, one in wanted.items() if key in there]
    differing = [one for one in known if not same_value(there[table.key_of(one)], one)]
    for item in (*repeated, *differing):
        aside.add(table.name, table.key_of(item), "Another item has the same key.", item)
    fresh = [one for key, one in wanted.items() if key not in there]
    await put_items(store, table, fresh)
    for other, items in others[0].accounts_of(table, list(wanted.values())):
        here = await stored_items(store, other, items)
        await put_items(store, other, [one for one in items if other.key_of(one) not in here])
    return len(wanted) - len(differing)


def _fitting(table: Table, line: ForeignLine, others: Others, aside: SetAside) -> Item | None:
    """Returns the item of a line as it is stored here; None where it is set aside."""
    if line.item is None:
        aside.add(table.name, (), line.reason, line.text)
        return None
    try:
        neighbours, originals = others
        item = storable(table, neighbours.filled(table, line.item))
        return originals.with_copies(_at_its_place(table, item))
    except Refused as error:
        key = tuple(line.item.get(one.name, "") for one in table.key)
        aside.add(table.name, key, error.detail, line.item)
        return None


def _at_its_place(table: Table, item: Item) -> StoredEntity:
    """What an item is; refuses what nobody would find: of no kind of ours, elsewhere, or over."""
    thing = decode_stored(table, item)
    if isinstance(thing, Problem):
        raise Refused(thing.detail)
    try:
        expected = thing.entity.ref.key
    except StoreError as error:
        raise Refused(f"It has no key: {error.detail}") from error
    if expected != thing.key:
        raise Refused(f"Its attributes belong under the key {' / '.join(map(str, expected))}.")
    if table.is_expired(item, time.time()):
        raise Refused("Its time is over: the database would have removed it.")
    return thing


async def stored_items(store: Store, table: Table, items: Sequence[Item]) -> dict[Any, Item]:
    """Returns what stands under the keys of some items, by key."""
    found: dict[Any, Item] = {}
    for start in range(0, len(items), BATCH):
        places = [(table, table.key_of(item)) for item in items[start : start + BATCH]]
        for (_, key), item in zip(places, await store.engine.batch_get(places), strict=True):
            if item is not None:
                found[key] = item
    return found


async def put_items(store: Store, table: Table, items: Sequence[Item]) -> None:
    """Stores items under keys that are free."""
    if not items:
        return
    try:
        await store.engine.load(table, items)
    except StoreError as error:
        raise Unavailable(
            f"The adoption stopped: {error.detail} Run it again with the same files to go on."
        ) from error


def _parts(lines: Iterator[ForeignLine]) -> Iterator[list[ForeignLine]]:
    while some := list(islice(lines, LINES)):
        yield some


def digest_of(sources: Sequence[ForeignTable]) -> str:
    """Returns what the files of an adoption are known by: their tables, names and sizes."""
    named = [
        (source.table.name, file.name, file.stat().st_size)
        for source in sources
        for file in source.files
    ]
    return blake2b(msgspec.json.encode(named), digest_size=16).hexdigest()

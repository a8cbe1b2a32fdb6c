"""Loads an export that was checked into an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from commonroom.store.declare.table import Table
from commonroom.store.engine import Engine
from commonroom.store.errors import StoreError, Unavailable
from commonroom.store.transfer.reading import Export, items
from commonroom.store.values import Item

BATCH_ITEMS = 500
BATCH_BYTES = 4 * 1024 * 1024


async def tables_in_use(engine: Engine, tables: Sequence[Table]) -> list[str]:
    """Which of these tables hold something."""
    return [table.name for table in tables if await _holds_something(engine, table)]


async def load(
    engine: Engine, exports: Sequence[Export], told: Callable[[str, int], None]
) -> dict[str, int]:
    """Puts every item, in place of what is under its key, and says how many of each table."""
    counts: dict[str, int] = {}
    for export in exports:
        counts[export.table.name] = 0
        for batch in _batches(export):
            try:
                await engine.load(export.table, batch)
            except StoreError as error:
                raise Unavailable(
                    f"The import stopped after {sum(counts.values()):,} items: {error.detail} "
                    "What was imported is there; run it again with --replace to go on, and let no "
                    "check repair anything before that."
                ) from error
            counts[export.table.name] += len(batch)
            told(export.table.name, len(batch))
    return counts


async def _holds_something(engine: Engine, table: Table) -> bool:
    start = None
    while True:
        # A page can be empty and yet not the last: what has expired is left out.
        rows = await engine.scan(table, limit=100, start=start)
        start = rows.next
        if rows.items or start is None:
            return bool(rows.items)


def _batches(export: Export) -> Iterator[list[Item]]:
    batch: list[Item] = []
    size = 0
    for file in export.files:
        for item, length in items(export, file):
            batch.append(item)
            size += length
            if len(batch) >= BATCH_ITEMS or size >= BATCH_BYTES:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch

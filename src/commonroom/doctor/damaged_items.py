"""Damaged items: how many of what is stored cannot be decoded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from commonroom.joins.findings import Finding, ok, problem
from commonroom.store import Store, Table
from commonroom.store.checking.checks import Problem, decode_stored

PAGE = 1000
MAX_ON_DYNAMODB = 10_000
"""How many items of each table are looked at where every read costs money."""


async def examine_items(store: Store, tables: Sequence[Table]) -> Finding:
    """Decodes everything in the data file; in DynamoDB, the first items of each table."""
    most = None if store.engine.name == "embedded" else MAX_ON_DYNAMODB
    looked_at = 0
    damaged: Counter[str] = Counter()
    for table in tables:
        seen, found = await _count(store, table, most)
        looked_at += seen
        damaged[table.name] += found
    if not damaged.total():
        return ok("items", f"{looked_at:,} looked at; all can be decoded")
    listed = ", ".join(f"{count:,} of {name}" for name, count in damaged.items() if count)
    return problem(
        "items",
        f"{damaged.total():,} of {looked_at:,} cannot be decoded: {listed}",
        "`commonroom check` names them and says what is wrong. Everything else works; pages leave "
        "them out and say so.",
    )


async def _count(store: Store, table: Table, most: int | None) -> tuple[int, int]:
    """Returns how many items of a table were looked at, and how many of them are damaged."""
    start, seen, damaged = None, 0, 0
    while most is None or seen < most:
        rows = await store.engine.scan(table, limit=PAGE, start=start)
        wrong = [one for one in rows.items if isinstance(decode_stored(table, one), Problem)]
        damaged += len(rows.damaged) + len(wrong)
        seen += len(rows.items) + len(rows.damaged)
        start = rows.next
        if start is None:
            break
    return seen, damaged

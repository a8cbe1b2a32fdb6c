"""Durable writes of many at once to the embedded engine, against one commit at a time by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from benchmarks.bare import BareWrites, record_of, row_of
from benchmarks.library import Book, books, media
from benchmarks.measuring import seconds_per_call
from benchmarks.report import Comparison, speed
from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine

WRITERS = 64
EACH = 8
ROUNDS = 20
CALLS = WRITERS * EACH

T = TypeVar("T")


async def compare(folder: Path) -> list[Comparison]:
    """New books, each durable before its writer goes on, ours with their stream records.

    By hand in equal groups, nothing but SQLite and the disk is left: no layer could do more.
    """
    store = Store(EmbeddedEngine(folder / "writes.db", [media], durability="FULL"))
    one_by_one, together = BareWrites(folder / "bare.db"), BareWrites(folder / "together.db")
    # All sides write the same books, round by round; the round more is the one that warms up.
    some = list(books(CALLS * (ROUNDS + 1)))
    to_put, rows = iter(some), [row_of(book) for book in some]
    to_insert, to_insert_together = iter(rows), zip(rows, map(record_of, some), strict=True)

    async def puts() -> None:
        shares = [_next(to_put, EACH) for _ in range(WRITERS)]
        await asyncio.gather(*(_writer(store, share) for share in shares))

    async def inserts() -> None:
        await one_by_one.insert(_next(to_insert, CALLS))

    async def inserts_together() -> None:
        for _ in range(EACH):
            await together.insert_together(_next(to_insert_together, WRITERS))

    try:
        ours, theirs, most = await seconds_per_call(
            puts, inserts, inserts_together, calls=CALLS, rounds=ROUNDS
        )
    finally:
        one_by_one.close()
        together.close()
        await store.close()
    what, against = "durable put with its stream record", "against one bare commit at a time"
    return [
        speed(f"{what}, {WRITERS} writers at once, {against}", ours, theirs, ROUNDS, at_least=3),
        speed(f"{what}, by hand {WRITERS} to a commit, {against}", most, theirs, ROUNDS),
    ]


async def _writer(store: Store, share: list[Book]) -> None:
    for book in share:
        await store.write(put(book))


def _next(source: Iterator[T], count: int) -> list[T]:
    return list(islice(source, count))

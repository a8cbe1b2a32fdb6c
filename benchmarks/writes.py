"""Durable writes of many at once to the embedded engine, against one commit at a time by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from benchmarks.bare import BareWrites, record_of
from benchmarks.library import books, media
from benchmarks.measuring import seconds_per_call
from benchmarks.report import Comparison, speed
from benchmarks.voting import votes
from commonroom.shareables.tables import shareables
from commonroom.store import Entity, Store, Table, put
from commonroom.store.embedded import EmbeddedEngine

WRITERS = 64
EACH = 8
ROUNDS = 20
CALLS = WRITERS * EACH
ALONE = "one bare commit at a time"

T = TypeVar("T")


async def compare(folder: Path) -> list[Comparison]:
    """A poll that 64 people answer at once; and, as the worst case, 64 who catalogue books.

    A book has three keys, each at a place of its own in its index, so most of its cost is the pages
    that go to the disk, grouped or not.
    """
    # All sides write the same things, round by round; the round more is the one that warms up.
    voting = await _measured(folder, shareables, list(votes(CALLS * (ROUNDS + 1))))
    shelving = await _measured(folder, media, list(books(CALLS * (ROUNDS + 1))))
    what = "durable put with its stream record"
    return [
        speed(
            f"{what}, {WRITERS} voters at once",
            *voting[:2],
            ROUNDS,
            against=ALONE,
            sentence=f"{WRITERS} people answer a poll at once, each answer safe on disk.",
            at_least=3,
        ),
        speed(
            f"the same by hand, {WRITERS} to a commit",
            voting[2],
            voting[1],
            ROUNDS,
            against=ALONE,
            sentence="The same answers with nothing but SQLite and the disk, as the most there is.",
        ),
        speed(
            f"{what}, {WRITERS} shelving books at once",
            *shelving[:2],
            ROUNDS,
            against=ALONE,
            sentence=f"{WRITERS} people add books at once, each book safe on disk.",
        ),
        speed(
            f"books by hand, {WRITERS} to a commit",
            shelving[2],
            shelving[1],
            ROUNDS,
            against=ALONE,
            sentence="The same books with nothing but SQLite and the disk, as the most there is.",
        ),
    ]


async def _measured(
    folder: Path, table: Table, things: Sequence[Entity]
) -> tuple[float, float, float]:
    """Seconds for each: ours, by hand one by one, and by hand in equal groups.

    The last leaves nothing but SQLite and the disk: no layer could do more.
    """
    name = table.name
    store = Store(EmbeddedEngine(folder / f"{name}-ours.db", [table], durability="FULL"))
    alone = BareWrites(folder / f"{name}-alone.db", table)
    together = BareWrites(folder / f"{name}-together.db", table)
    to_put, rows = iter(things), [alone.row_of(thing) for thing in things]
    to_insert, to_group = iter(rows), zip(rows, map(record_of, things), strict=True)

    async def puts() -> None:
        shares = [_next(to_put, EACH) for _ in range(WRITERS)]
        await asyncio.gather(*(_writer(store, share) for share in shares))

    async def inserts() -> None:
        await alone.insert(_next(to_insert, CALLS))

    async def groups() -> None:
        for _ in range(EACH):
            await together.insert_together(_next(to_group, WRITERS))

    try:
        ours, theirs, most = await seconds_per_call(
            puts, inserts, groups, calls=CALLS, rounds=ROUNDS
        )
    finally:
        alone.close()
        together.close()
        await store.close()
    return ours, theirs, most


async def _writer(store: Store, share: list[Entity]) -> None:
    for thing in share:
        await store.write(put(thing))


def _next(source: Iterator[T], count: int) -> list[T]:
    return list(islice(source, count))

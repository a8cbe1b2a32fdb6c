"""Reading from a file of a million items, against one of a thousand."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

from benchmarks.bare import row_of, sql
from benchmarks.library import BOOKS_OF_AN_OWNER, PAGE, books, by_title, media, owner, place
from benchmarks.measuring import Round, seconds_per_call
from benchmarks.report import Comparison, cost
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.data_file import connect, transaction
from commonroom.store.embedded.migrations import migrate

FEW, MANY = 1000, 1_000_000
GETS, QUERIES = 200, 20
ROUNDS = 200
WARM_UP = 1000
"""Enough that all of the large file is mapped, as it is in a server that has run for a while: the
first touch of each 64 KB costs a page fault, once, and two gigabytes have 32,000 of them."""


async def compare(folder: Path) -> list[Comparison]:
    """Gets of random items and queries of random partitions."""
    many, few = _filled(folder / "many.db", MANY), _filled(folder / "few.db", FEW)
    try:
        return [
            await _compared(
                "get",
                "A random book of a large file by its key.",
                GETS,
                _gets(many, MANY),
                _gets(few, FEW),
            ),
            await _compared(
                f"query of {PAGE}",
                "The first books by title of a random owner in a large file.",
                QUERIES,
                _queries(many, MANY),
                _queries(few, FEW),
            ),
        ]
    finally:
        await many.close()
        await few.close()


async def _compared(what: str, sentence: str, calls: int, many: Round, few: Round) -> Comparison:
    ours, theirs = await seconds_per_call(many, few, calls=calls, rounds=ROUNDS, warm_up=WARM_UP)
    return cost(
        f"{what}, {MANY:,} items",
        ours,
        theirs,
        ROUNDS,
        against=f"{FEW:,} items",
        sentence=sentence,
        at_most=1.5,
    )


def _filled(path: Path, count: int) -> Store:
    """A file with so many items, whose stream records have been swept out by now."""
    connection = connect(path, "OFF")
    connection.execute(sql.create)
    with transaction(connection):
        connection.executemany(sql.upsert, map(row_of, books(count)))
    migrate(connection, [sql])  # makes the indexes, far sooner than item by item
    connection.close()
    return Store(EmbeddedEngine(path, [media], durability="OFF"))


def _gets(store: Store, count: int) -> Round:
    chance = random.Random(0)
    numbers = [chance.randrange(count) for _ in range(GETS * (WARM_UP + ROUNDS))]
    wanted = iter([place(number, count) for number in numbers])

    async def gets() -> None:
        for ref in islice(wanted, GETS):
            assert await store.get(ref) is not None

    return gets


def _queries(store: Store, count: int) -> Round:
    chance = random.Random(0)
    owners = count // BOOKS_OF_AN_OWNER
    numbers = [chance.randrange(owners) for _ in range(QUERIES * (WARM_UP + ROUNDS))]
    wanted = iter([by_title(owner_id=owner(number)) for number in numbers])

    async def queries() -> None:
        for asked in islice(wanted, QUERIES):
            assert len((await store.page(asked, limit=PAGE)).items) == PAGE

    return queries

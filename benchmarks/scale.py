"""Reading from a file of a million items, against one of a thousand."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

from benchmarks.bare import BareReads, row_of, sql
from benchmarks.library import BOOKS_OF_AN_OWNER, PAGE, books, by_title, media, owner, place
from benchmarks.measuring import Round, seconds_per_call
from benchmarks.reads import BARE
from benchmarks.report import Comparison, cost, speed
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
    bare = BareReads(folder / "many.db")
    try:
        gets = _gets(many, MANY), _bare_gets(bare), _gets(few, FEW)
        queries = _queries(many, MANY), _bare_queries(bare), _queries(few, FEW)
        return [
            *await _compared("get", "A random book by its key.", *gets, calls=GETS, at_least=0.7),
            *await _compared(
                f"query of {PAGE}",
                "The first books by title of a random owner.",
                *queries,
                calls=QUERIES,
                at_least=0.8,
            ),
        ]
    finally:
        bare.close()
        await many.close()
        await few.close()


async def _compared(
    what: str,
    sentence: str,
    many: Round,
    bare: Round,
    few: Round,
    *,
    calls: int,
    at_least: float,
) -> list[Comparison]:
    """What a read costs among many, beside the same by hand there and beside one among few.

    Pages of a large file are in no cache: that costs the same however quick the rest is, and the
    quicker the rest, the more it shows (decision 0060).
    """
    ours, by_hand, of_few = await seconds_per_call(
        many, bare, few, calls=calls, rounds=ROUNDS, warm_up=WARM_UP
    )
    name = f"{what}, {MANY:,} items"
    return [
        speed(name, ours, by_hand, ROUNDS, against=BARE, sentence=sentence, at_least=at_least),
        cost(
            name,
            ours,
            of_few,
            ROUNDS,
            against=f"{FEW:,} items",
            sentence="The same: what is dearer is memory that no cache holds.",
            at_most=1.75,
        ),
    ]


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
    wanted = iter([place(number, count) for number in _numbers(count, GETS, seed=0)])

    async def gets() -> None:
        for ref in islice(wanted, GETS):
            assert await store.get(ref) is not None

    return gets


def _bare_gets(bare: BareReads) -> Round:
    wanted = iter([place(number, MANY).key for number in _numbers(MANY, GETS, seed=1)])

    async def gets() -> None:
        assert await bare.get(islice(wanted, GETS)) is not None

    return gets


def _queries(store: Store, count: int) -> Round:
    numbers = _numbers(count // BOOKS_OF_AN_OWNER, QUERIES, seed=0)
    wanted = iter([by_title(owner_id=owner(number)) for number in numbers])

    async def queries() -> None:
        for asked in islice(wanted, QUERIES):
            assert len((await store.page(asked, limit=PAGE)).items) == PAGE

    return queries


def _bare_queries(bare: BareReads) -> Round:
    numbers = _numbers(MANY // BOOKS_OF_AN_OWNER, QUERIES, seed=1)
    wanted = iter([f"owner#{owner(number)}" for number in numbers])

    async def queries() -> None:
        assert len(await bare.query(islice(wanted, QUERIES))) == PAGE

    return queries


def _numbers(count: int, calls: int, *, seed: int) -> list[int]:
    """Which of so many; others by hand, or one would find in a cache what the other has read."""
    chance = random.Random(seed)
    return [chance.randrange(count) for _ in range(calls * (WARM_UP + ROUNDS))]

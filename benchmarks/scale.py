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
        return [*await _compare_gets(many, few, bare), await _compare_queries(many, few)]
    finally:
        bare.close()
        await many.close()
        await few.close()


async def _compare_gets(many: Store, few: Store, bare: BareReads) -> list[Comparison]:
    """What a get costs beside one by hand among as many, and beside one among few.

    Among a million each book is on two pages that no cache holds: that costs the same however
    quick the rest is, so it has no bound against few (decision 0060).
    """
    ours, of_few, by_hand = await seconds_per_call(
        _gets(many, MANY),
        _gets(few, FEW),
        _bare_gets(bare, MANY),
        calls=GETS,
        rounds=ROUNDS,
        warm_up=WARM_UP,
    )
    name = f"get, {MANY:,} items"
    return [
        speed(
            name,
            ours,
            by_hand,
            ROUNDS,
            against=BARE,
            sentence="A random book of a large file by its key.",
            at_least=0.6,
        ),
        cost(
            name,
            ours,
            of_few,
            ROUNDS,
            against=f"{FEW:,} items",
            sentence="The same: what is dearer is memory that no cache holds.",
        ),
    ]


async def _compare_queries(many: Store, few: Store) -> Comparison:
    ours, of_few = await seconds_per_call(
        _queries(many, MANY), _queries(few, FEW), calls=QUERIES, rounds=ROUNDS, warm_up=WARM_UP
    )
    return cost(
        f"query of {PAGE}, {MANY:,} items",
        ours,
        of_few,
        ROUNDS,
        against=f"{FEW:,} items",
        sentence="The first books by title of a random owner in a large file.",
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
    wanted = iter([place(number, count) for number in _numbers(count, seed=0)])

    async def gets() -> None:
        for ref in islice(wanted, GETS):
            assert await store.get(ref) is not None

    return gets


def _bare_gets(bare: BareReads, count: int) -> Round:
    wanted = iter([place(number, count).key for number in _numbers(count, seed=1)])

    async def gets() -> None:
        assert await bare.get(islice(wanted, GETS)) is not None

    return gets


def _numbers(count: int, *, seed: int) -> list[int]:
    """Which books; others for each side, or it would find in a cache what another one has read."""
    chance = random.Random(seed)
    return [chance.randrange(count) for _ in range(GETS * (WARM_UP + ROUNDS))]


def _queries(store: Store, count: int) -> Round:
    chance = random.Random(0)
    owners = count // BOOKS_OF_AN_OWNER
    numbers = [chance.randrange(owners) for _ in range(QUERIES * (WARM_UP + ROUNDS))]
    wanted = iter([by_title(owner_id=owner(number)) for number in numbers])

    async def queries() -> None:
        for asked in islice(wanted, QUERIES):
            assert len((await store.page(asked, limit=PAGE)).items) == PAGE

    return queries

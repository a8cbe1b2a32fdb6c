"""Reading from the embedded engine, against the same reads by hand."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from benchmarks.bare import BareReads
from benchmarks.library import BOOKS_OF_AN_OWNER, PAGE, Book, Video, books, by_title, media, owner
from benchmarks.measuring import seconds_per_call
from benchmarks.report import Comparison, speed
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine

COUNT = 1000
GETS, QUERIES = 200, 20
ROUNDS = 200
BARE = "bare apsw + msgspec"


async def compare(folder: Path) -> list[Comparison]:
    """Gets and queries on a file of a household's size."""
    path = folder / "reads.db"
    store = Store(EmbeddedEngine(path, [media], durability="OFF"))
    await store.engine.load(media, [book.to_item() for book in books(COUNT)])
    bare = BareReads(path)
    try:
        return [await _gets(store, bare), *await _queries(store, bare)]
    finally:
        bare.close()
        await store.close()


async def _gets(store: Store, bare: BareReads) -> Comparison:
    wanted = random.Random(0).sample(list(books(COUNT)), GETS)
    fields = [(book.owner_id, book.library_id, book.item_id) for book in wanted]
    keys = [book.ref.key for book in wanted]

    async def gets() -> Book | None:
        found = None
        for owner_id, library_id, item_id in fields:
            ref = Book.at(owner_id=owner_id, library_id=library_id, item_id=item_id)
            found = await store.get(ref)
        return found

    bare_gets = partial(bare.get, keys)
    assert await gets() == await bare_gets() == wanted[-1]
    ours, theirs = await seconds_per_call(gets, bare_gets, calls=GETS, rounds=ROUNDS)
    return speed(
        "typed get by key, embedded",
        ours,
        theirs,
        ROUNDS,
        against=BARE,
        sentence="One book by its key, from the file to a typed object.",
        at_least=0.5,
    )


async def _queries(store: Store, bare: BareReads) -> list[Comparison]:
    owners = [owner(number % (COUNT // BOOKS_OF_AN_OWNER)) for number in range(QUERIES)]

    async def queries() -> list[Book | Video]:
        items: list[Book | Video] = []
        for owner_id in owners:
            items = (await store.page(by_title(owner_id=owner_id), limit=PAGE)).items
        return items

    async def sealed_queries() -> str | None:
        cursor = None
        for owner_id in owners:
            cursor = (await store.page(by_title(owner_id=owner_id), limit=PAGE)).cursor
        return cursor

    bare_queries = partial(bare.query, [f"owner#{owner_id}" for owner_id in owners])
    page = await queries()
    assert page == await bare_queries()
    assert len(page) == PAGE
    assert await sealed_queries() is not None
    ours, sealed, theirs = await seconds_per_call(
        queries, sealed_queries, bare_queries, calls=QUERIES, rounds=ROUNDS
    )
    name = f"typed query of {PAGE}, embedded"
    return [
        speed(
            name,
            ours,
            theirs,
            ROUNDS,
            against=BARE,
            sentence=f"The first {PAGE} books of an owner, from the file to typed objects.",
            at_least=0.7,
        ),
        speed(
            f"{name}, its cursor sealed",
            sealed,
            theirs,
            ROUNDS,
            against=BARE,
            sentence="The same with the cursor of the next page, which nobody can forge or borrow.",
        ),
    ]

"""A process that is killed while it clears up after a library leaves the rest to the next one."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from commonroom.accounts.context import Context
from commonroom.library.service.libraries import delete_library, share
from commonroom.library.service.loans import lend
from commonroom.library.tables import Book
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.accounts.people import Watch
from tests.library.bookcase import (
    ISBN,
    TABLES,
    book_of,
    check_bookcases,
    collection_of,
    left_of_room,
    library_of,
    somebody,
)
from tests.support.dynamodb_local import ROOT

ITEMS = 5000
TIMES = 4


async def furnished(path: Path) -> None:
    """A library of 5,000 items that is shared and lent from, deleted; another beside it."""
    store, clock = Store(EmbeddedEngine(path, TABLES, durability="OFF")), Watch()
    clock.now = time.time()
    ada, _ben = [await somebody(store, clock, name) for name in ("Ada", "Ben")]
    for name in ("Home", "Other"):
        library = await library_of(store, clock, ada, name)
        amber = await collection_of(store, clock, ada, library, "Amber")
        book = await book_of(
            store, clock, ada, library, "Nine", isbn=ISBN, collection_id=amber.collection_id
        )
        at = (Context(store, ada, clock()), library.library_id, book.item_id)
        await lend(*at, to="Ben", due="2033-01-01", email="ben@example.org")
        await share(Context(store, ada, clock()), library.library_id, "ben@example.org")
        if name == "Home":
            home, one = library, await book_of(store, clock, ada, library, "Alone")
    item = one.to_item()
    many = [
        item | {"SK": f"{item['SK']}{n}", "ItemId": f"{one.item_id}{n}"} for n in range(ITEMS - 2)
    ]
    await store.engine.load(Book.schema.table, many)
    await delete_library(Context(store, ada), home.library_id, force=True)
    await store.close()


def killed_after(path: Path, lines: int, later: int) -> list[str]:
    """What the process said until it was killed."""
    command = [sys.executable, "-m", "tests.library.races.busy", str(path), str(later)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().strip() for line in said]


async def whats_left(path: Path) -> dict[str, int]:
    """What is stored now, once it is certain that the file is whole."""
    engine = EmbeddedEngine(path, TABLES)
    try:
        await engine.check_integrity()
        return await left_of_room(engine)
    finally:
        await engine.close()


async def test_deleting_5000_items_is_gone_on_with_after_every_kill(tmp_path: Path) -> None:
    path, chance = tmp_path / "bookcase.db", Random()
    await furnished(path)
    books = [(await whats_left(path))["Book"]]
    assert books == [ITEMS + 1]

    for time_ in range(TIMES):
        said = killed_after(path, 4 + chance.randrange(8), time_ * 60)
        assert "done" not in said
        books.append((await whats_left(path))["Book"])
    said = killed_after(path, 10_000, TIMES * 60)

    assert books == sorted(books, reverse=True)
    assert 1 < books[-1] < books[0], "it was killed in the middle"
    assert "done" in said
    assert await whats_left(path) == {
        "Library": 1,
        "Collection": 1,
        "CollectionName": 1,
        "Book": 1,
        "ItemCode": 1,
        "LoanEvent": 1,
        "BorrowedItem": 1,
        "SharedLibrary": 1,
    }
    engine = EmbeddedEngine(path, TABLES)
    await check_bookcases(engine)
    await engine.close()

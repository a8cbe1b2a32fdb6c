"""A process that writes transactions as fast as it can, and says which of them were acknowledged.

Each transaction makes an entry and a book and counts them in a house: three items in two tables
with streams. Run as `python -m tests.support.ledger_writer FILE NAME WRITERS COUNT`; it ends after
so many transactions of each writer, or when somebody kills it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from commonroom.store import ConditionFailed, Store, add, create, update
from commonroom.store.embedded import EmbeddedEngine
from tests.support.world import TABLES, Book, Entry, House, Name

COUNTED = House(house_id="ledger", title="All")
CLAIMS = 40


def say(*words: str) -> None:
    """One line to whoever watches, in one piece."""
    os.write(sys.stdout.fileno(), (" ".join(words) + "\n").encode())


async def begin(store: Store) -> None:
    """Makes the house in which all is counted, unless another process has."""
    try:
        await store.write(create(COUNTED))
    except ConditionFailed:
        return


async def work(store: Store, writer: str, count: int) -> None:
    """Transactions one after the other, each announced when it is acknowledged."""
    for number in range(count):
        name = f"{writer}-{number}"
        await store.write(
            create(Entry(day=name)),
            create(Book(house_id=name, book_id="b", title="x" * (number % 50) * 20)),
            update(COUNTED.ref, books=add(1)),
        )
        say("acknowledged", name)


async def claim(store: Store, process: str) -> None:
    """Names that every process wants; one gets each."""
    for number in range(CLAIMS):
        try:
            await store.write(create(Name(name=f"{number}", holder=process)))
        except ConditionFailed:
            continue
        say("claimed", f"{number}")


async def main(path: Path, process: str, writers: int, count: int) -> None:
    """Everything at once."""
    say("opening")
    store = Store(EmbeddedEngine(path, TABLES))
    await begin(store)
    await asyncio.gather(
        claim(store, process),
        *(work(store, f"{process}-{writer}", count) for writer in range(writers)),
    )
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))

"""What is carried to many items reaches all of them, whatever the engine does meanwhile."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.consumers.libraries import COLLECTIONS
from commonroom.library.room import LIBRARY
from commonroom.library.service.collections import change_collection, delete_collection
from commonroom.library.tables import Book, Collection
from commonroom.store import Store, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Consumer, Worker, copy_consumers
from tests.accounts.people import Watch
from tests.library.bookcase import (
    COPIES,
    TABLES,
    book_of,
    check_bookcases,
    collection_of,
    drift,
    everything_of,
    library_of,
    somebody,
    tidied,
)
from tests.support.hostile_engine import EVERYTHING, HostileEngine

ITEMS = 1000
ROUNDS = 2000


async def furnished(store: Store, clock: Watch) -> tuple[User, Collection]:
    """A collection of 1,000 items."""
    ada = await somebody(store, clock, "Ada")
    library = await library_of(store, clock, ada)
    amber = await collection_of(store, clock, ada, library, "Amber")
    book = await book_of(store, clock, ada, library, "T", collection_id=amber.collection_id)
    item = book.to_item()
    many = [item | {"SK": f"{item['SK']}{n}", "ItemId": f"{book.item_id}{n}"} for n in range(999)]
    await store.engine.load(Book.schema.table, many)
    await store.write(update(amber.ref, item_count=ITEMS), update(library.ref, total_items=ITEMS))
    return ada, amber


async def work(store: Store, clock: Watch, who: Sequence[Consumer]) -> None:
    """Lets consumers work where much fails, and time pass between their tries."""
    worker = Worker(store, who, clock=clock, monotonic=clock)
    quiet = 0
    for _ in range(ROUNDS):
        try:
            handled = await worker.once()
        except Unavailable:
            handled = 1
        quiet = 0 if handled else quiet + 1
        if quiet > 20:
            return
        clock.forward(400)


@pytest.mark.slow
async def test_a_new_name_and_then_none_reach_1000_items_on_a_hostile_engine() -> None:
    clock = Watch()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calm = EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock)
        store = Store(calm)
        ada, amber = await furnished(store, clock)
        hostile = await HostileEngine.around(
            calm, TABLES, folder, seed=1, clock=clock, hostility=EVERYTHING
        )
        try:
            await change_collection(
                Context(store, ada, clock()), amber.library_id, amber.collection_id, name="Zelazny"
            )
            await work(Store(hostile), clock, [*copy_consumers(COPIES), *LIBRARY.data.consumers])
            named = {one.collection_name for one in await everything_of(calm, Book)}
            assert named == {"Zelazny"}
            assert await drift(store) == []

            await delete_collection(Context(store, ada), amber.library_id, amber.collection_id)
            await work(Store(hostile), clock, [COLLECTIONS])
            await tidied(store, clock)
            assert {one.collection_id for one in await everything_of(calm, Book)} == {None}
            await check_bookcases(calm)
            assert await drift(store) == []
            assert hostile.happened["lost_answers"] + hostile.happened["throttled_writes"] > 3
        finally:
            await hostile.close()

"""A few things that agree with each other, of the real model, and a way to store them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import apsw

from commonroom.accounts.tables import User
from commonroom.library.tables import Book, Collection, CollectionName, Library
from commonroom.model import MODEL
from commonroom.store import Entity, Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.schema import TableSql
from commonroom.store.streams.tables import consumers
from commonroom.store.upgrades.tables import upgrades
from commonroom.store.values import Item

USER = User(user_id="u-1", display_name="Ada", created_at="2026-11-15T20:00:00Z")
LIBRARY = Library(
    owner_id="U1",
    library_id="l",
    library_name="Home",
    account_id="u-1",
    owner_name="Ada",
    total_items=1,
    updated_at="2026-11-15T20:00:00Z",
)
COLLECTION = Collection(
    owner_id="U1", library_id="l", collection_id="c", name="Poems", item_count=1
)
CLAIM = CollectionName(owner_id="U1", library_id="l", name="Poems", collection_id="c")
BOOK = Book(
    owner_id="U1",
    library_id="l",
    item_id="b",
    title="Über alles",
    account_id="u-1",
    owner_name="Ada",
    library_name="Home",
    collection_id="c",
    collection_name="Poems",
)
THINGS: Sequence[Entity] = (USER, LIBRARY, COLLECTION, CLAIM, BOOK)


def fill(file: Path, things: Sequence[Entity]) -> None:
    """Writes things into a data file, as a server would."""

    async def write() -> None:
        store = Store(EmbeddedEngine(file, MODEL.tables))
        await store.write(*map(put, things))
        await store.close()

    asyncio.run(write())


def spoil(file: Path, thing: Entity, **attributes: object) -> None:
    """Stores a thing with attributes that it would not have."""

    async def load() -> None:
        engine = EmbeddedEngine(file, MODEL.tables)
        await engine.load(thing.schema.table, [thing.to_item() | attributes])
        await engine.close()

    asyncio.run(load())


def ruin(file: Path, thing: Entity) -> None:
    """Puts bytes in a thing's place that are no item."""
    sql = TableSql(thing.schema.table)
    connection = apsw.Connection(str(file))
    connection.execute(
        f"UPDATE {sql.name} SET _item = x'c1ff' WHERE {sql.by_key}",  # noqa: S608 - names of ours
        thing.ref.key,
    )
    assert connection.changes() == 1
    connection.close()


def stored(file: Path) -> dict[str, list[Item]]:
    """Every item in a data file, by table; without what the store keeps for itself."""

    async def scan() -> dict[str, list[Item]]:
        engine = EmbeddedEngine(file, MODEL.tables)
        tables = [one for one in MODEL.tables if one not in (upgrades, consumers)]
        found = {one.name: (await engine.scan(one, limit=1000)).items for one in tables}
        await engine.close()
        return {name: items for name, items in found.items() if items}

    return asyncio.run(scan())

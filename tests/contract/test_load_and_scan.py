from typing import Any

import pytest

from commonroom.store import Store
from commonroom.store.engine import Engine
from commonroom.store.errors import BadKey, BadNumber, ItemTooLarge, UnknownTable
from tests.support import world
from tests.support.paging import every_page
from tests.support.world import Book, Name, fresh, names, unmade


async def scanned(engine: Engine, limit: int) -> list[dict[str, Any]]:
    """Everything in `Names`, page after page."""
    found: list[dict[str, Any]] = []
    start = None
    while True:
        rows = await engine.scan(names, limit=limit, start=start)
        assert len(rows.items) <= limit
        found += rows.items
        start = rows.next
        if start is None:
            return found


class TestLoad:
    async def test_puts_many_items_with_all_their_keys(self, store: Store) -> None:
        house, owner = fresh(), fresh()
        books = [Book(house_id=house, book_id=f"{n:03}", owner_id=owner, rank=n) for n in range(60)]

        await store.engine.load(Book.schema.table, [book.to_item() for book in books])

        assert (await store.page(world.house_books(house_id=house), limit=100)).items == books
        pages = await every_page(store, world.ranked(owner_id=owner), limit=25)
        assert [book for page in pages for book in page] == books

    async def test_replaces_what_is_there(self, store: Store) -> None:
        old, new = Name(name=fresh(), holder="ann"), "bob"
        await store.engine.load(names, [old.to_item()])

        await store.engine.load(names, [old.to_item() | {"Holder": new}])

        assert await store.get(old.ref) == Name(name=old.name, holder=new)

    async def test_keeps_the_last_of_several_with_one_key(self, store: Store) -> None:
        name = fresh()
        several = [Name(name=name, holder=f"{n}").to_item() for n in range(60)]

        await store.engine.load(names, several)

        assert await store.get(Name.at(name=name)) == Name(name=name, holder="59")

    async def test_of_nothing_does_nothing(self, store: Store) -> None:
        await store.engine.load(names, [])

    async def test_refuses_what_cannot_be_stored(self, store: Store) -> None:
        for item, error in (
            ({"Name": fresh(), "Holder": "x" * 410_000}, ItemTooLarge),
            ({"Name": "", "Holder": "x"}, BadKey),
            ({"Name": 1, "Holder": "x"}, BadKey),
            ({"Holder": "nameless"}, BadKey),
            ({"Name": fresh(), "Holder": float("nan")}, BadNumber),
        ):
            with pytest.raises(error):
                await store.engine.load(names, [item])

    async def test_names_the_table_that_is_not_there(self, store: Store) -> None:
        with pytest.raises(UnknownTable, match="Unmade"):
            await store.engine.load(unmade, [{"Id": "a", "Part": "b"}])


class TestScan:
    @pytest.mark.parametrize("limit", [7, 1000])
    async def test_gives_everything_once(self, engine: Engine, limit: int) -> None:
        mine = [Name(name=fresh(), holder="ann").to_item() for _ in range(25)]
        await engine.load(names, mine)

        found = await scanned(engine, limit)

        assert [item for item in mine if found.count(item) != 1] == []
        assert len({item["Name"] for item in found}) == len(found)

    async def test_names_the_table_that_is_not_there(self, engine: Engine) -> None:
        with pytest.raises(UnknownTable, match="Unmade"):
            await engine.scan(unmade, limit=10)

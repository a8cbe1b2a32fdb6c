"""An item that is not as declared is told as such, whichever way it is read."""

from typing import Any

import pytest

from commonroom.store import Store, put
from commonroom.store.errors import WrongType
from tests.support import world
from tests.support.world import Book, fresh


@pytest.fixture
async def broken(store: Store) -> Book:
    """A book that was stored with a number of pages that is none, as an import could."""
    book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), rank=1)
    await store.engine.load(Book.schema.table, [book.to_item() | {"Pages": "many"}])
    return book


class TestABrokenItem:
    async def test_is_told_of_by_get(self, store: Store, broken: Book) -> None:
        with pytest.raises(WrongType, match="Pages"):
            await store.get(broken.ref)

    async def test_is_told_of_by_batch_get(self, store: Store, broken: Book) -> None:
        with pytest.raises(WrongType, match="Pages"):
            await store.batch_get([broken.ref])

    async def test_is_told_of_by_pages(self, store: Store, broken: Book) -> None:
        asked: list[Any] = [
            world.house_books(house_id=broken.house_id),
            world.ranked(owner_id=broken.owner_id),
        ]
        for one in asked:
            with pytest.raises(WrongType, match="Pages"):
                await store.page(one)

    async def test_is_told_of_by_merged_pages(self, store: Store, broken: Book) -> None:
        with pytest.raises(WrongType, match="Pages"):
            await store.merged([world.ranked(owner_id=broken.owner_id)])

    async def test_can_be_replaced(self, store: Store, broken: Book) -> None:
        await store.write(put(broken))

        assert await store.get(broken.ref) == broken

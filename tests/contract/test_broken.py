"""An item that is not as declared is told as such, whichever way it is read."""

from typing import Any

import pytest

from commonroom.store import Store, put
from commonroom.store.damage import tolerating_damage
from commonroom.store.errors import DamagedItem
from tests.support import world
from tests.support.world import Book, fresh


@pytest.fixture
async def broken(store: Store) -> Book:
    """A book that was stored with a number of pages that is none, as an import could."""
    book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), rank=1)
    await store.engine.load(Book.schema.table, [book.to_item() | {"Pages": "many"}])
    return book


@pytest.fixture
async def others(store: Store, broken: Book) -> list[Book]:
    """What stands before and after it."""
    books = [
        Book(house_id=broken.house_id, book_id=name, owner_id=broken.owner_id, rank=rank)
        for name, rank in (("a", 0), ("c", 2))
    ]
    await store.write(*map(put, books))
    return books


class TestABrokenItem:
    async def test_is_told_of_by_get(self, store: Store, broken: Book) -> None:
        with pytest.raises(DamagedItem, match="Pages"):
            await store.get(broken.ref)

    async def test_is_told_of_by_batch_get(self, store: Store, broken: Book) -> None:
        with pytest.raises(DamagedItem, match="Pages"):
            await store.batch_get([broken.ref])

    async def test_is_told_of_by_pages(self, store: Store, broken: Book) -> None:
        asked: list[Any] = [
            world.house_books(house_id=broken.house_id),
            world.ranked(owner_id=broken.owner_id),
        ]
        for one in asked:
            with pytest.raises(DamagedItem, match="Pages") as told:
                await store.page(one)
            assert (told.value.table, told.value.key) == ("World", broken.ref.key)

    async def test_is_told_of_by_merged_pages(self, store: Store, broken: Book) -> None:
        with pytest.raises(DamagedItem, match="Pages"):
            await store.merged([world.ranked(owner_id=broken.owner_id)])

    async def test_can_be_replaced(self, store: Store, broken: Book) -> None:
        await store.write(put(broken))

        assert await store.get(broken.ref) == broken


class TestABrokenItemWhereDamageIsTolerated:
    async def test_is_left_out_of_pages(
        self, store: Store, broken: Book, others: list[Book]
    ) -> None:
        asked: list[Any] = [
            world.house_books(house_id=broken.house_id),
            world.ranked(owner_id=broken.owner_id),
        ]
        for one in asked:
            with tolerating_damage() as left_out:
                page = await store.page(one)
                everything = [thing async for thing in store.all(one, limit=1)]

            assert page.items == everything == others
            assert {each.key for each in left_out} == {broken.ref.key}

    async def test_is_left_out_of_merged_pages(
        self, store: Store, broken: Book, others: list[Book]
    ) -> None:
        with tolerating_damage() as left_out:
            page = await store.merged([world.ranked(owner_id=broken.owner_id)])

        assert page.items == others
        assert len(left_out) == 1

    async def test_is_left_out_of_a_batch(
        self, store: Store, broken: Book, others: list[Book]
    ) -> None:
        with tolerating_damage() as left_out:
            found = await store.batch_get([others[0].ref, broken.ref, others[1].ref])

        assert found == [others[0], None, others[1]]
        assert len(left_out) == 1

    async def test_is_passed_by_first(self, store: Store, broken: Book) -> None:
        following = Book(house_id=broken.house_id, book_id="c")
        await store.write(put(following))

        with tolerating_damage():
            assert await store.first(world.house_books(house_id=broken.house_id)) == following

    async def test_alone_is_an_error(self, store: Store, broken: Book) -> None:
        with tolerating_damage(), pytest.raises(DamagedItem, match="Pages"):
            await store.get(broken.ref)

import pytest

from commonroom.store import Store, put
from tests.support.world import Book, fresh


class Broken(Exception):
    """What a read can meet."""


async def fails() -> None:
    raise Broken


class TestReadsTogether:
    async def test_give_what_each_gives_in_the_order_asked(self, store: Store) -> None:
        one, two = Book(house_id=fresh(), book_id="1"), Book(house_id=fresh(), book_id="2")
        await store.write(put(one), put(two))

        found = await store.gather(store.get(two.ref), store.get(one.ref))

        assert found == (two, one)

    async def test_fail_where_one_does(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="1")

        # A read that nobody waits for any more would be a warning, which is an error here.
        with pytest.raises(Broken):
            await store.gather(store.get(book.ref), fails(), store.get(book.ref))

    async def test_of_any_number_give_what_each_gives(self, store: Store) -> None:
        books = [Book(house_id=fresh(), book_id=str(number)) for number in range(7)]
        await store.write(*map(put, books))

        assert await store.gather_all(store.get(one.ref) for one in books) == books
        assert await store.gather_all([]) == []

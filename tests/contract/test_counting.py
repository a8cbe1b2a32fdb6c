import asyncio

import pytest

from commonroom.store import ConditionFailed, Store, check, counting, create, put, stored, update
from commonroom.store.errors import Refused
from tests.support import world
from tests.support.world import Book, fresh


class TestCounting:
    async def test_counts_one_for_every_request_whatever_its_size(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n}") for n in range(5)]

        with counting() as tally:
            await store.write(*map(put, books))
            await store.write(update(books[0], pages=1), check(books[1], if_=stored))
            await store.get(books[0].ref)
            await store.batch_get([book.ref for book in books])
            await store.page(world.house_books(house_id=house), limit=2)
            await store.first(world.house_books(house_id=house))
            await store.merged(
                [world.house_contents(house_id=house), world.house_contents(house_id=fresh())]
            )

        assert (tally.reads, tally.writes, tally.requests) == (6, 2, 8)

    async def test_counts_what_tasks_inside_ask(self, store: Store) -> None:
        refs = [Book.at(house_id=fresh(), book_id="b") for _ in range(4)]

        with counting() as tally:
            await asyncio.gather(*map(store.get, refs))

        assert tally.reads == 4

    async def test_counts_a_write_that_fails_but_not_one_that_is_never_sent(
        self, store: Store
    ) -> None:
        book = Book(house_id=fresh(), book_id="b")
        await store.write(put(book))

        with counting() as tally:
            with pytest.raises(ConditionFailed):
                await store.write(create(book))
            with pytest.raises(Refused):
                await store.write()

        assert tally.writes == 1

    async def test_counts_the_inner_apart_from_the_outer(self, store: Store) -> None:
        ref = Book.at(house_id=fresh(), book_id="b")

        with counting() as outer:
            await store.get(ref)
            with counting() as inner:
                await store.get(ref)
                await store.get(ref)

        assert (outer.reads, inner.reads) == (1, 2)

    async def test_ends_with_its_block(self, store: Store) -> None:
        with counting() as tally:
            pass

        await store.get(Book.at(house_id=fresh(), book_id="b"))

        assert tally.requests == 0

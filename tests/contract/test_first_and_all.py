from commonroom.store import Store, counting, put
from tests.support import world
from tests.support.engines import Clock
from tests.support.world import Book, Visit, fresh


class TestFirst:
    async def test_is_the_first_in_the_order_of_the_pattern(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n}") for n in range(3)]
        await store.write(*map(put, books))

        with counting() as tally:
            assert await store.first(world.house_books(house_id=house)) == books[0]
            assert await store.first(world.house_books_back(house_id=house)) == books[-1]

        assert tally.reads == 2

    async def test_is_none_where_there_is_none(self, store: Store) -> None:
        assert await store.first(world.house_books(house_id=fresh())) is None

    async def test_is_found_behind_things_of_other_kinds(self, store: Store) -> None:
        house = fresh()
        visit = Visit(house_id=house, day="1", guest="Bo")
        await store.write(
            put(visit), *(put(Book(house_id=house, book_id=f"{n}")) for n in range(9))
        )

        assert await store.first(world.house_visits_only(house_id=house)) == visit

    async def test_is_found_behind_what_has_expired(self, store: Store, clock: Clock) -> None:
        house, soon = fresh(), int(clock()) + 1000
        expiring = [Book(house_id=house, book_id=f"{n}", expires_at=soon) for n in range(5)]
        last = Book(house_id=house, book_id="9")
        await store.write(*map(put, expiring), put(last))

        clock.ahead = 2000

        assert await store.first(world.house_books(house_id=house)) == last


class TestAll:
    async def test_gives_every_answer_of_every_page_in_order(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n:02}") for n in range(10)]
        await store.write(*map(put, books))

        with counting() as tally:
            found = [book async for book in store.all(world.house_books(house_id=house), limit=4)]

        assert found == books
        assert tally.reads == 3

    async def test_gives_nothing_where_nothing_is(self, store: Store) -> None:
        assert [book async for book in store.all(world.house_books(house_id=fresh()))] == []

    async def test_goes_on_beyond_what_one_answer_can_carry(self, store: Store) -> None:
        house = fresh()
        # 3.5 MB: an answer of DynamoDB carries one megabyte.
        books = [Book(house_id=house, book_id=f"{n}", cover=bytes(390_000)) for n in range(9)]
        for book in books:
            await store.write(put(book))

        assert [book async for book in store.all(world.house_books(house_id=house))] == books

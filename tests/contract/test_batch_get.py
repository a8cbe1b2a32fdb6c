import pytest

from commonroom.store import Store, counting, put
from commonroom.store.declare.entity import Ref
from commonroom.store.errors import BadKey, UnknownTable
from tests.support.world import (
    Book,
    House,
    Leaflet,
    Name,
    Reading,
    Unmade,
    Visit,
    fresh,
    fresh_number,
)


class TestBatchGet:
    async def test_of_nothing_gives_nothing_and_asks_nobody(self, store: Store) -> None:
        with counting() as tally:
            assert await store.batch_get([]) == []

        assert tally.requests == 0

    async def test_keeps_the_order_asked_and_says_where_nothing_is(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{number}", pages=number) for number in range(5)]
        await store.write(*map(put, books))
        missing = Book.at(house_id=house, book_id="missing")

        found = await store.batch_get([books[3].ref, missing, books[0].ref, books[4].ref])

        assert found == [books[3], None, books[0], books[4]]

    async def test_gives_a_thing_as_often_as_it_is_asked_for(self, store: Store) -> None:
        thing = Book(house_id=fresh(), book_id="b")
        await store.write(put(thing))

        assert await store.batch_get([thing.ref] * 3) == [thing] * 3

    async def test_reads_several_tables_and_kinds_at_once(self, store: Store) -> None:
        house = House(house_id=fresh(), title="Home")
        visit = Visit(house_id=house.house_id, day="1", guest="Bo")
        reading = Reading(sensor=fresh_number(), moment=0.5)
        name = Name(name=fresh(), holder="ann")
        await store.write(put(house), put(visit), put(reading), put(name))
        refs: list[Ref[House | Visit | Reading | Name]] = [
            name.ref,
            reading.ref,
            visit.ref,
            house.ref,
        ]

        with counting() as tally:
            assert await store.batch_get(refs) == [name, reading, visit, house]

        assert tally.reads == 1

    async def test_of_more_than_a_hundred_asks_once_for_every_hundred(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{number}") for number in range(150)]
        await store.write(*map(put, books[:75]))
        await store.write(*map(put, books[75:]))
        refs = [Book.at(house_id=house, book_id=f"{number}") for number in range(250)]

        with counting() as tally:
            found = await store.batch_get(refs)

        assert found == [*books, *[None] * 100]
        assert tally.reads == 3

    async def test_gives_large_things_although_no_single_answer_holds_them(
        self, store: Store
    ) -> None:
        house = fresh()
        # 17 MB: DynamoDB leaves keys unprocessed beyond 16 MB, which are to be asked for again.
        books = [
            Book(house_id=house, book_id=f"{number}", cover=bytes([number]) * 390_000)
            for number in range(45)
        ]
        for book in books:
            await store.write(put(book))

        assert await store.batch_get([book.ref for book in books]) == books

    async def test_gives_none_where_another_kind_has_the_key(self, store: Store) -> None:
        leaflet = Leaflet(house_id=fresh(), book_id="b")
        await store.write(put(leaflet))
        book = Book.at(house_id=leaflet.house_id, book_id="b")

        assert await store.batch_get([book]) == [None]
        assert await store.batch_get([leaflet.ref]) == [leaflet]

    async def test_refuses_a_bad_key_among_good_ones(self, store: Store) -> None:
        with pytest.raises(BadKey):
            await store.batch_get([Name.at(name="fine"), Name.at(name="")])

    async def test_names_the_table_that_is_not_there(self, store: Store) -> None:
        with pytest.raises(UnknownTable, match="Unmade"):
            await store.batch_get([Unmade.at(id="a", part="b")])

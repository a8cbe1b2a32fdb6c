import asyncio

import pytest

from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    absent,
    add,
    check,
    create,
    delete,
    equal,
    present,
    put,
    stored,
    update,
)
from commonroom.store.errors import Refused, UnknownTable
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


async def failure(store: Store, *writes: Write) -> ConditionFailed:
    """What a write says whose condition does not hold."""
    with pytest.raises(ConditionFailed) as caught:
        await store.write(*writes)
    return caught.value


class TestPut:
    async def test_stores_a_thing_whole_in_place_of_what_was_there(self, store: Store) -> None:
        old = Book(house_id=fresh(), book_id="b", title="Old", tags=["x"], cover=b"x")
        new = Book(house_id=old.house_id, book_id="b", title="New")

        await store.write(put(old))
        await store.write(put(new))

        assert await store.get(new.ref) == new
        [item] = await store.engine.batch_get([(Book.schema.table, new.ref.key)])
        assert item == new.to_item()

    async def test_on_condition_sees_what_was_there(self, store: Store) -> None:
        old = Book(house_id=fresh(), book_id="b", pages=1)
        new = Book(house_id=old.house_id, book_id="b", pages=2)
        await store.write(put(old))

        failed = await failure(store, put(new, if_=equal(pages=5)))
        assert await store.get(old.ref) == old
        assert failed.entity == old

        await store.write(put(new, if_=equal(pages=1)))
        assert await store.get(old.ref) == new


class TestCreate:
    async def test_stores_a_thing_once(self, store: Store) -> None:
        first = Name(name=fresh(), holder="ann")
        second = Name(name=first.name, holder="bob")

        await store.write(create(first))
        failed = await failure(store, create(second))

        assert await store.get(first.ref) == first
        assert (failed.index, failed.item, failed.entity) == (0, first.to_item(), first)

    async def test_is_won_by_exactly_one_of_many_at_once(self, store: Store) -> None:
        name = fresh()
        claims = [Name(name=name, holder=f"{n}") for n in range(20)]

        outcomes = await asyncio.gather(
            *(store.write(create(claim)) for claim in claims), return_exceptions=True
        )

        [winner] = [n for n, outcome in enumerate(outcomes) if outcome is None]
        assert await store.get(claims[0].ref) == claims[winner]
        losers = [outcome for outcome in outcomes if outcome is not None]
        assert all(isinstance(outcome, ConditionFailed) for outcome in losers)


class TestDelete:
    async def test_removes_a_thing(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b")
        await store.write(put(book))

        await store.write(delete(book))

        assert await store.get(book.ref) is None

    async def test_of_nothing_is_fine(self, store: Store) -> None:
        await store.write(delete(Book.at(house_id=fresh(), book_id="b")))

    async def test_on_condition_keeps_what_does_not_meet_it(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", lent_to="bob")
        await store.write(put(book))

        failed = await failure(store, delete(book, if_=absent("lent_to")))

        assert await store.get(book.ref) == book
        assert failed.entity == book

    async def test_of_nothing_on_condition_that_it_is_there_fails(self, store: Store) -> None:
        ref = Book.at(house_id=fresh(), book_id="b")

        failed = await failure(store, delete(ref, if_=stored))

        assert (failed.index, failed.item, failed.entity) == (0, None, None)


class TestCheck:
    async def test_lets_the_rest_happen_where_it_holds(self, store: Store) -> None:
        house = House(house_id=fresh(), title="Home")
        book = Book(house_id=house.house_id, book_id="b")
        await store.write(put(house))

        await store.write(check(house, if_=equal(title="Home")), put(book))

        assert await store.get(book.ref) == book
        assert await store.get(house.ref) == house

    async def test_lets_nothing_happen_where_it_does_not(self, store: Store) -> None:
        house = House(house_id=fresh(), title="Home")
        book = Book(house_id=house.house_id, book_id="b")
        await store.write(put(house))

        failed = await failure(store, put(book), check(house, if_=equal(title="Away")))

        assert (failed.index, failed.entity) == (1, house)
        assert await store.get(book.ref) is None

    async def test_may_be_alone(self, store: Store) -> None:
        ref = Book.at(house_id=fresh(), book_id="b")

        await store.write(check(ref, if_=absent("title")))
        failed = await failure(store, check(ref, if_=present("title")))

        assert failed.item is None

    async def test_leaves_nothing_behind(self, store: Store) -> None:
        ref = Book.at(house_id=fresh(), book_id="b")

        await store.write(check(ref, if_=~stored))

        assert await store.get(ref) is None


class TestWrite:
    async def test_does_all_of_its_operations_across_tables(self, store: Store) -> None:
        house = House(house_id=fresh(), title="Home")
        book = Book(house_id=house.house_id, book_id="b")
        name = Name(name=fresh(), holder="ann")
        reading = Reading(sensor=fresh_number(), moment=1)
        await store.write(put(book), put(name))

        await store.write(
            create(house), update(book, pages=9), delete(name), put(reading, if_=~stored)
        )

        assert await store.get(house.ref) == house
        assert await store.get(name.ref) is None
        assert await store.get(reading.ref) == reading
        assert await store.get(book.ref) == Book(
            house_id=house.house_id, book_id="b", pages=9, version=2
        )

    @pytest.mark.parametrize("failing", [0, 1, 2, 3, 4])
    async def test_does_none_of_them_where_one_condition_fails_and_says_which(
        self, store: Store, failing: int
    ) -> None:
        book = Book(house_id=fresh(), book_id="b")
        doomed = Name(name=fresh(), holder="ann")
        await store.write(put(book), put(doomed))
        reading = Reading(sensor=fresh_number(), moment=1)
        visit = Visit(house_id=book.house_id, day="1", guest="Bo")
        writes = [update(book, pages=9), delete(doomed), create(reading), create(visit)]
        claim = create(Name(name=fresh(), holder="ann"))
        await store.write(claim)
        writes.insert(failing, claim)

        failed = await failure(store, *writes)

        assert failed.index == failing
        assert failed.operation is claim
        assert await store.get(book.ref) == book
        assert await store.get(doomed.ref) == doomed
        assert await store.get(reading.ref) is None
        assert await store.get(visit.ref) is None

    async def test_names_the_first_of_several_that_fail(self, store: Store) -> None:
        there = Name(name=fresh(), holder="ann")
        other = Name(name=fresh(), holder="bob")
        await store.write(put(there), put(other))

        failed = await failure(
            store, put(Name(name=fresh(), holder="eve")), create(other), create(there)
        )

        assert (failed.index, failed.entity) == (1, other)

    async def test_names_the_thing_in_the_way_also_where_it_is_of_another_kind(
        self, store: Store
    ) -> None:
        leaflet = Leaflet(house_id=fresh(), book_id="b")
        await store.write(put(leaflet))

        failed = await failure(store, create(Book(house_id=leaflet.house_id, book_id="b")))

        assert failed.entity == leaflet

    async def test_holds_up_to_a_hundred(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n:03}") for n in range(100)]

        await store.write(*map(create, books))
        failed = await failure(store, *map(create, books[::-1]))

        assert failed.entity == books[-1]
        assert await store.batch_get([book.ref for book in books]) == books

    async def test_holds_a_few_megabytes(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n}", cover=bytes(380_000)) for n in range(10)]

        await store.write(*map(create, books))

        assert await store.batch_get([book.ref for book in books]) == books

    async def test_adds_up_where_many_write_to_one_thing_at_once(self, store: Store) -> None:
        house = House(house_id=fresh(), title="Home")
        await store.write(put(house))

        await asyncio.gather(
            *(
                store.write(
                    update(House.at(house_id=house.house_id), books=add(1)),
                    create(Book(house_id=house.house_id, book_id=f"{n}")),
                )
                for n in range(12)
            )
        )

        found = await store.get(house.ref)
        assert found is not None
        assert found.books == 12

    async def test_of_nothing_is_refused(self, store: Store) -> None:
        with pytest.raises(Refused):
            await store.write()

    @pytest.mark.parametrize("make", [put, delete, create])
    async def test_names_the_table_that_is_not_there(self, store: Store, make: object) -> None:
        assert callable(make)
        with pytest.raises(UnknownTable, match="Unmade"):
            await store.write(make(Unmade(id="a", part="b")))

    async def test_does_nothing_where_one_table_is_not_there(self, store: Store) -> None:
        name = Name(name=fresh(), holder="ann")

        with pytest.raises(UnknownTable):
            await store.write(put(name), put(Unmade(id="a", part="b")))

        assert await store.get(name.ref) is None

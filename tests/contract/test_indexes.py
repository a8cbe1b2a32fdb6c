from commonroom.store import Store, put, update
from tests.support import world
from tests.support.paging import every_page
from tests.support.world import Book, Reading, Visit, fresh, fresh_number


class TestIndexes:
    async def test_hold_several_kinds_side_by_side(self, store: Store) -> None:
        owner = fresh()
        book = Book(house_id=fresh(), book_id="b", owner_id=owner, shelf="low", place=1)
        visit = Visit(house_id=fresh(), day="1", guest=owner, mood="merry")
        await store.write(put(visit), put(book))

        both = await store.page(world.owned(owner_id=owner))
        books = await store.page(world.shelf(owner_id=owner, shelf="low"))

        assert both.items == [book, visit]
        assert books.items == [book]

    async def test_leave_out_what_lacks_a_part_of_their_key(self, store: Store) -> None:
        owner, house = fresh(), fresh()
        on_shelf = Book(house_id=house, book_id="1", owner_id=owner, shelf="low", place=1)
        nowhere = Book(house_id=house, book_id="2", owner_id=owner, shelf="low", rank=1)
        unowned = Book(house_id=house, book_id="3", shelf="low", place=1, rank=1)
        await store.write(put(on_shelf), put(nowhere), put(unowned))

        assert (await store.page(world.owned(owner_id=owner))).items == [on_shelf]
        assert (await store.page(world.ranked(owner_id=owner))).items == [nowhere]

    async def test_that_share_a_partition_key_have_orders_of_their_own(self, store: Store) -> None:
        owner, house = fresh(), fresh()
        books = [
            Book(house_id=house, book_id=f"{n}", owner_id=owner, shelf="s", place=n, rank=-n)
            for n in range(3)
        ]
        await store.write(*map(put, books))

        assert (await store.page(world.shelf(owner_id=owner, shelf="s"))).items == books
        assert (await store.page(world.ranked(owner_id=owner))).items == books[::-1]
        assert (await store.page(world.ranked_down(owner_id=owner))).items == books

    async def test_with_padded_numbers_sort_by_the_number(self, store: Store) -> None:
        owner, house = fresh(), fresh()
        books = [
            Book(house_id=house, book_id=f"{place}", owner_id=owner, shelf="s", place=place)
            for place in (2, 10, 100, 9999)
        ]
        await store.write(*map(put, books[::-1]))

        assert (await store.page(world.shelf(owner_id=owner, shelf="s"))).items == books

    async def test_may_be_of_the_kind_itself(self, store: Store) -> None:
        visit = Visit(house_id=fresh(), day="1", guest="Bo", mood=fresh())
        await store.write(put(visit))

        assert (await store.page(world.visits_by_mood(mood=visit.mood))).items == [visit]

    async def test_find_by_the_whole_key(self, store: Store) -> None:
        owner = fresh()
        book = Book(house_id=fresh(), book_id="b", owner_id=owner, shelf="s", place=7)
        await store.write(put(book))

        at_7 = await store.page(world.shelf_place(owner_id=owner, shelf="s", at="0007"))
        at_8 = await store.page(world.shelf_place(owner_id=owner, shelf="s", at="0008"))

        assert (at_7.items, at_8.items) == ([book], [])

    async def test_with_ties_are_paged_through_without_losing_or_repeating(
        self, store: Store
    ) -> None:
        owner, house = fresh(), fresh()
        books = [
            Book(house_id=house, book_id=f"{n:02}", owner_id=owner, rank=n // 5) for n in range(15)
        ]
        await store.write(*map(put, books))

        for asked in (world.ranked(owner_id=owner), world.ranked_down(owner_id=owner)):
            pages = await every_page(store, asked, limit=4)
            found = [book for page in pages for book in page]
            assert [len(page) for page in pages] == [4, 4, 4, 3]
            assert sorted(found, key=lambda book: book.book_id) == books
            ranks = [book.rank or 0 for book in found]
            assert ranks == sorted(ranks, reverse=asked.pattern.newest_first)

    async def test_without_a_sort_key_hold_a_partition_in_some_order(self, store: Store) -> None:
        place, sensor = fresh(), fresh_number()
        readings = [Reading(sensor=sensor, moment=n, place=place) for n in range(7)]
        await store.write(*map(put, readings), put(Reading(sensor=sensor, moment=9)))

        pages = await every_page(store, world.place_readings(place=place), limit=3)

        found = [reading for page in pages for reading in page]
        assert sorted(found, key=lambda reading: reading.moment) == readings
        assert [len(page) for page in pages] == [3, 3, 1]

    async def test_can_be_in_the_order_of_the_tables_own_sort_key(self, store: Store) -> None:
        place = fresh()
        readings = [Reading(sensor=fresh_number(), moment=n, place=place) for n in (3, 1, 2)]
        await store.write(*map(put, readings), put(Reading(sensor=fresh_number(), moment=9)))

        pages = await every_page(store, world.place_in_time(place=place), limit=2)

        assert [[reading.moment for reading in page] for page in pages] == [[1, 2], [3]]

    async def test_that_carry_keys_only_give_references_to_fetch(self, store: Store) -> None:
        friend, house = fresh(), fresh()
        books = [
            Book(house_id=house, book_id=f"{n}", lent_to=friend, lent_at=f"2026-01-{n:02}")
            for n in range(1, 6)
        ]
        await store.write(*map(put, books))

        pages = await every_page(store, world.loans(lent_to=friend), limit=2)
        refs = [ref for page in pages for ref in page]

        assert [ref.key for ref in refs] == [book.ref.key for book in books]
        assert await store.batch_get(refs) == books

    async def test_forget_what_no_longer_has_their_key(self, store: Store) -> None:
        owner = fresh()
        book = Book(house_id=fresh(), book_id="b", owner_id=owner, rank=1)
        await store.write(put(book))

        await store.write(update(book, rank=None))

        assert (await store.page(world.ranked(owner_id=owner))).items == []

    async def test_follow_a_thing_that_is_put_anew(self, store: Store) -> None:
        owner, other, house = fresh(), fresh(), fresh()
        await store.write(put(Book(house_id=house, book_id="b", owner_id=owner, rank=1)))
        anew = Book(house_id=house, book_id="b", owner_id=other, rank=2)

        await store.write(put(anew))

        assert (await store.page(world.ranked(owner_id=owner))).items == []
        assert (await store.page(world.ranked(owner_id=other))).items == [anew]

import pytest

from commonroom.store import Store, counting, put
from commonroom.store.errors import BadKey, BadText, Refused, UnknownField, UnknownTable
from tests.support import world
from tests.support.paging import every_page
from tests.support.world import Book, House, Reading, Visit, fresh, fresh_number


async def books_in(store: Store, count: int) -> list[Book]:
    """So many books of a fresh house, in the order of their keys."""
    house = fresh()
    books = [Book(house_id=house, book_id=f"{number:03}") for number in range(count)]
    for start in range(0, count, 100):
        await store.write(*map(put, books[start : start + 100]))
    return books


class TestPage:
    async def test_of_an_empty_partition_is_empty_and_the_last(self, store: Store) -> None:
        page = await store.page(world.house_books(house_id=fresh()))

        assert (page.items, page.cursor) == ([], None)

    async def test_is_in_the_order_of_the_sort_key(self, store: Store) -> None:
        books = await books_in(store, 7)

        page = await store.page(world.house_books(house_id=books[0].house_id))

        assert page.items == books

    async def test_goes_backward_where_the_pattern_does(self, store: Store) -> None:
        books = await books_in(store, 7)

        page = await store.page(world.house_books_back(house_id=books[0].house_id))

        assert page.items == books[::-1]

    @pytest.mark.parametrize("count", [1, 5, 6, 7, 12])
    @pytest.mark.parametrize("pattern", [world.house_books, world.house_books_back])
    async def test_after_page_gives_everything_once_and_no_empty_last_page(
        self, store: Store, pattern: world.Books, count: int
    ) -> None:
        books = await books_in(store, count)
        asked = pattern(house_id=books[0].house_id)

        pages = await every_page(store, asked, limit=6)

        expected = books if pattern is world.house_books else books[::-1]
        assert pages == [expected[start : start + 6] for start in range(0, count, 6)]

    async def test_holds_fifty_unless_told_otherwise(self, store: Store) -> None:
        books = await books_in(store, 51)
        asked = world.house_books(house_id=books[0].house_id)

        assert [len(page) for page in await every_page(store, asked)] == [50, 1]

    @pytest.mark.parametrize("limit", [0, -1, 1001])
    async def test_refuses_a_limit_that_makes_no_sense(self, store: Store, limit: int) -> None:
        with pytest.raises(Refused, match="1 to 1000"):
            await store.page(world.house_books(house_id=fresh()), limit=limit)

    async def test_holds_the_kinds_of_its_pattern_only(self, store: Store) -> None:
        house = House(house_id=fresh(), title="Home")
        book = Book(house_id=house.house_id, book_id="b")
        visit = Visit(house_id=house.house_id, day="1", guest="Bo")
        await store.write(put(visit), put(book), put(house))

        everything = await store.page(world.house_contents(house_id=house.house_id))
        visits = await store.page(world.house_visits_only(house_id=house.house_id))

        assert everything.items == [house, book, visit]
        assert visits.items == [visit]

    async def test_after_page_finds_a_kind_that_is_rare_in_its_partition(
        self, store: Store
    ) -> None:
        books = await books_in(store, 23)
        visit = Visit(house_id=books[0].house_id, day="1", guest="Bo")
        await store.write(put(visit))
        asked = world.house_visits_only(house_id=visit.house_id)

        pages = await every_page(store, asked, limit=4)

        assert [item for page in pages for item in page] == [visit]
        assert len(pages) > 1, "pages are cut by what is looked at, so that none takes forever"

    async def test_sees_a_write_at_once(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b")
        asked = world.house_books(house_id=book.house_id)
        assert (await store.page(asked)).items == []

        await store.write(put(book))

        assert (await store.page(asked)).items == [book]

    async def test_says_which_parameter_is_missing(self) -> None:
        with pytest.raises(UnknownField, match="needs house_id"):
            world.house_books()

    async def test_refuses_a_parameter_without_a_value(self) -> None:
        with pytest.raises(BadKey, match="house_id"):
            world.house_books(house_id=None)

    async def test_names_the_table_that_is_not_there(self, store: Store) -> None:
        with pytest.raises(UnknownTable, match="Unmade"):
            await store.page(world.unmade_parts(id="a"))

    async def test_refuses_a_partition_that_no_item_could_have(self, store: Store) -> None:
        with pytest.raises(BadKey):
            await store.page(world.unmade_parts(id=""))
        with pytest.raises(BadKey):
            await store.page(world.house_books(house_id="é" * 1024))
        with pytest.raises(BadKey):
            await store.page(world.sensor(sensor="one"))
        with pytest.raises(BadText):
            await store.page(world.house_books(house_id="\udc00"))

    async def test_refuses_a_range_that_no_item_could_be_in(self, store: Store) -> None:
        with pytest.raises(BadKey):
            await store.page(world.sensor_after(sensor=1, moment="late"))
        with pytest.raises(BadKey):
            await store.page(world.visits_after(house_id=fresh(), day="é" * 512, guest="Bo"))
        with pytest.raises(BadText):
            await store.page(
                world.visits_between(house_id=fresh(), low="1", high="\udc00", guest="Bo")
            )


class TestRanges:
    @pytest.fixture
    async def visits(self, store: Store) -> list[Visit]:
        house = fresh()
        visits = [Visit(house_id=house, day=f"{day}", guest="Bo") for day in range(1, 7)]
        await store.write(*map(put, visits), put(Book(house_id=house, book_id="b")))
        return visits

    async def test_between_includes_both_ends(self, store: Store, visits: list[Visit]) -> None:
        house = visits[0].house_id

        page = await store.page(world.visits_between(house_id=house, low="2", high="4", guest="Bo"))

        assert page.items == visits[1:4]

    async def test_between_the_wrong_way_round_is_empty(
        self, store: Store, visits: list[Visit]
    ) -> None:
        house = visits[0].house_id

        page = await store.page(world.visits_between(house_id=house, low="4", high="2", guest="Bo"))

        assert (page.items, page.cursor) == ([], None)

    async def test_after_and_before_leave_the_end_itself_out(
        self, store: Store, visits: list[Visit]
    ) -> None:
        house = visits[0].house_id

        after = await store.page(world.visits_after(house_id=house, day="4", guest="Bo"))
        before = await store.page(world.visits_before(house_id=house, day="3", guest="Bo"))

        assert after.items == visits[4:]
        assert before.items == visits[:2], "and nothing of another kind"

    async def test_a_prefix_ends_where_its_key_part_ends(self, store: Store) -> None:
        house = fresh()
        first = Visit(house_id=house, day="1", guest="Bo")
        tenth = Visit(house_id=house, day="10", guest="Bo")
        await store.write(put(first), put(tenth))

        assert (await store.page(world.visits_of_day(house_id=house, day="1"))).items == [first]

    @pytest.mark.parametrize(
        "last, before",
        [
            ("\x7f", "\x7e"),
            ("\u07ff", "\u07fe"),
            ("\ud7ff", "\ud7fe"),
            ("\ue000", "\ud7ff"),
            ("\uffff", "\ufffe"),
            ("\U0010ffff", "\U0010fffe"),
        ],
    )
    async def test_a_prefix_may_end_with_any_character(
        self, store: Store, last: str, before: str
    ) -> None:
        house, prefix = fresh(), f"a{last}"
        within = [prefix, f"{prefix}{last}", f"{prefix}\x00", f"{prefix}\U0010ffff"]
        outside = ["a", f"a{before}\U0010ffff", "b", f"b{last}"]
        everything = [Book(house_id=house, book_id=book_id) for book_id in within + outside]
        await store.write(*map(put, {book.book_id: book for book in everything}.values()))

        page = await store.page(world.books_with_prefix(house_id=house, prefix=prefix))

        assert {book.book_id for book in page.items} == set(within)

    async def test_text_sorts_by_its_bytes(self, store: Store) -> None:
        house = fresh()
        ids = ["é", "Z", "a", "\uffff", "\U00010000", "\x00", "aa", "a\x00", "\ue000"]
        await store.write(*(put(Book(house_id=house, book_id=book_id)) for book_id in ids))

        page = await store.page(world.house_books(house_id=house))

        assert [book.book_id for book in page.items] == sorted(ids, key=str.encode)

    async def test_numbers_sort_as_numbers(self, store: Store) -> None:
        sensor = fresh_number()
        moments = [10, 9, -1, 0, 0.5, -10, 1e20, 1e-20, 100, -0.25]
        await store.write(*(put(Reading(sensor=sensor, moment=moment)) for moment in moments))

        up = await store.page(world.sensor(sensor=sensor))
        down = await store.page(world.sensor_down(sensor=sensor))
        span = await store.page(world.sensor_span(sensor=sensor, low=-1, high=9))
        after = await store.page(world.sensor_after(sensor=sensor, moment=9.5))

        assert [reading.moment for reading in up.items] == sorted(moments)
        assert [reading.moment for reading in down.items] == sorted(moments, reverse=True)
        assert [reading.moment for reading in span.items] == [-1, -0.25, 0, 1e-20, 0.5, 9]
        assert [reading.moment for reading in after.items] == [10, 100, 1e20]


class TestPageAndNext:
    @pytest.mark.parametrize("count", [0, 1, 5, 6, 7, 12, 13])
    @pytest.mark.parametrize("pattern", [world.house_books, world.house_books_back])
    async def test_goes_through_everything_once_and_knows_what_follows(
        self, store: Store, pattern: world.Books, count: int
    ) -> None:
        books = await books_in(store, count)
        expected = books if pattern is world.house_books else books[::-1]
        asked = pattern(house_id=books[0].house_id if books else fresh())
        seen, cursor = [], None
        while True:
            page, following = await store.page_and_next(asked, limit=6, cursor=cursor)
            seen += page.items
            assert following == next(iter(expected[len(seen) :]), None)
            assert (page.cursor is None) is (following is None)
            cursor = page.cursor
            if cursor is None:
                break
        assert seen == expected

    async def test_goes_on_in_an_index_too(self, store: Store) -> None:
        owner, house = fresh(), fresh()
        books = [
            Book(house_id=house, book_id=f"{n}", owner_id=owner, shelf="a", place=n // 2)
            for n in range(7)
        ]
        await store.write(*map(put, books))
        asked = world.shelf(owner_id=owner, shelf="a")
        page, following = await store.page_and_next(asked, limit=3)
        rest = await store.page(asked, cursor=page.cursor)
        assert following == rest.items[0]
        everything = [*page.items, *rest.items]
        assert sorted(one.book_id for one in everything) == [one.book_id for one in books]

    async def test_takes_one_request(self, store: Store) -> None:
        books = await books_in(store, 7)
        with counting() as tally:
            await store.page_and_next(world.house_books(house_id=books[0].house_id), limit=3)
        assert tally.requests == 1

from itertools import chain

import pytest

from commonroom.store import BoundPattern, Store, counting, put
from commonroom.store.errors import BadCursor, BadKey, Refused
from tests.support import world
from tests.support.engines import Clock
from tests.support.paging import every_merged_page
from tests.support.world import Book, Reading, Visit, fresh, fresh_number


async def readings_of(store: Store, *moments: list[float]) -> list[int]:
    """Sensors with readings at these moments."""
    sensors = [fresh_number() for _ in moments]
    readings = [
        Reading(sensor=sensor, moment=moment)
        for sensor, several in zip(sensors, moments, strict=True)
        for moment in several
    ]
    await store.write(*map(put, readings))
    return sensors


def up(sensors: list[int]) -> list[BoundPattern[Reading]]:
    return [world.sensor(sensor=sensor) for sensor in sensors]


def down(sensors: list[int]) -> list[BoundPattern[Reading]]:
    return [world.sensor_down(sensor=sensor) for sensor in sensors]


class TestMerged:
    async def test_gives_several_partitions_in_one_order(self, store: Store) -> None:
        sensors = await readings_of(store, [1, 4, 6], [2, 3], [], [5])

        with counting() as tally:
            page = await store.merged(up(sensors))

        assert [reading.moment for reading in page.items] == [1, 2, 3, 4, 5, 6]
        assert page.cursor is None
        assert tally.reads == 4

    async def test_goes_backward_where_its_patterns_do(self, store: Store) -> None:
        sensors = await readings_of(store, [1, 4], [2, 3])

        page = await store.merged(down(sensors))

        assert [reading.moment for reading in page.items] == [4, 3, 2, 1]

    async def test_puts_ties_in_the_order_of_the_partitions(self, store: Store) -> None:
        sensors = await readings_of(store, [1, 2], [1, 2], [1, 2])

        for asked in (up(sensors), down(sensors)):
            page = await store.merged(asked)
            assert [reading.sensor for reading in page.items] == sensors * 2

    @pytest.mark.parametrize("limit", [1, 2, 3, 4, 7, 18, 19])
    async def test_page_after_page_gives_everything_once_and_in_order(
        self, store: Store, limit: int
    ) -> None:
        sensors = await readings_of(
            store, [1, 2, 2.5, 9], [2, 3], [], [1, 2, 3, 4, 5, 6, 7, 8, 9], [9], [1, 9]
        )
        expected = sorted(chain([1, 2, 2.5, 9], [2, 3], range(1, 10), [9], [1, 9]))

        for asked, order in ((up(sensors), expected), (down(sensors), expected[::-1])):
            pages = await every_merged_page(store, asked, limit=limit)
            found = [reading for page in pages for reading in page]
            assert [reading.moment for reading in found] == order
            assert len({(reading.sensor, reading.moment) for reading in found}) == 18
            assert all(len(page) == limit for page in pages[:-1])
            assert pages[-1], "the last page is never empty"

    @pytest.mark.parametrize("limit", [1, 2, 5])
    async def test_pages_through_ties_within_one_partition_of_an_index(
        self, store: Store, limit: int
    ) -> None:
        owners = [fresh() for _ in range(3)]
        books = [
            Book(house_id=fresh(), book_id=f"{n}", owner_id=owner, rank=rank)
            for owner in owners
            for n, rank in enumerate([1, 1, 1, 2])
        ]
        await store.write(*map(put, books))

        pages = await every_merged_page(
            store, [world.ranked(owner_id=owner) for owner in owners], limit=limit
        )

        found = [book for page in pages for book in page]
        assert [(book.rank, book.owner_id) for book in found] == [
            *[(1, owner) for owner in owners for _ in range(3)],
            *[(2, owner) for owner in owners],
        ]
        assert len({book.house_id for book in found}) == 12

    async def test_merges_patterns_of_different_indexes_and_tables(self, store: Store) -> None:
        owner, sensor = fresh(), fresh_number()
        books = [Book(house_id=fresh(), book_id="b", owner_id=owner, rank=n) for n in (1, 3, 5)]
        readings = [Reading(sensor=sensor, moment=n) for n in (2, 3, 4)]
        await store.write(*map(put, books), *map(put, readings))
        asked: list[BoundPattern[Book | Reading]] = [
            world.ranked(owner_id=owner),
            world.sensor(sensor=sensor),
        ]

        pages = await every_merged_page(store, asked, limit=2)

        assert pages == [[books[0], readings[0]], [books[1], readings[1]], [readings[2], books[2]]]

    async def test_keeps_each_partitions_own_beginning(self, store: Store) -> None:
        sensors = await readings_of(store, [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6])
        asked = [
            world.sensor_after(sensor=sensors[0], moment=4),
            world.sensor_after(sensor=sensors[1], moment=0),
        ]

        pages = await every_merged_page(store, asked, limit=2)

        assert [reading.moment for page in pages for reading in page] == [1, 2, 3, 4, 5, 5, 6, 6]

    async def test_keeps_a_beginning_that_is_where_the_last_page_ended(self, store: Store) -> None:
        sensors = await readings_of(store, [3, 4], [3, 4], [3, 4])
        asked = [world.sensor_after(sensor=sensor, moment=3) for sensor in sensors]
        asked[1] = world.sensor(sensor=sensors[1])

        pages = await every_merged_page(store, asked, limit=1)

        found = [(reading.moment, reading.sensor) for page in pages for reading in page]
        assert found == [(3, sensors[1]), (4, sensors[0]), (4, sensors[1]), (4, sensors[2])]

    async def test_leaves_out_other_kinds_without_losing_its_place(self, store: Store) -> None:
        houses = [fresh() for _ in range(3)]
        visits = [
            Visit(house_id=house, day=f"{day}", guest=f"g{n}")
            for n, house in enumerate(houses)
            for day in range(4)
        ]
        books = [Book(house_id=house, book_id=f"{n}") for house in houses[:2] for n in range(9)]
        await store.write(*map(put, visits), *map(put, books))
        asked = [world.house_visits_only(house_id=house) for house in houses]

        pages = await every_merged_page(store, asked, limit=3)

        found = [(visit.day, visit.guest) for page in pages for visit in page]
        assert found == sorted((visit.day, visit.guest) for visit in visits)

    async def test_leaves_out_what_has_expired_without_losing_its_place(
        self, store: Store, clock: Clock
    ) -> None:
        houses, soon = [fresh(), fresh()], int(clock()) + 1000
        books = [
            Book(house_id=house, book_id=f"{n:02}", expires_at=soon if n % 4 else None)
            for house in houses
            for n in range(20)
        ]
        await store.write(*map(put, books))
        clock.ahead = 2000
        asked = [world.house_contents(house_id=house) for house in houses]

        pages = await every_merged_page(store, asked, limit=2)

        found = [book for page in pages for book in page]
        assert found == sorted(
            (book for book in books if book.expires_at is None),
            key=lambda book: (book.book_id, houses.index(book.house_id)),
        )

    async def test_of_keys_only_gives_references(self, store: Store) -> None:
        friends, house = [fresh(), fresh()], fresh()
        books = [
            Book(house_id=house, book_id=f"{n}", lent_to=friends[n % 2], lent_at=f"{n}")
            for n in range(5)
        ]
        await store.write(*map(put, books))

        pages = await every_merged_page(
            store, [world.loans(lent_to=friend) for friend in friends], limit=2
        )

        refs = [ref for page in pages for ref in page]
        assert await store.batch_get(refs) == books

    async def test_refuses_cursors_of_other_partitions_or_of_another_order_of_them(
        self, store: Store
    ) -> None:
        sensors = await readings_of(store, [1, 2], [1, 2], [1, 2])
        cursor = (await store.merged(up(sensors), limit=1)).cursor

        for asked in (up(sensors[::-1]), up(sensors[:2]), down(sensors)):
            with pytest.raises(BadCursor):
                await store.merged(asked, cursor=cursor)

    async def test_refuses_patterns_of_two_directions(self, store: Store) -> None:
        with pytest.raises(Refused, match="another order"):
            await store.merged([*up([1]), *down([2])])

    async def test_refuses_to_mix_text_and_numbers(self, store: Store) -> None:
        asked: list[BoundPattern[Book | Reading]] = [
            world.sensor(sensor=1),
            world.house_books_from(house_id="h", book_id="b"),
        ]
        with pytest.raises(Refused, match="another order"):
            await store.merged(asked)

    async def test_refuses_a_range_that_ends_on_the_far_side(self, store: Store) -> None:
        with pytest.raises(Refused, match="far side"):
            await store.merged([world.sensor_span(sensor=1, low=1, high=2)])

    async def test_refuses_what_has_no_order(self, store: Store) -> None:
        with pytest.raises(Refused, match="cannot be merged"):
            await store.merged([world.place_readings(place="here")])

    async def test_refuses_none_and_too_many_partitions(self, store: Store) -> None:
        for count in (0, 101):
            with pytest.raises(Refused, match="One to 100"):
                await store.merged(up(list(range(count))))

    async def test_refuses_a_bad_partition_among_good_ones(self, store: Store) -> None:
        with pytest.raises(BadKey):
            await store.merged([world.sensor(sensor=1), world.sensor(sensor="two")])

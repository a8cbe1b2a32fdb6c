import pytest

from commonroom.store import BoundPattern, Store, delete, put
from commonroom.store.cursors import Cursors
from commonroom.store.engine import Engine
from commonroom.store.errors import BadCursor
from tests.support import world
from tests.support.world import Book, Reading, fresh, fresh_number


@pytest.fixture
async def asked(store: Store) -> BoundPattern[Book]:
    """A question with three answers."""
    house = fresh()
    await store.write(*(put(Book(house_id=house, book_id=book_id)) for book_id in "abc"))
    return world.house_books(house_id=house)


async def cursor_of(store: Store, asked: BoundPattern[Book]) -> str:
    cursor = (await store.page(asked, limit=1)).cursor
    assert cursor is not None
    return cursor


class TestCursors:
    async def test_may_be_followed_with_another_limit(
        self, store: Store, asked: BoundPattern[Book]
    ) -> None:
        cursor = await cursor_of(store, asked)

        page = await store.page(asked, limit=10, cursor=cursor)

        assert [book.book_id for book in page.items] == ["b", "c"]

    async def test_may_be_followed_again(self, store: Store, asked: BoundPattern[Book]) -> None:
        cursor = await cursor_of(store, asked)

        pages = [(await store.page(asked, limit=1, cursor=cursor)).items for _ in range(2)]

        assert pages[0] == pages[1]

    async def test_go_on_where_the_item_they_name_is_gone(
        self, store: Store, asked: BoundPattern[Book]
    ) -> None:
        first = await store.page(asked, limit=2)
        await store.write(delete(first.items[-1]))

        page = await store.page(asked, cursor=first.cursor)

        assert [book.book_id for book in page.items] == ["c"]

    async def test_say_nothing_of_what_they_hold(
        self, store: Store, asked: BoundPattern[Book]
    ) -> None:
        one, other = await cursor_of(store, asked), await cursor_of(store, asked)

        assert one != other
        assert str(asked.partition)[6:] not in one

    async def test_of_another_partition_are_refused(
        self, store: Store, asked: BoundPattern[Book]
    ) -> None:
        with pytest.raises(BadCursor):
            await store.page(
                world.house_books(house_id=fresh()), cursor=await cursor_of(store, asked)
            )

    async def test_of_another_pattern_are_refused(
        self, store: Store, asked: BoundPattern[Book]
    ) -> None:
        house = str(asked.partition).removeprefix("house#")

        for pattern in (world.house_books_back, world.house_contents):
            with pytest.raises(BadCursor):
                await store.page(pattern(house_id=house), cursor=await cursor_of(store, asked))

    async def test_of_another_range_are_refused(self, store: Store) -> None:
        sensor = fresh_number()
        await store.write(*(put(Reading(sensor=sensor, moment=moment)) for moment in range(4)))
        page = await store.page(world.sensor_after(sensor=sensor, moment=0), limit=1)

        with pytest.raises(BadCursor):
            await store.page(world.sensor_after(sensor=sensor, moment=-1), cursor=page.cursor)

    async def test_of_one_question_are_refused_by_a_merged_one(
        self, store: Store, asked: BoundPattern[Book]
    ) -> None:
        plain = world.house_contents(house_id=str(asked.partition).removeprefix("house#"))
        cursor = (await store.page(plain, limit=1)).cursor

        with pytest.raises(BadCursor):
            await store.merged([plain, world.house_contents(house_id=fresh())], cursor=cursor)

    async def test_of_another_installation_are_refused(
        self, store: Store, engine: Engine, asked: BoundPattern[Book]
    ) -> None:
        with pytest.raises(BadCursor):
            await Store(engine).page(asked, cursor=await cursor_of(store, asked))

    async def test_are_good_for_all_servers_of_an_installation(
        self, engine: Engine, asked: BoundPattern[Book]
    ) -> None:
        key = Cursors.new_key()
        cursor = await cursor_of(Store(engine, cursor_key=key), asked)

        page = await Store(engine, cursor_key=key).page(asked, cursor=cursor)

        assert [book.book_id for book in page.items] == ["b", "c"]

    async def test_hold_keys_of_any_length(self, store: Store) -> None:
        owner, house = "o" * 2010 + fresh(), "h" * 2010 + fresh()
        books = [
            Book(
                house_id=house,
                book_id=f"{number}" + "b" * 1018,
                owner_id=owner,
                shelf="s" * 1013,
                place=number,
            )
            for number in range(3)
        ]
        await store.write(*map(put, books))
        asked = world.shelf(owner_id=owner, shelf="s" * 1013)

        first = await store.page(asked, limit=1)

        assert (await store.page(asked, limit=1, cursor=first.cursor)).items == [books[1]]


async def test_a_position_of_any_list_opens_for_the_same_list_only(store: Store) -> None:
    cursor = store.seal_position([3, "x"], ["a list", "of ada"])
    assert store.open_position(cursor, ["a list", "of ada"]) == [3, "x"]
    for other in (["a list", "of eve"], ["another"]):
        with pytest.raises(BadCursor):
            store.open_position(cursor, other)
    for changed in ("", "x", cursor[:-1], f"{cursor}A", "A" * 60, "x" * 20_000):
        with pytest.raises(BadCursor):
            store.open_position(changed, ["a list", "of ada"])


async def test_a_position_is_always_spelt_alike(store: Store) -> None:
    again = Store(store.engine)
    assert store.seal_position([3], "here") == store.seal_position([3], "here")
    assert store.seal_position([3], "here") != again.seal_position([3], "here")

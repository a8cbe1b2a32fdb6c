import pytest
from msgspec.structs import replace

from commonroom.store import (
    ConditionFailed,
    Store,
    absent,
    check,
    create,
    delete,
    equal,
    new,
    present,
    put,
    stored,
    update,
)
from tests.support import world
from tests.support.engines import Clock
from tests.support.world import Book, Parcel, fresh


@pytest.fixture
async def book(store: Store, clock: Clock) -> Book:
    """A book that expires in a while, as far as the database's own clock goes."""
    book = Book(
        house_id=fresh(),
        book_id="b",
        owner_id=fresh(),
        shelf="low",
        place=1,
        rank=1,
        expires_at=int(clock()) + 1000,
    )
    await store.write(put(book))
    return book


@pytest.fixture
async def expired(book: Book, clock: Clock) -> Book:
    """The same book, after its time; nobody has deleted it yet."""
    clock.ahead = 1001
    return book


class TestBeforeItsTime:
    async def test_a_thing_is_as_any_other(self, store: Store, book: Book, clock: Clock) -> None:
        clock.ahead = 900

        assert await store.get(book.ref) == book
        assert await store.batch_get([book.ref]) == [book]
        assert (await store.page(world.house_books(house_id=book.house_id))).items == [book]
        with pytest.raises(ConditionFailed):
            await store.write(create(book))


class TestAnExpiredThing:
    async def test_is_gone_for_get(self, store: Store, expired: Book) -> None:
        assert await store.get(expired.ref) is None

    async def test_is_gone_for_batch_get(self, store: Store, expired: Book) -> None:
        assert await store.batch_get([expired.ref]) == [None]

    async def test_is_gone_from_pages(self, store: Store, expired: Book) -> None:
        for asked in (
            world.house_books(house_id=expired.house_id),
            world.ranked(owner_id=expired.owner_id),
            world.shelf(owner_id=expired.owner_id, shelf="low"),
        ):
            page = await store.page(asked)
            assert (page.items, page.cursor) == ([], None)

    async def test_is_gone_from_a_scan(self, store: Store, clock: Clock) -> None:
        lasting = Parcel(parcel_id=fresh(), expires=int(clock()) + 5000)
        fleeting = Parcel(parcel_id=fresh(), expires=int(clock()) + 1000)
        await store.write(put(lasting), put(fleeting))

        clock.ahead = 1001

        rows = await store.engine.scan(Parcel.schema.table, limit=1000)
        assert lasting.to_item() in rows.items
        assert fleeting.to_item() not in rows.items

    async def test_is_nothing_to_create(self, store: Store, expired: Book) -> None:
        anew = replace(expired, expires_at=None, title="Anew")

        await store.write(create(anew))

        assert await store.get(expired.ref) == anew

    async def test_is_nothing_to_update(self, store: Store, expired: Book) -> None:
        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(expired, expires_at=None))

        assert (caught.value.index, caught.value.item) == (0, None)
        assert await store.get(expired.ref) is None

    async def test_is_nothing_to_conditions(self, store: Store, expired: Book) -> None:
        for holding in (new, absent("title"), equal(title=None), ~equal(title="Untitled")):
            await store.write(check(expired, if_=holding))
        for failing in (stored, present("title"), equal(title="Untitled"), ~absent("title")):
            with pytest.raises(ConditionFailed) as caught:
                await store.write(check(expired, if_=failing))
            assert caught.value.item is None

    async def test_can_be_deleted_or_replaced(self, store: Store, expired: Book) -> None:
        await store.write(delete(expired, if_=new))
        anew = replace(expired, expires_at=None)

        await store.write(put(anew, if_=new))

        assert await store.get(expired.ref) == anew

    async def test_leaves_room_for_those_that_have_not_expired(
        self, store: Store, expired: Book
    ) -> None:
        others = [Book(house_id=expired.house_id, book_id=f"{n}") for n in "ac"]
        await store.write(*map(put, others))

        page = await store.page(world.house_books(house_id=expired.house_id))

        assert page.items == others


class TestTheTime:
    async def test_is_over_at_the_very_second(self, store: Store, book: Book, clock: Clock) -> None:
        assert book.expires_at is not None

        clock.stopped = book.expires_at - 0.25
        assert await store.get(book.ref) == book
        clock.stopped = book.expires_at
        assert await store.get(book.ref) is None

    async def test_can_be_prolonged_or_lifted(self, store: Store, book: Book, clock: Clock) -> None:
        await store.write(update(book, expires_at=int(clock()) + 5000))
        clock.ahead = 2000
        found = await store.get(book.ref)
        assert found is not None

        await store.write(update(found, expires_at=None))
        clock.ahead = 9000
        assert await store.get(book.ref) == replace(found, expires_at=None, version=3)

import pytest
from msgspec.structs import replace

from commonroom.store import ConditionFailed, Store, move, put, update
from commonroom.store.errors import SameItemTwice
from tests.support import world
from tests.support.world import Book, Visit, fresh


class TestMove:
    async def test_gives_a_thing_another_key_and_leaves_nothing_behind(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), shelf="low", place=1)
        await store.write(put(book))
        moved = replace(book, house_id=fresh(), title="Moved")

        await store.write(*move(book, house_id=moved.house_id, title="Moved"))

        assert await store.get(book.ref) is None
        assert await store.get(moved.ref) == moved
        assert (await store.page(world.owned(owner_id=book.owner_id))).items == [moved]

    async def test_fails_where_something_is_at_the_new_place(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b")
        other = Book(house_id=fresh(), book_id="b", title="Other")
        await store.write(put(book), put(other))

        with pytest.raises(ConditionFailed) as caught:
            await store.write(*move(book, house_id=other.house_id))

        assert (caught.value.index, caught.value.entity) == (1, other)
        assert await store.get(book.ref) == book

    async def test_fails_where_a_versioned_thing_changed_since_it_was_read(
        self, store: Store
    ) -> None:
        book = Book(house_id=fresh(), book_id="b")
        await store.write(put(book))
        await store.write(update(book, title="Changed"))

        with pytest.raises(ConditionFailed) as caught:
            await store.write(*move(book, house_id=fresh()))

        assert (caught.value.index, caught.value.entity.title) == (0, "Changed")
        assert await store.get(book.ref) is not None

    @pytest.mark.parametrize("read, now", [("merry", None), (None, "merry"), ("merry", "sad")])
    async def test_fails_where_any_other_thing_changed_since_it_was_read(
        self, store: Store, read: str | None, now: str | None
    ) -> None:
        visit = Visit(house_id=fresh(), day="1", guest="Bo", mood=read)
        await store.write(put(visit))
        await store.write(update(visit, mood=now))

        with pytest.raises(ConditionFailed) as caught:
            await store.write(*move(visit, day="2"))

        assert caught.value.index == 0

    async def test_of_what_is_gone_fails(self, store: Store) -> None:
        with pytest.raises(ConditionFailed) as caught:
            await store.write(*move(Visit(house_id=fresh(), day="1", guest="Bo"), day="2"))

        assert (caught.value.index, caught.value.entity) == (0, None)

    async def test_to_where_it_is_already_is_refused(self, store: Store) -> None:
        visit = Visit(house_id=fresh(), day="1", guest="Bo")
        await store.write(put(visit))

        with pytest.raises(SameItemTwice):
            await store.write(*move(visit, guest="bo"))

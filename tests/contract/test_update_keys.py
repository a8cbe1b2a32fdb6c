from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.store import ConditionFailed, Entity, Store, add, if_absent, put, update
from commonroom.store.errors import BadKey, UnknownField
from tests.support import world
from tests.support.world import Book, Parcel, Visit, fresh


async def stored_item(store: Store, thing: Entity) -> dict[str, Any]:
    """What is stored of a thing, keys included."""
    [item] = await store.engine.batch_get([(thing.schema.table, thing.ref.key)])
    assert item is not None
    return item


class TestKeysFollowTheFieldsTheyAreMadeOf:
    async def test_when_one_of_them_changes(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), shelf="low", place=1)
        await store.write(put(book))

        await store.write(update(book, shelf="high"))

        assert await stored_item(store, book) == replace(book, shelf="high", version=2).to_item()
        assert (await store.page(world.shelf(owner_id=book.owner_id, shelf="low"))).items == []
        [found] = (await store.page(world.shelf(owner_id=book.owner_id, shelf="high"))).items
        assert found.shelf == "high"

    async def test_when_several_change_that_share_a_key(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), shelf="low", place=1)
        await store.write(put(book))

        changes: dict[str, Any] = {"shelf": "high", "place": 12, "owner_id": fresh(), "rank": 3.5}
        await store.write(update(book, **changes))

        assert await stored_item(store, book) == replace(book, **changes, version=2).to_item()

    async def test_and_go_when_one_of_them_goes(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), shelf="low", place=1)
        await store.write(put(book))

        await store.write(update(book, place=None))

        item = await stored_item(store, book)
        assert "ShelfKey" not in item
        assert item == replace(book, place=None, version=2).to_item()

    async def test_and_come_when_the_last_of_them_comes(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), shelf="low")
        await store.write(put(book))

        await store.write(update(book, place=0))

        assert (await stored_item(store, book))["ShelfKey"] == "shelf#low#0000"

    async def test_and_stay_when_nothing_of_them_changes(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), shelf="low", place=1)
        await store.write(put(book))

        await store.write(update(Book.at(house_id=book.house_id, book_id="b"), title="New"))

        assert await stored_item(store, book) == replace(book, title="New", version=2).to_item()

    async def test_also_where_only_the_place_of_the_thing_is_given(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh())
        await store.write(put(book))

        ref = Book.at(house_id=book.house_id, book_id="b")
        await store.write(update(ref, shelf="low", place=3))

        item = replace(book, shelf="low", place=3, version=2).to_item()
        assert await stored_item(store, book) == item

    async def test_also_where_a_field_is_a_key_itself(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), rank=1)
        await store.write(put(book))

        await store.write(update(book.ref, rank=add(1.5)))

        [found] = (await store.page(world.ranked_above(owner_id=book.owner_id, rank=2))).items
        assert found.rank == 2.5

    async def test_also_where_a_field_is_a_key_and_part_of_another(self, store: Store) -> None:
        visit = Visit(house_id=fresh(), day="1", guest=fresh(), mood=fresh())
        await store.write(put(visit))
        mood = fresh()

        await store.write(update(visit, mood=mood))

        [found] = (await store.page(world.visits_by_mood(mood=mood))).items
        assert found == replace(visit, mood=mood)
        assert await stored_item(store, visit) == found.to_item()

    def test_or_the_update_is_refused_for_want_of_the_others(self) -> None:
        with pytest.raises(UnknownField, match=r"needs place for ShelfKey"):
            update(Book.at(house_id="h", book_id="b"), shelf="low")

    @pytest.mark.parametrize("change", [add(1), if_absent(3)])
    def test_or_the_update_is_refused_for_want_of_the_outcome(self, change: object) -> None:
        with pytest.raises(UnknownField, match="place takes part in ShelfKey"):
            update(Book(house_id="h", book_id="b"), place=change)

    def test_or_the_update_is_refused_for_a_key_that_cannot_be(self) -> None:
        with pytest.raises(BadKey):
            update(Book(house_id="h", book_id="b", place=1), shelf="a#b")
        with pytest.raises(BadKey):
            update(Book(house_id="h", book_id="b", place=1), shelf="")

    async def test_or_the_update_is_refused_for_a_key_that_is_too_long(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", place=1)
        await store.write(put(book))

        with pytest.raises(BadKey, match="ShelfKey"):
            await store.write(update(book, shelf="é" * 511))
        with pytest.raises(BadKey, match="LentTo"):
            await store.write(update(book, lent_to=""))

        assert await store.get(book.ref) == book


class TestWhatAKeyIsMadeOfIsHeld:
    """A parcel has no version, so what its keys are made of is held field by field."""

    @pytest.fixture
    async def parcel(self, store: Store) -> Parcel:
        parcel = Parcel(parcel_id=fresh(), sender="ann", weight=2)
        await store.write(put(parcel))
        return parcel

    @pytest.mark.parametrize("meanwhile", ["bob", None])
    async def test_so_that_a_change_by_somebody_else_is_a_conflict(
        self, store: Store, parcel: Parcel, meanwhile: str | None
    ) -> None:
        await store.write(update(parcel, sender=meanwhile))

        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(parcel, weight=3))

        current = replace(parcel, sender=meanwhile)
        assert caught.value.entity == current
        assert await stored_item(store, parcel) == current.to_item()

    async def test_so_that_a_value_that_came_meanwhile_is_a_conflict(
        self, store: Store, parcel: Parcel
    ) -> None:
        unsent = replace(parcel, sender=None)
        await store.write(put(unsent))
        await store.write(update(unsent, sender="bob"))

        with pytest.raises(ConditionFailed):
            await store.write(update(unsent, weight=3))

    async def test_but_not_what_no_key_of_the_change_is_made_of(
        self, store: Store, parcel: Parcel
    ) -> None:
        await store.write(update(parcel, note="new"))

        await store.write(update(parcel, weight=3))

        assert await store.get(parcel.ref) == replace(parcel, note="new", weight=3)


class TestAVersion:
    async def test_is_raised_by_every_update(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", version=7)
        await store.write(put(book))

        await store.write(update(book, title="New"))
        await store.write(update(Book.at(house_id=book.house_id, book_id="b"), pages=1))

        found = await store.get(book.ref)
        assert found is not None
        assert found.version == 9

    async def test_makes_the_second_of_two_updates_of_the_same_state_a_conflict(
        self, store: Store
    ) -> None:
        book = Book(house_id=fresh(), book_id="b")
        await store.write(put(book))

        await store.write(update(book, title="First"))
        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(book, pages=2))

        current = caught.value.entity
        assert current == replace(book, title="First", version=2)
        await store.write(update(current, pages=2))
        assert await store.get(book.ref) == replace(current, pages=2, version=3)

    async def test_can_be_set_outright(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", version=3)
        await store.write(put(book))

        await store.write(update(book, version=10))

        assert await store.get(book.ref) == replace(book, version=10)

    async def test_holds_also_what_keys_are_made_of(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), shelf="low", place=1)
        await store.write(put(book))
        await store.write(update(book, shelf="high"))

        with pytest.raises(ConditionFailed):
            await store.write(update(book, place=2))

    async def test_set_outright_still_holds_what_keys_are_made_of(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", owner_id=fresh(), shelf="low", place=1)
        await store.write(put(book))
        await store.write(update(book, shelf="high"))

        with pytest.raises(ConditionFailed):
            await store.write(update(book, place=2, version=10))

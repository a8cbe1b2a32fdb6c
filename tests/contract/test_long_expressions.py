"""Updates and conditions that are too long for DynamoDB's expressions."""

import asyncio

import pytest
from msgspec.structs import replace

from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    add,
    check,
    count,
    create,
    delete,
    discard,
    equal,
    merge,
    one_of,
    put,
    stored,
    update,
)
from commonroom.store.conditions import AllOf, Compare, Has
from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.errors import (
    ItemTooLarge,
    TooManyAttributes,
    WrongType,
)
from tests.contract.test_limits import refused
from tests.support.engines import Clock
from tests.support.world import (
    Book,
    House,
    Name,
    fresh,
    names,
)


def numbered(prefix: str, many: int) -> list[str]:
    """So many names."""
    return [f"{prefix}{number:03}" for number in range(many)]


class TestAnUpdateOfManyEntries:
    """DynamoDB takes expressions of 4 KB, which is about seventy entries that are counted."""

    @pytest.fixture
    async def book(self, store: Store) -> Book:
        readers = dict.fromkeys(numbered("r", 400), 1)
        notes = dict.fromkeys(numbered("n", 400), "old")
        book = Book(house_id=fresh(), book_id="b", readers=readers, notes=notes)
        await store.write(put(book))
        return book

    async def test_counts_them(self, store: Store, book: Book) -> None:
        votes = dict.fromkeys(numbered("r", 200) + numbered("new", 200), 2)

        await store.write(update(book.ref, readers=count(votes), pages=add(1)))

        after = await store.get(book.ref)
        assert after is not None
        counted = {name: 3 if name in votes else 1 for name in numbered("r", 400)}
        assert after.readers == counted | dict.fromkeys(numbered("new", 200), 2)
        assert (after.pages, after.version) == (1, 2)

    async def test_merges_and_discards_them(self, store: Store, book: Book) -> None:
        await store.write(
            update(
                book.ref,
                notes=merge(dict.fromkeys(numbered("n", 300), "new")),
                readers=discard(*numbered("r", 399)),
            )
        )

        after = await store.get(book.ref)
        assert after is not None
        assert after.readers == {"r399": 1}
        assert list((after.notes or {}).values()).count("new") == 300

    async def test_loses_nothing_among_many(self, store: Store, book: Book) -> None:
        votes = dict.fromkeys(numbered("r", 400), 1)

        await asyncio.gather(
            *(store.write(update(book.ref, readers=count(votes))) for _ in range(4)),
            *(store.write(update(book.ref, readers=count({"r000": 1}))) for _ in range(4)),
        )

        after = await store.get(book.ref)
        assert after is not None
        assert after.readers == dict.fromkeys(numbered("r", 400), 5) | {"r000": 9}

    async def test_is_refused_by_a_condition_as_any_other(self, store: Store, book: Book) -> None:
        votes = count(dict.fromkeys(numbered("r", 400), 1))
        house, other = House(house_id=fresh(), title="Home"), Name(name=fresh(), holder="ann")

        with pytest.raises(ConditionFailed) as caught:
            await store.write(create(house), update(book.ref, readers=votes, if_=equal(pages=9)))
        assert (caught.value.index, caught.value.entity) == (1, book)

        await store.write(create(other))
        with pytest.raises(ConditionFailed) as caught:
            await store.write(create(other), update(book.ref, readers=votes))
        assert (caught.value.index, caught.value.entity) == (0, other)
        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(book.ref, readers=votes), create(other))
        assert (caught.value.index, caught.value.entity) == (1, other)

        assert await store.get(house.ref) is None
        assert await store.get(book.ref) == book

    async def test_needs_the_thing_and_its_map(self, store: Store, book: Book) -> None:
        votes = count(dict.fromkeys(numbered("r", 400), 1))
        bare = Book(house_id=fresh(), book_id="b")

        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(bare.ref, readers=votes))
        assert caught.value.item is None

        await store.write(put(bare))
        with pytest.raises(WrongType):
            await store.write(update(bare.ref, readers=votes))

    async def test_of_something_expired_finds_nothing(
        self, store: Store, book: Book, clock: Clock
    ) -> None:
        clock.stopped = 10.0**10
        await store.write(put(replace(book, expires_at=10**10)))

        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(book.ref, readers=count(dict.fromkeys(numbered("r", 400), 1))))

        assert caught.value.item is None

    async def test_may_not_make_an_item_too_large(self, store: Store, book: Book) -> None:
        long = dict.fromkeys(numbered("n", 400), "x" * 1100)

        await refused(store, ItemTooLarge, update(book.ref, notes=merge(long)))

        assert await store.get(book.ref) == book


class TestALongCondition:
    """DynamoDB takes 4 KB and 300 operators."""

    async def test_of_many_alternatives_is_held(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", title="t399")
        await store.write(put(book))
        titles = numbered("t", 400)

        await store.write(check(book, if_=one_of("title", *titles)))
        await store.write(update(book, pages=1, if_=one_of("title", *titles)))
        with pytest.raises(ConditionFailed) as caught:
            await store.write(delete(book, if_=one_of("title", *titles[:399])))
        assert caught.value.entity == replace(book, pages=1, version=2)
        await store.write(put(book, if_=one_of("title", *titles)))
        await store.write(delete(book, if_=one_of("title", *titles)))

        assert await store.get(book.ref) is None

    async def test_holds_of_nothing_too(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", title="t001")
        taken = one_of("title", *numbered("t", 400))

        await store.write(put(book, if_=~taken))
        with pytest.raises(ConditionFailed) as caught:
            await store.write(put(book, if_=~taken))

        assert caught.value.entity == book

    async def test_and_what_it_is_about_may_name_a_hundred_attributes(self, store: Store) -> None:
        name = fresh()
        attributes = dict.fromkeys(numbered("A", 100), 1.5)
        await store.engine.load(names, [{"Name": name, **attributes}])
        same = AllOf(tuple(Compare(one, "=", 1.5) for one in attributes))
        changes = tuple(AttributeChange("add", one, 1) for one in attributes)

        await store.write(
            Write(WriteOperation("update", names, (name,), stored & same, actions=changes), Name)
        )

        assert await store.engine.batch_get([(names, (name,))]) == [
            {"Name": name, **dict.fromkeys(attributes, 2.5)}
        ]

    async def test_about_more_attributes_is_refused(self, store: Store) -> None:
        many = AllOf(tuple(Has(one, wanted=False) for one in numbered("A", 101)))
        changes = tuple(AttributeChange("set", one, 1) for one in numbered("A", 101))

        await refused(
            store, TooManyAttributes, Write(WriteOperation("check", names, ("n",), many), Name)
        )
        update_ = WriteOperation("update", names, ("n",), stored, actions=changes)
        await refused(store, TooManyAttributes, Write(update_, Name))

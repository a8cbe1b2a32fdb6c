import math
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.store import (
    Entity,
    Store,
    Write,
    add,
    append,
    check,
    create,
    delete,
    discard,
    merge,
    put,
    stored,
    unequal,
    update,
)
from commonroom.store.engine import AttributeChange, WriteOperation
from commonroom.store.errors import (
    BadKey,
    BadNumber,
    BadText,
    ItemTooLarge,
    Refused,
    SameItemTwice,
    TooManyOperations,
    WrongType,
)
from commonroom.store.limits import ITEM_BYTES, WRITE_BYTES, item_size
from tests.support.world import (
    Book,
    House,
    Name,
    Reading,
    fresh,
    fresh_number,
    house_books,
    names,
    world,
)


def nested(depth: int) -> Any:
    """Lists in lists, so many of them."""
    value: Any = "inside"
    for _ in range(depth):
        value = [value]
    return value


async def refused(store: Store, error: type[Refused], *writes: Write) -> None:
    """Asserts that a write is refused by ourselves, before any engine is asked."""
    with pytest.raises(error):
        await store.write(*writes)


class TestAnItem:
    def book_of(self, size: int) -> Book:
        book = Book(house_id=fresh(), book_id="b", cover=b"")
        return replace(book, cover=bytes(size - item_size(book.to_item())))

    async def test_may_have_exactly_400_kb(self, store: Store) -> None:
        book = self.book_of(ITEM_BYTES)

        await store.write(put(book))

        assert await store.get(book.ref) == book

    async def test_may_not_have_a_byte_more(self, store: Store) -> None:
        book = self.book_of(ITEM_BYTES + 1)

        await refused(store, ItemTooLarge, put(book))
        if store.engine.name == "dynamodb":  # which counts as we do
            with pytest.raises(ItemTooLarge):
                await store.engine.write([put(book).operation])

        assert await store.get(book.ref) is None

    async def test_counts_characters_by_their_bytes(self, store: Store) -> None:
        await refused(store, ItemTooLarge, put(Name(name=fresh(), holder="é" * 205_000)))
        await store.write(put(Name(name=fresh(), holder="é" * 204_000)))

    async def test_may_not_grow_beyond_that_by_an_update(self, store: Store) -> None:
        book = self.book_of(ITEM_BYTES - 5000)
        await store.write(put(book))

        await refused(store, ItemTooLarge, update(book, tags=append("x" * 6000)))
        await refused(store, ItemTooLarge, update(book, title="x" * 6000))
        assert await store.get(book.ref) == book

        await store.write(update(book, tags=append("x" * 4000)))

    async def test_may_not_grow_beyond_that_among_others(self, store: Store) -> None:
        book, name = self.book_of(ITEM_BYTES - 5000), Name(name=fresh(), holder="ann")
        await store.write(put(book))

        await refused(store, ItemTooLarge, put(name), update(book, title="x" * 6000))

        assert await store.get(name.ref) is None

    @pytest.mark.parametrize("value", [nested(31), [nested(30), {"a": nested(29)}]])
    async def test_may_be_nested_32_levels_deep(self, store: Store, value: Any) -> None:
        name = fresh()
        item = {"Name": name, "Deep": value}
        deep = (AttributeChange("set", "Deep", value),)

        await store.write(Write(WriteOperation("put", names, (name,), item=item), Name))
        await store.write(
            Write(WriteOperation("update", names, (name,), stored, actions=deep), Name)
        )

        assert await store.engine.batch_get([(names, (name,))]) == [item]

    @pytest.mark.parametrize("value", [nested(32), [{"a": nested(30)}]])
    async def test_may_not_be_nested_deeper(self, store: Store, value: Any) -> None:
        name = Name(name=fresh(), holder="ann")
        await store.write(put(name))
        key, item = name.ref.key, {"Name": name.name, "Deep": value}
        deep = (AttributeChange("set", "Deep", value),)

        for operation in (
            WriteOperation("put", names, key, item=item),
            WriteOperation("update", names, key, stored, actions=deep),
        ):
            await refused(store, ItemTooLarge, Write(operation, Name))
            if store.engine.name == "dynamodb":  # which then says the same without our checks
                with pytest.raises(ItemTooLarge):
                    await store.engine.write([operation])

    async def test_may_not_become_nested_deeper_entry_by_entry(self, store: Store) -> None:
        name = Name(name=fresh(), holder="ann")
        key = name.ref.key
        item = {"Name": name.name, "Map": {}, "List": []}
        await store.write(Write(WriteOperation("put", names, key, item=item), Name))

        for action in (
            AttributeChange("merge", "Map", {"a": nested(31)}),
            AttributeChange("append", "List", [nested(31)]),
        ):
            operation = WriteOperation("update", names, key, stored, actions=(action,))
            await refused(store, ItemTooLarge, Write(operation, Name))

        for action in (
            AttributeChange("merge", "Map", {"a": nested(30)}),
            AttributeChange("append", "List", [nested(30)]),
        ):
            operation = WriteOperation("update", names, key, stored, actions=(action,))
            await store.write(Write(operation, Name))


class TestAKey:
    @pytest.mark.parametrize("letter, most", [("x", 2048), ("é", 1024), ("€", 682), ("🏠", 512)])
    async def test_of_a_partition_may_have_2048_bytes(
        self, store: Store, letter: str, most: int
    ) -> None:
        name = Name(name=letter * most, holder="ann")

        await store.write(put(name))
        assert await store.get(name.ref) == name

        await refused(store, BadKey, put(replace(name, name=letter * (most + 1))))
        with pytest.raises(BadKey):
            await store.get(Name.at(name=letter * (most + 1)))

    @pytest.mark.parametrize("letter, most", [("x", 1019), ("é", 509), ("€", 339), ("🏠", 254)])
    async def test_that_sorts_may_have_1024_bytes(
        self, store: Store, letter: str, most: int
    ) -> None:
        book = Book(house_id=fresh(), book_id=letter * most)

        await store.write(put(book))
        assert await store.get(book.ref) == book

        await refused(store, BadKey, put(replace(book, book_id=letter * (most + 1))))

    async def test_of_an_index_has_the_same_limits(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", place=1)

        await store.write(put(replace(book, owner_id="o" * 2042, shelf="s" * 1013)))
        await refused(store, BadKey, put(replace(book, owner_id="o" * 2043)))
        await refused(store, BadKey, put(replace(book, shelf="s" * 1014)))

    async def test_may_not_be_empty(self, store: Store) -> None:
        await refused(store, BadKey, put(Name(name="", holder="ann")))
        await refused(store, BadKey, delete(Name.at(name="")))
        await refused(store, BadKey, check(Name.at(name=""), if_=~stored))

    async def test_of_an_index_may_not_be_empty(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b")

        await refused(store, BadKey, put(replace(book, lent_to="")))

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e126, 1e-131, 2**63])
    async def test_that_is_a_number_must_be_one_that_both_engines_keep(
        self, store: Store, value: float
    ) -> None:
        reading = Reading(sensor=fresh_number(), moment=value)

        await refused(store, BadNumber, put(reading))
        with pytest.raises(BadNumber):
            await store.get(reading.ref)

    @pytest.mark.parametrize("value", [True, "1", None, b"1"])
    async def test_that_is_a_number_must_not_be_something_else(
        self, store: Store, value: Any
    ) -> None:
        with pytest.raises(BadKey):
            await store.get(Reading.at(sensor=value, moment=1))


class TestAWrite:
    async def test_of_more_than_a_hundred_operations_is_refused(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n}") for n in range(101)]

        await refused(store, TooManyOperations, *map(put, books))

        assert await store.get(books[0].ref) is None

    async def test_of_more_than_four_megabytes_is_refused(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n}", cover=bytes(390_000)) for n in range(11)]

        await refused(store, ItemTooLarge, *map(put, books))
        if store.engine.name == "dynamodb":  # which has the same limit
            with pytest.raises(ItemTooLarge):
                await store.engine.write([put(book).operation for book in books])

        assert await store.get(books[0].ref) is None

    async def test_of_no_operation_is_refused(self, store: Store) -> None:
        await refused(store, TooManyOperations)

    @pytest.mark.parametrize("one", [put, create, delete, update])
    @pytest.mark.parametrize("other", [put, create, delete, update])
    async def test_that_names_an_item_twice_is_refused(
        self, store: Store, one: Any, other: Any
    ) -> None:
        book = Book(house_id=fresh(), book_id="b")

        await refused(store, SameItemTwice, one(book), other(book))

    async def test_that_checks_and_changes_an_item_is_refused(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b")

        await refused(store, SameItemTwice, check(book, if_=~stored), put(book))

    async def test_that_names_a_numeric_key_twice_is_refused(self, store: Store) -> None:
        sensor = fresh_number()

        await refused(
            store,
            SameItemTwice,
            put(Reading(sensor=sensor, moment=1)),
            put(Reading(sensor=sensor, moment=1.0)),
        )


class TestAValue:
    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e126, -1e126, 1e-131])
    async def test_must_be_a_number_that_both_engines_keep(
        self, store: Store, value: float
    ) -> None:
        book = Book(house_id=fresh(), book_id="b")
        await store.write(put(book))

        await refused(store, BadNumber, put(replace(book, rank=value)))
        await refused(store, BadNumber, update(book, rank=value))
        await refused(store, BadNumber, update(book, rank=add(value)))

    @pytest.mark.parametrize("value", [2**63 - 1, 1 - 2**63])
    async def test_may_be_a_whole_number_of_64_bits(self, store: Store, value: int) -> None:
        book = Book(house_id=fresh(), book_id="b", pages=value)

        await store.write(put(book))

        assert await store.get(book.ref) == book

    @pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**40])
    async def test_may_not_be_a_larger_one(self, store: Store, value: int) -> None:
        book = Book(house_id=fresh(), book_id="b")
        await store.write(put(book))

        await refused(store, BadNumber, put(replace(book, pages=value)))
        await refused(store, BadNumber, update(book, pages=value))

    @pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\ud83d \ude00"])
    async def test_must_be_made_of_whole_characters(self, store: Store, text: str) -> None:
        book = Book(house_id=fresh(), book_id="b", notes={})
        await store.write(put(book))

        await refused(store, BadText, put(replace(book, title=text)))
        await refused(store, BadText, put(replace(book, tags=["fine", text])))
        await refused(store, BadText, put(replace(book, notes={text: "fine"})))
        await refused(store, BadText, put(replace(book, book_id=text)))
        await refused(store, BadText, update(book, title=text))
        await refused(store, BadText, update(book, notes=merge({text: "fine"})))
        await refused(store, BadText, update(book, notes=discard(text)))

    async def test_that_is_a_map_has_a_name_for_every_entry(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", notes={"a": "one"})
        await store.write(put(book))

        await refused(store, BadText, put(replace(book, notes={"": "nameless"})))
        await refused(store, BadText, update(book, notes=merge({"": "nameless"})))
        await refused(store, BadText, update(book, notes=discard("")))

    @pytest.mark.parametrize("value", [{1: "one"}, {b"b": 1}, (1, 2), {1, 2}, object(), 1j])
    async def test_must_be_of_a_type_that_can_be_stored(self, store: Store, value: Any) -> None:
        name = fresh()
        operation = WriteOperation("put", names, (name,), item={"Name": name, "Odd": value})

        await refused(store, WrongType, Write(operation, Name))

    async def test_may_be_empty_where_it_is_no_key(self, store: Store) -> None:
        thing: Entity = Book(
            house_id=fresh(), book_id="b", title="", tags=["", ""], notes={}, cover=b""
        )
        home = House(house_id=fresh(), title="")

        await store.write(put(thing), put(home))

        assert await store.get(thing.ref) == thing
        assert await store.get(home.ref) == home


class TestFourMegabytes:
    async def test_are_counted_with_what_updates_set_and_compare(self, store: Store) -> None:
        house, cover = fresh(), bytes(390_000)
        books = [Book(house_id=house, book_id=f"{n}") for n in range(11)]

        await refused(store, ItemTooLarge, *(update(one.ref, cover=cover) for one in books))
        await refused(store, ItemTooLarge, *(check(one, if_=unequal(cover=cover)) for one in books))
        if store.engine.name == "dynamodb":  # which has the same limit
            with pytest.raises(ItemTooLarge):
                await store.engine.write([update(one.ref, cover=cover).operation for one in books])

    async def test_are_not_counted_with_what_is_there(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n}", cover=bytes(390_000)) for n in range(12)]
        for book in books:
            await store.write(put(book))

        await store.write(*(update(one.ref, pages=add(1)) for one in books))
        found = await store.batch_get([book.ref for book in books])

        assert [one and one.pages for one in found] == [1] * 12
        await store.write(*map(delete, books))

    async def test_may_be_filled_to_the_last_byte(self, store: Store) -> None:
        house = fresh()
        books = [Book(house_id=house, book_id=f"{n:02}", cover=b"") for n in range(11)]
        each = WRITE_BYTES // len(books)
        room = [each] * 10 + [WRITE_BYTES - each * 10]
        full = [
            replace(book, cover=bytes(size - item_size(book.to_item())))
            for book, size in zip(books, room, strict=True)
        ]

        await store.write(*map(put, full))
        over = replace(full[0], cover=(full[0].cover or b"") + b"x")
        await refused(store, ItemTooLarge, *map(put, [over, *full[1:]]))


async def test_more_than_16_megabytes_are_read_at_once(store: Store) -> None:
    house = fresh()
    books = [Book(house_id=house, book_id=f"{n:02}", cover=bytes(390_000)) for n in range(45)]
    for start in range(0, 45, 9):
        await store.write(*map(put, books[start : start + 9]))

    assert await store.batch_get([book.ref for book in books]) == books
    assert [one async for one in store.all(house_books(house_id=house))] == books


class TestNumbersInAnItem:
    """DynamoDB keeps digits in pairs from the point on: 1.5 takes as much room as 12.34."""

    @pytest.mark.parametrize("value", [120, -120, 1.5, 0.012, 12.34, 12.3, 1e101, 2**63 - 1])
    async def test_count_as_dynamodb_counts_them(self, store: Store, value: float) -> None:
        book = Book(house_id=fresh(), book_id="b")
        many = {"Many": [value] * 1000, "Filler": ""}
        room = ITEM_BYTES - item_size(book.to_item() | many)
        fitting = book.to_item() | many | {"Filler": "x" * room}
        over = fitting | {"Filler": "x" * (room + 1)}
        key = book.ref.key

        await store.write(Write(WriteOperation("put", world, key, item=fitting), Book))
        await refused(
            store, ItemTooLarge, Write(WriteOperation("put", world, key, item=over), Book)
        )
        if store.engine.name == "dynamodb":  # which counts as we do
            with pytest.raises(ItemTooLarge):
                await store.engine.write([WriteOperation("put", world, key, item=over)])

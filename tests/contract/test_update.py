import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    absent,
    add,
    append,
    count,
    discard,
    equal,
    if_absent,
    merge,
    put,
    update,
)
from commonroom.store.errors import UnknownField, UnknownTable, WrongType
from tests.support.world import Book, House, Leaflet, Size, Unmade, Visit, fresh


@pytest.fixture
async def book(store: Store) -> Book:
    """A stored book with a value in most fields."""
    book = Book(
        house_id=fresh(),
        book_id="b",
        title="Title",
        pages=10,
        tags=["a"],
        notes={"1": "one", "2": "two"},
        size=Size(height=1),
    )
    await store.write(put(book))
    return book


async def changed(store: Store, book: Book, **changes: Any) -> Book:
    """The book after an update that is given only where it is."""
    await store.write(update(Book.at(house_id=book.house_id, book_id="b"), **changes))
    found = await store.get(book.ref)
    assert found is not None
    return replace(found, version=book.version)


class TestUpdate:
    async def test_sets_a_field_and_leaves_the_others(self, store: Store, book: Book) -> None:
        assert await changed(store, book, title="New") == replace(book, title="New")

    async def test_sets_values_of_every_type(self, store: Store, book: Book) -> None:
        changes: dict[str, Any] = {
            "title": "",
            "pages": -1,
            "rank": 0.25,
            "tags": [],
            "notes": {},
            "cover": b"",
            "size": Size(height=3, width=4),
            "editions": [Size(height=1), Size(height=2)],
        }
        assert await changed(store, book, **changes) == replace(book, **changes)

    async def test_removes_a_field(self, store: Store, book: Book) -> None:
        assert await changed(store, book, size=None, notes=None) == replace(
            book, size=None, notes=None
        )
        [item] = await store.engine.batch_get([(Book.schema.table, book.ref.key)])
        assert item is not None
        assert not {"Size", "Notes"} & item.keys()

    async def test_removes_a_field_that_is_absent(self, store: Store, book: Book) -> None:
        assert await changed(store, book, lent_to=None) == book

    async def test_adds_to_a_number(self, store: Store, book: Book) -> None:
        assert (await changed(store, book, pages=add(5))).pages == 15
        assert (await changed(store, book, pages=add(-20))).pages == -5

    async def test_adds_to_nothing_as_to_zero(self, store: Store, book: Book) -> None:
        assert (await changed(store, book, rank=add(2.5))).rank == 2.5

    async def test_adds_fractions_as_people_do(self, store: Store, book: Book) -> None:
        await changed(store, book, rank=0.1)

        assert (await changed(store, book, rank=add(0.2))).rank == 0.3

    async def test_appends_to_a_list(self, store: Store, book: Book) -> None:
        assert (await changed(store, book, tags=append("b", "a"))).tags == ["a", "b", "a"]

    async def test_appends_to_nothing_as_to_an_empty_list(self, store: Store, book: Book) -> None:
        sizes = [Size(height=1), Size(height=2, width=3)]
        assert (await changed(store, book, editions=append(*sizes))).editions == sizes

    async def test_sets_if_absent(self, store: Store, book: Book) -> None:
        found = await changed(store, book, title=if_absent("No"), cover=if_absent(b"yes"))

        assert (found.title, found.cover) == ("Title", b"yes")

    async def test_merges_entries_of_a_map(self, store: Store, book: Book) -> None:
        found = await changed(store, book, notes=merge({"2": "TWO", "a.b[0]": "new"}))

        assert found.notes == {"1": "one", "2": "TWO", "a.b[0]": "new"}

    async def test_discards_entries_of_a_map(self, store: Store, book: Book) -> None:
        assert (await changed(store, book, notes=discard("1", "9", "1"))).notes == {"2": "two"}

    async def test_counts_in_entries_of_a_map(self, store: Store, book: Book) -> None:
        await changed(store, book, readers={"ann": 1})

        found = await changed(store, book, readers=count({"ann": 2, "ben.j": 1, "cleo": -1}))

        assert found.readers == {"ann": 3, "ben.j": 1, "cleo": -1}

    async def test_counts_whoever_counts_at_the_same_time(self, store: Store, book: Book) -> None:
        await changed(store, book, readers={})

        await asyncio.gather(
            *(
                store.write(update(book.ref, readers=count({"all": 1, name: 1})))
                for name in ("ann", "ben") * 5
            )
        )

        found = await store.get(book.ref)
        assert found is not None
        assert found.readers == {"all": 10, "ann": 5, "ben": 5}

    async def test_counts_nothing_where_there_is_no_map(self, store: Store, book: Book) -> None:
        with pytest.raises(WrongType, match="Readers"):
            await changed(store, book, readers=count({"ann": 1}))

    async def test_merges_and_discards_nothing(self, store: Store, book: Book) -> None:
        assert await changed(store, book, notes=merge({})) == book
        assert await changed(store, book, notes=discard()) == book

    @pytest.mark.parametrize("change", [merge({"1": "x"}), merge({}), discard("1"), discard()])
    async def test_refuses_entries_where_there_is_no_map(
        self, store: Store, book: Book, change: object
    ) -> None:
        await changed(store, book, notes=None)

        with pytest.raises(WrongType, match="Notes"):
            await changed(store, book, notes=change)

    async def test_makes_many_changes_at_once(self, store: Store, book: Book) -> None:
        found = await changed(
            store,
            book,
            title="New",
            pages=add(1),
            tags=append("z"),
            size=None,
            notes=merge({"3": "three"}),
            cover=if_absent(b"c"),
        )

        assert found == replace(
            book,
            title="New",
            pages=11,
            tags=["a", "z"],
            size=None,
            notes={"1": "one", "2": "two", "3": "three"},
            cover=b"c",
        )

    async def test_loses_none_of_many_at_once(self, store: Store, book: Book) -> None:
        ref = Book.at(house_id=book.house_id, book_id="b")
        tags = [f"{n}" for n in range(12)]

        await asyncio.gather(
            *(store.write(update(ref, pages=add(1), tags=append(tag))) for tag in tags)
        )

        found = await store.get(ref)
        assert found is not None
        assert (found.pages, sorted(found.tags)) == (22, sorted([*tags, "a"]))

    async def test_of_nothing_fails_and_makes_nothing(self, store: Store) -> None:
        ref = Book.at(house_id=fresh(), book_id="b")

        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(ref, title="New"))

        assert caught.value.entity is None
        assert await store.get(ref) is None

    async def test_happens_on_a_condition(self, store: Store, book: Book) -> None:
        free = update(book, lent_to="ann", if_=absent("lent_to"))
        await store.write(free)

        with pytest.raises(ConditionFailed) as caught:
            await store.write(update(book.ref, lent_to="bob", if_=absent("lent_to")))

        assert caught.value.entity.lent_to == "ann"

    async def test_without_changes_is_only_its_condition(self, store: Store) -> None:
        house = House(house_id=fresh(), title="Home")
        with pytest.raises(ConditionFailed):
            await store.write(update(house))
        await store.write(put(house))

        await store.write(update(house))
        with pytest.raises(ConditionFailed):
            await store.write(update(house, if_=equal(title="Away")))

        assert await store.get(house.ref) == house

    async def test_takes_a_reference_with_nothing_but_a_key(self, store: Store, book: Book) -> None:
        await store.write(update(Ref(Book, book.ref.key, {}), title="New"))

        assert await store.get(book.ref) == replace(book, title="New", version=2)

    async def test_of_what_is_of_another_kind_by_now_fails(self, store: Store, book: Book) -> None:
        leaflet = Leaflet(house_id=book.house_id, book_id="b")
        await store.write(put(leaflet))

        with pytest.raises(ConditionFailed):
            await store.write(update(Book.at(house_id=book.house_id, book_id="b"), title="New"))

        assert await store.get(leaflet.ref) == leaflet

    async def test_names_the_table_that_is_not_there(self, store: Store) -> None:
        with pytest.raises(UnknownTable, match="Unmade"):
            await store.write(update(Unmade.at(id="a", part="b"), note="x"))


class TestAThingWithoutItsVersion:
    """As other programs, or earlier versions, may have written it."""

    async def test_is_changed_as_it_was_read_by_the_first_who_does(
        self, store: Store, book: Book
    ) -> None:
        item = {name: value for name, value in book.to_item().items() if name != "Version"}
        await store.engine.load(Book.schema.table, [item])
        read = await store.get(book.ref)
        assert read is not None

        await store.write(update(read, title="First"))

        with pytest.raises(ConditionFailed):
            await store.write(update(read, title="Second"))
        found = await store.get(book.ref)
        assert found is not None
        assert (found.title, found.version) == ("First", read.version + 1)


class TestAnUpdateIsRefused:
    @pytest.mark.parametrize(
        "changes",
        [
            {"title": 1},
            {"title": None},
            {"version": None},
            {"pages": 1.5},
            {"pages": add(1.5)},
            {"pages": True},
            {"tags": append(1)},
            {"tags": "a"},
            {"notes": merge({"a": 1})},
            {"title": if_absent(1)},
            {"title": if_absent(None)},
            {"size": Visit(house_id="h", day="1", guest="Bo")},
        ],
    )
    def test_where_a_value_does_not_fit_its_field(self, changes: dict[str, Any]) -> None:
        with pytest.raises(WrongType, match=f"Book.{next(iter(changes))}"):
            update(Book(house_id="h", book_id="b"), **changes)

    @pytest.mark.parametrize(
        "changes", [{"title": add(1)}, {"title": append("x")}, {"pages": merge({"a": 1})}]
    )
    def test_where_a_field_cannot_be_changed_so(self, changes: dict[str, Any]) -> None:
        with pytest.raises((WrongType, UnknownField)):
            update(Book(house_id="h", book_id="b"), **changes)

    def test_where_there_is_no_such_field(self) -> None:
        with pytest.raises(UnknownField, match="Book has no field author"):
            update(Book(house_id="h", book_id="b"), author="ann")

    @pytest.mark.parametrize("change", ["other", None, if_absent("other")])
    def test_where_a_field_is_part_of_the_primary_key(self, change: object) -> None:
        with pytest.raises(UnknownField, match="primary key"):
            update(Book(house_id="h", book_id="b"), book_id=change)

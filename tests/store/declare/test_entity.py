"""Some fields change without being edited, and leave the version of their thing alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import field

from commonroom.store import (
    ConditionFailed,
    Entity,
    Index,
    Keys,
    Store,
    Table,
    add,
    create,
    move,
    number,
    update,
)
from commonroom.store.declare.entity import EntityMeta
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import BadDeclaration, BadKey, DamagedItem, UnknownField
from tests.support.world import Book, Name, Parcel, Reading, Size, Visit


def table(**more: Any) -> Table:
    return Table("Things", room="tests", partition="PK", **more)


class Numbered(Entity):
    """What several tables have in common, however they name attributes."""

    file_name: str
    is_read: bool = False
    notes: list[str] = field(default_factory=list)


class TestWhatIsStored:
    def test_names_attributes_of_a_shared_base_as_its_table_does(self) -> None:
        pascal, camel = table(), table()

        class Upper(Numbered, table=pascal, rename="pascal"):
            thing_id: str
            is_read: bool = True
            keys = Keys(PK="{thing_id}")

        class Lower(Numbered, table=camel, rename="camel"):
            thing_id: str
            keys = Keys(PK="{thing_id}")

        upper, lower = Upper(thing_id="1", file_name="f"), Lower(thing_id="1", file_name="f")
        assert upper.to_item() == {
            "PK": "1",
            "ThingId": "1",
            "FileName": "f",
            "IsRead": True,
            "Notes": [],
        }
        assert lower.to_item() == {
            "PK": "1",
            "thingId": "1",
            "fileName": "f",
            "isRead": False,
            "notes": [],
        }
        assert Upper.from_item(upper.to_item()) == upper
        assert upper.notes is not Upper(thing_id="2", file_name="f").notes

    def test_has_the_models_names_the_kind_and_all_keys(self) -> None:
        book = Book(house_id="h", book_id="b", owner_id="ann", shelf="low", place=7)

        assert book.to_item() == {
            "Kind": "BOOK",
            "HouseId": "h",
            "BookId": "b",
            "Title": "Untitled",
            "OwnerId": "ann",
            "Shelf": "low",
            "Place": 7,
            "Pages": 0,
            "Tags": [],
            "Version": 1,
            "PK": "house#h",
            "SK": "book#b",
            "OwnerKey": "owner#ann",
            "ShelfKey": "shelf#low#0007",
        }

    def test_has_nothing_where_there_is_no_value(self) -> None:
        item = Book(house_id="h", book_id="b").to_item()

        assert not {"OwnerKey", "ShelfKey", "Rank", "LentTo", "Cover"} & item.keys()
        assert None not in item.values()

    def test_keeps_what_is_nested_whole(self) -> None:
        item = Book(house_id="h", book_id="b", size=Size(height=1), cover=b"\x00").to_item()

        assert item["Size"] == {"height": 1, "width": None}
        assert item["Cover"] == b"\x00"

    def test_has_the_keys_that_functions_make(self) -> None:
        item = Parcel(parcel_id="p", route="r", weight=2, sender="ann").to_item()

        assert (item["all"], item["by_weight"]) == ("route#r", "9997#ann")

    def test_reads_back_as_what_it_was(self) -> None:
        visit = Visit(house_id="h", day="1", guest="Ämma")

        assert Visit.from_item(visit.to_item()) == visit

    def test_of_another_kind_is_refused(self) -> None:
        with pytest.raises(DamagedItem, match="Invalid value 'VISIT'"):
            Book.from_item(Visit(house_id="h", day="1", guest="Bo").to_item())

    def test_with_a_value_of_another_type_is_refused(self) -> None:
        with pytest.raises(DamagedItem, match="Pages"):
            Book.from_item(Book(house_id="h", book_id="b").to_item() | {"Pages": "many"})

    def test_may_have_more_than_is_declared(self) -> None:
        name = Name(name="n", holder="ann")

        assert Name.from_item(name.to_item() | {"Added": "later"}) == name


class TestAReference:
    def test_is_made_of_key_fields(self) -> None:
        ref = Visit.at(house_id="h", day="1", guest="Émile Z")

        assert (ref.entity, ref.key) == (Visit, ("house#h", "visit#1#emile_z"))
        assert ref.fields == {"house_id": "h", "day": "1", "guest": "Émile Z"}

    def test_is_the_same_from_the_thing_itself(self) -> None:
        assert Reading(sensor=1, moment=0.5).ref == Reading.at(sensor=1, moment=0.5)

    @pytest.mark.parametrize(
        "fields", [{}, {"house_id": "h"}, {"house_id": "h", "book_id": "b", "title": "T"}]
    )
    def test_needs_exactly_the_key_fields(self, fields: dict[str, Any]) -> None:
        with pytest.raises(UnknownField, match="The key of Book is made of house_id, book_id"):
            Book.at(**fields)

    @pytest.mark.parametrize("value", [None, "", "a#b"])
    def test_refuses_a_part_that_cannot_be(self, value: str | None) -> None:
        with pytest.raises(BadKey):
            Book.at(house_id="h", book_id=value)


class TestADeclaration:
    def test_needs_a_kind_where_the_table_tells_kinds_apart(self) -> None:
        with pytest.raises(BadDeclaration, match="needs a kind"):

            class Thing(Entity, table=table(discriminator="Kind")):
                PK: str

    def test_takes_no_kind_where_the_table_does_not(self) -> None:
        with pytest.raises(BadDeclaration, match="kind"):

            class Thing(Entity, table=table(), kind="THING"):
                PK: str

    def test_needs_the_whole_primary_key(self) -> None:
        with pytest.raises(BadDeclaration, match="lacks the key attribute SK"):

            class Thing(Entity, table=table(sort="SK")):
                PK: str

    def test_names_only_fields_that_are_there(self) -> None:
        with pytest.raises(BadDeclaration, match="names thing_id, which is no field"):

            class Thing(Entity, table=table()):
                id: str
                keys = Keys(PK="thing#{thing_id}")

    def test_names_only_key_attributes_that_are_there(self) -> None:
        with pytest.raises(BadDeclaration, match="no key attribute GSI1PK"):

            class Thing(Entity, table=table()):
                PK: str
                keys = Keys(GSI1PK="x")

    @pytest.mark.parametrize("name", ["at", "ref", "to_item", "from_item", "decoder"])
    def test_may_not_hide_what_every_entity_can_do(self, name: str) -> None:
        with pytest.raises(BadDeclaration, match="hides"):
            EntityMeta(
                "Thing", (Entity,), {"__annotations__": {"PK": str, name: str}}, table=table()
            )

    def test_knows_which_fields_make_its_keys(self) -> None:
        declared = Book.schema

        assert declared.primary_fields == ("house_id", "book_id")
        assert declared.versioned
        assert declared.derived.keys() == {"PK", "SK", "OwnerKey", "ShelfKey"}
        assert declared.templates["Kind"].value({}) == "BOOK"

    def test_of_an_optional_field_without_a_default_is_refused_when_it_is_read(self) -> None:
        things = table()

        class Thing(Entity, table=things):
            PK: str
            note: str | None

        with pytest.raises(BadDeclaration, match=r"Thing\.note can be None"):
            _ = Thing.decoder


class TestATable:
    def test_knows_all_its_key_attributes(self) -> None:
        things = table(
            sort=number("N"), indexes=[Index("ByX", "X", "PK"), Index("ByN", number("N"))]
        )

        assert {name: one.type for name, one in things.key_attributes.items()} == {
            "PK": "S",
            "N": "N",
            "X": "S",
        }
        assert not things.all_text

    def test_refuses_an_attribute_of_two_types(self) -> None:
        with pytest.raises(BadDeclaration, match="PK is text in one key and a number in another"):
            table(indexes=[Index("ByPK", number("PK"))])

    @pytest.mark.parametrize(
        "index, why",
        [
            (Index("AB", "X"), "is no name"),
            (Index("By title", "X"), "is no name"),
            (Index("Bücher", "X"), "is no name"),
            (Index("B" * 256, "X"), "is no name"),
            (Index("ByX", "X", "X"), "names X twice"),
            (Index("ByNothing", ""), "1 to 255 bytes"),
            (Index("ByLong", "é" * 128), "1 to 255 bytes"),
        ],
    )
    def test_refuses_names_that_dynamodb_refuses(self, index: Index, why: str) -> None:
        with pytest.raises(BadDeclaration, match=why):
            table(indexes=[index])

    def test_refuses_two_indexes_of_one_name_and_more_than_twenty(self) -> None:
        with pytest.raises(BadDeclaration, match="the same name"):
            table(indexes=[Index("ByX", "X"), Index("ByX", "Y")])
        with pytest.raises(BadDeclaration, match="more than 20"):
            table(indexes=[Index(f"Index{number}", "X") for number in range(21)])

    def test_refuses_an_index_that_is_not_there(self) -> None:
        with pytest.raises(BadDeclaration, match="no index Nothing"):
            table().index("Nothing")


def lists() -> Table:
    return Table("Lists", room="tests", partition="PK", sort="SK", discriminator="kind")


class Checklist(Entity, table=lists(), kind="LIST"):
    list_id: str
    title: str
    ticks: int = 0
    version: int = 1

    unversioned = frozenset({"ticks"})
    keys = Keys(PK="list#{list_id}", SK="-")


@pytest.mark.parametrize(
    "changed, raises",
    [({"ticks"}, False), ({"title"}, True), ({"title", "ticks"}, True), ({"version"}, False)],
    ids=["only a count", "an edit", "both", "the version itself"],
)
def test_only_an_edit_raises_the_version(changed: set[str], raises: bool) -> None:
    assert Checklist.schema.raises_version(changed) is raises


def test_a_thing_without_a_version_has_none_to_raise() -> None:
    class Plain(Entity, table=lists(), kind="PLAIN"):
        list_id: str
        keys = Keys(PK="list#{list_id}", SK="-")

    assert not Plain.schema.raises_version({"list_id"})


def test_fields_can_stay_out_of_a_version_only_where_there_is_one() -> None:
    with pytest.raises(BadDeclaration, match="has no version"):

        class Plain(Entity, table=lists(), kind="PLAIN"):
            list_id: str
            ticks: int = 0
            unversioned = frozenset({"ticks"})
            keys = Keys(PK="list#{list_id}", SK="-")


def test_only_fields_can_be_named() -> None:
    with pytest.raises(BadDeclaration, match="names tick, which is no field"):

        class Misspelt(Entity, table=lists(), kind="LIST"):
            list_id: str
            version: int = 1
            unversioned = frozenset({"tick"})
            keys = Keys(PK="list#{list_id}", SK="-")


def test_a_field_that_keys_are_made_of_needs_the_version() -> None:
    with pytest.raises(BadDeclaration, match="takes part in a key"):

        class Keyed(Entity, table=lists(), kind="LIST"):
            list_id: str
            version: int = 1
            unversioned = frozenset({"list_id"})
            keys = Keys(PK="list#{list_id}", SK="-")


class TestInAStore:
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        table = Checklist.schema.table
        store = Store(EmbeddedEngine(tmp_path / "store.db", [table], durability="OFF"))
        yield store
        await store.close()

    async def test_a_count_that_changes_makes_no_edit_stale(self, store: Store) -> None:
        read = Checklist(list_id="l", title="Shopping")
        await store.write(create(read))
        await store.write(update(read, ticks=add(1)))
        await store.write(update(read, title="Errands"))
        now = await store.get(read.ref)
        assert now == Checklist(list_id="l", title="Errands", ticks=1, version=2)
        with pytest.raises(ConditionFailed):
            await store.write(update(read, title="Stale"))

    async def test_a_move_loses_no_count(self, store: Store) -> None:
        read = Checklist(list_id="l", title="Shopping")
        await store.write(create(read))
        await store.write(update(read, ticks=add(1)))
        with pytest.raises(ConditionFailed):
            await store.write(*move(read, list_id="m"))

"""How writes by field become operations on attributes; what they do is tested in tests/contract."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import (
    ConditionFailed,
    Entity,
    Index,
    Keys,
    Ref,
    Store,
    Table,
    absent,
    add,
    append,
    as_read,
    check,
    copies,
    create,
    delete,
    discard,
    equal,
    if_absent,
    merge,
    move,
    new,
    number,
    put,
    stored,
    update,
)
from commonroom.store.conditions import AllOf, Compare, Has
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import AttributeChange
from commonroom.store.errors import UnknownField
from commonroom.store.operations import copied_fields, update_with_copies
from tests.support.world import Book, Name, Parcel, Size, Visit, names

book = Book(house_id="h", book_id="b", owner_id="ann", shelf="low", place=1, version=4)
visit = Visit(house_id="h", day="1", guest="Bo", mood="merry")


def actions(*several: AttributeChange) -> set[tuple[str, str, str]]:
    return {(action.kind, action.name, repr(action.value)) for action in several}


class TestOperations:
    def test_of_a_put_hold_the_whole_item(self) -> None:
        name = Name(name="n", holder="ann")
        write = put(name, if_=equal(holder="bob"))

        assert (write.entity_type, write.operation.kind) == (Name, "put")
        assert (write.operation.table, write.operation.key) == (names, ("n",))
        assert write.operation.item == {"Name": "n", "Holder": "ann"}
        assert write.operation.condition == Compare("Holder", "=", "bob")

    def test_of_a_creation_hold_that_nothing_is_there(self) -> None:
        assert create(visit).operation.condition == new

    @pytest.mark.parametrize("what", [visit, visit.ref, Ref(Visit, visit.ref.key, {})])
    def test_take_a_thing_or_where_it_is(self, what: Visit | Ref[Visit]) -> None:
        for write in (
            delete(what, if_=absent("mood")),
            check(what, if_=absent("mood")),
        ):
            assert write.operation.key == visit.ref.key
            assert write.operation.condition == Has("Mood", wanted=False)

    def test_as_read_holds_that_it_is_there_and_takes_a_default_for_absence(self) -> None:
        held = check(book, if_=as_read(book, "shelf", "version")).operation.condition
        item = book.to_item()
        assert held is not None
        assert held.holds(item)
        assert not held.holds(item | {"Version": 5})
        first = Book(house_id="h", book_id="b", owner_id="ann", shelf="low", place=1)
        held = delete(first, if_=as_read(first, "version")).operation.condition
        assert held is not None
        without = {name: value for name, value in first.to_item().items() if name != "Version"}
        assert held.holds(without)
        assert not held.holds(None), "also where all that is held could be absent"

    def test_without_a_condition_have_none(self) -> None:
        assert delete(visit).operation.condition is None
        assert put(visit).operation.condition is None


class TestAnUpdate:
    def test_names_attributes_and_stored_values(self) -> None:
        parcel = Name(name="n", holder="ann")

        operation = update(parcel, holder="bob").operation

        assert operation.actions == (AttributeChange("set", "Holder", "bob"),)
        assert operation.condition == stored

    def test_holds_the_kind_where_there_are_several(self) -> None:
        assert update(visit.ref, mood=None).operation.condition == Compare("Kind", "=", "VISIT")

    def test_turns_every_kind_of_change_into_an_action(self) -> None:
        operation = update(
            book.ref,
            title="T",
            lent_to=None,
            pages=add(2),
            tags=append("a"),
            cover=if_absent(b"c"),
            notes=merge({"k": "v"}),
            size=Size(height=1),
            editions=append(Size(height=2)),
        ).operation

        assert actions(*operation.actions) == actions(
            AttributeChange("set", "Title", "T"),
            AttributeChange("remove", "LentTo"),
            AttributeChange("add", "Pages", 2),
            AttributeChange("append", "Tags", ["a"]),
            AttributeChange("set_if_absent", "Cover", b"c"),
            AttributeChange("merge", "Notes", {"k": "v"}),
            AttributeChange("set", "Size", {"height": 1, "width": None}),
            AttributeChange("append", "Editions", [{"height": 2, "width": None}]),
            AttributeChange("add", "Version", 1),
        )
        assert update(book.ref, notes=discard("b", "a", "b")).operation.actions[
            0
        ] == AttributeChange("discard", "Notes", ["b", "a"])

    def test_recomputes_exactly_the_keys_that_depend_on_it(self) -> None:
        operation = update(book, shelf="high", title="T").operation

        assert actions(*operation.actions) == actions(
            AttributeChange("set", "Shelf", "high"),
            AttributeChange("set", "Title", "T"),
            AttributeChange("set", "ShelfKey", "shelf#high#0001"),
            AttributeChange("set", "Version", book.version + 1),
        )

    def test_removes_a_key_whose_part_goes(self) -> None:
        assert (
            AttributeChange("remove", "OwnerKey") in update(book, owner_id=None).operation.actions
        )

    def test_holds_the_version_in_place_of_all_else(self) -> None:
        assert update(book, shelf="high").operation.condition == AllOf(
            (Compare("Kind", "=", "BOOK"), Compare("Version", "=", 4))
        )

    def test_holds_what_a_key_is_made_of_where_there_is_no_version(self) -> None:
        parcel = Parcel(parcel_id="p", weight=1)

        held = update(parcel, weight=2, if_=equal(note="n")).operation.condition

        assert held == AllOf((stored, Compare("note", "=", "n"), Has("sender", wanted=False)))

    def test_holds_nothing_of_the_primary_key_or_of_what_it_changes(self) -> None:
        parcel = Parcel(parcel_id="p", weight=1, sender="ann")

        assert update(parcel, weight=2, sender="bob").operation.condition == stored
        assert update(parcel, note="n").operation.condition == stored

    def test_cannot_do_without_what_a_key_is_made_of(self) -> None:
        with pytest.raises(UnknownField, match="needs sender for by_weight"):
            update(parcel := Parcel.at(parcel_id="p"), weight=2)
        assert update(parcel, weight=2, sender="ann").operation.condition == stored


class TestAMove:
    def test_holds_the_version_where_there_is_one(self) -> None:
        gone, made = move(book, book_id="c")

        assert gone.operation.condition == Compare("Version", "=", 4)
        assert (gone.operation.key, made.operation.key[1]) == (book.ref.key, "book#c")
        assert made.operation.condition == new

    def test_holds_every_field_where_there_is_none(self) -> None:
        gone, _ = move(visit, day="2")

        assert gone.operation.condition == AllOf(
            (
                Compare("HouseId", "=", "h"),
                Compare("Day", "=", "1"),
                Compare("Guest", "=", "Bo"),
                Compare("Mood", "=", "merry"),
                Has("ExpiresAt", wanted=False),
            )
        )


plans = Table(
    "Plans",
    room="tests",
    partition="PK",
    sort="SK",
    discriminator="kind",
    indexes=[Index("ByTime", "group_key", number("starts"))],
)


class Plan(Entity, table=plans, kind="PLAN"):
    plan_id: str
    title: str
    starts: int | None = None
    going: int = 0
    secret: str = ""
    group_ids: list[str]
    version: int = 1

    keys = Keys(PK="plan#{plan_id}", SK="plan")


class Pointer(Entity, table=plans, kind="POINTER"):
    group_id: str
    plan_id: str
    title: str
    starts: int | None = None
    going: int = 0

    keys = Keys(PK="group#{group_id}", SK="plan#{plan_id}", group_key="group#{group_id}")


copies(
    Plan,
    on=Pointer,
    fields={"title": "title", "starts": "starts", "going": "going"},
    refers={"plan_id": "plan_id"},
    known=lambda plan: [Pointer.at(group_id=g, plan_id=plan.plan_id) for g in plan.group_ids],
)

PLAN = Plan(plan_id="p", title="Picnic", starts=5, group_ids=["a", "b"])


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(EmbeddedEngine(tmp_path / "store.db", [plans], durability="OFF"))
    pointers = [Pointer(group_id=group, **copied_fields(PLAN, Pointer)) for group in "ab"]
    await store.write(create(PLAN), *map(create, pointers))
    yield store
    await store.close()


async def pointers(store: Store) -> list[Pointer | None]:
    return await store.batch_get([Pointer.at(group_id=group, plan_id="p") for group in "ab"])


def test_a_new_pointer_takes_its_fields_from_the_original() -> None:
    assert copied_fields(PLAN, Pointer) == {
        "title": "Picnic",
        "starts": 5,
        "going": 0,
        "plan_id": "p",
    }


async def test_a_change_reaches_every_copy_in_the_same_write(store: Store) -> None:
    await store.write(*update_with_copies(PLAN, title="Party", starts=None, going=add(1)))
    for pointer in await pointers(store):
        assert pointer is not None
        assert (pointer.title, pointer.starts, pointer.going) == ("Party", None, 1)


async def test_what_is_not_copied_touches_no_copy(store: Store) -> None:
    assert len(update_with_copies(PLAN, secret="cake")) == 1


async def test_a_stale_original_changes_nothing(store: Store) -> None:
    await store.write(*update_with_copies(PLAN, title="Party"))
    with pytest.raises(ConditionFailed):
        await store.write(*update_with_copies(PLAN, title="Stale"))
    assert [one.title for one in await pointers(store) if one] == ["Party", "Party"]


async def test_a_missing_copy_stops_the_write(store: Store) -> None:
    await store.write(delete(Pointer.at(group_id="b", plan_id="p")))
    with pytest.raises(ConditionFailed) as failed:
        await store.write(*update_with_copies(PLAN, title="Party", if_=equal(title="Picnic")))
    assert failed.value.index == 2
    assert (await store.get(Plan.at(plan_id="p"))) == PLAN

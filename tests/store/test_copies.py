"""An original and the copies whose place it knows change together, or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import (
    ConditionFailed,
    Entity,
    Index,
    Keys,
    Store,
    Table,
    add,
    copies,
    create,
    delete,
    equal,
    number,
)
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.operations import copied_fields, update_with_copies

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

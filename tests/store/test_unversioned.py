"""Some fields change without being edited, and leave the version of their thing alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import ConditionFailed, Entity, Keys, Store, Table, add, create, move, update
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import BadDeclaration


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

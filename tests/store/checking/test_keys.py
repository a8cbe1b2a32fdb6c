"""Things that are what they should be, under the keys that they should have."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from commonroom.store import Store, update
from commonroom.store.checking import KeyCheck, Problem, StoredEntity
from tests.support.checking import checked, keep, spoil, stored
from tests.support.copies_model import Card, Shelf, Volume, shelves

SHELF = Shelf(shelf_id="s", name="Top")
VOLUME = Volume(volume_id="v", title="Über", shelf_id="s", shelf_name="Top", mood="calm")
CARD = Card(card_id="c", shelf_id="s", holder="Top")


@pytest.fixture(autouse=True)
async def in_order(store: Store) -> None:
    """A store in which all is well."""
    await keep(store, SHELF, VOLUME, CARD)


async def test_where_all_is_well_nothing_is_found(store: Store) -> None:
    found = await checked(store, repair=True)
    assert found.reported == []
    assert found.items == 3


class TestDecoding:
    async def test_a_kind_that_nobody_declared_is_reported_by_table_and_key(
        self, store: Store
    ) -> None:
        await store.engine.load(shelves, [{"PK": "p", "SK": "s", "Kind": "LAMP"}])
        found = await checked(store, repair=True)
        (one,) = found.reported
        assert (one.check, one.table, one.key) == ("decoding", "Shelves", ("p", "s"))
        assert "'LAMP'" in one.detail
        assert found.left == 1

    async def test_a_kind_that_is_no_text_is_reported(self, store: Store) -> None:
        await store.engine.load(shelves, [{"PK": "p", "SK": "s", "Kind": 5}])
        assert (await checked(store)).checks == ["decoding"]

    @pytest.mark.parametrize("wrong", [{"Title": 5}, {"Title": None}, {"Version": "one"}])
    async def test_an_item_that_does_not_decode_is_reported_and_left(
        self, store: Store, wrong: dict[str, object]
    ) -> None:
        await spoil(store, VOLUME, **wrong)
        before = await stored(store, VOLUME)
        found = await checked(store, repair=True)
        (one,) = found.reported
        assert (one.check, one.key, one.repaired) == ("decoding", ("volume#v", "volume"), False)
        assert "no Volume" in one.detail
        assert await stored(store, VOLUME) == before

    async def test_so_is_one_of_a_table_without_kinds(self, store: Store) -> None:
        await spoil(store, CARD, Holder=None)
        found = await checked(store)
        assert [(one.check, one.table) for one in found.reported] == [("decoding", "Cards")]


class TestIndexKeys:
    @pytest.mark.parametrize(
        "wrong", [{"TitleKey": "title#old"}, {"MoodKey": None}, {"MoodKey": "x", "TitleKey": "y"}]
    )
    async def test_a_wrong_one_is_found_and_mended(
        self, store: Store, wrong: dict[str, object]
    ) -> None:
        await spoil(store, VOLUME, **wrong)
        found = await checked(store)
        assert found.checks == ["keys"]
        assert found.left == 1
        assert (await stored(store, VOLUME)) != VOLUME.to_item(), "without --repair it stays"
        mended = await checked(store, repair=True)
        assert (mended.checks, mended.left) == (["keys"], 0)
        assert await stored(store, VOLUME) == VOLUME.to_item()
        assert (await checked(store)).reported == []

    async def test_one_that_should_not_be_there_is_removed(self, store: Store) -> None:
        plain = Volume(volume_id="p", title="Plain")
        await spoil(store, plain, MoodKey="mood#old")
        await spoil(store, SHELF, ShelfKey="shelf#x", TitleKey="title#x")
        assert (await checked(store, repair=True)).left == 0
        assert await stored(store, plain) == plain.to_item()
        assert await stored(store, SHELF) == SHELF.to_item()

    async def test_the_sentence_says_what_is_and_what_should_be(self, store: Store) -> None:
        await spoil(store, VOLUME, TitleKey="title#old", MoodKey=None)
        (one,) = (await checked(store)).reported
        assert one.detail == (
            "TitleKey should be 'title#uber' and is 'title#old'; "
            "MoodKey should be 'mood#calm' and is absent."
        )

    async def test_mending_leaves_a_version_alone(self, store: Store) -> None:
        await spoil(store, VOLUME, TitleKey="title#old")
        await checked(store, repair=True)
        assert (await stored(store, VOLUME) or {})["Version"] == 1

    async def test_one_that_cannot_be_worked_out_is_reported(self, store: Store) -> None:
        await spoil(store, VOLUME, Mood="calm#ly")
        found = await checked(store, repair=True)
        assert (found.checks, found.left) == (["keys"], 1)
        assert "MoodKey cannot be worked out" in found.reported[0].detail

    async def test_what_changes_meanwhile_is_not_written_over(self, store: Store) -> None:
        await spoil(store, VOLUME, TitleKey="title#old")

        class Meddling(KeyCheck):
            """Somebody edits the volume between the look and the repair."""

            async def examine(
                self, store: Store, things: Sequence[StoredEntity]
            ) -> AsyncIterator[Problem]:
                async for problem in super().examine(store, things):
                    await store.write(update(VOLUME, title="New"))
                    yield problem

        found = await checked(store, repair=True, checks=[Meddling()])
        assert found.left == 1
        assert "changed while" in found.reported[0].detail
        item = await stored(store, VOLUME) or {}
        assert (item["Title"], item["TitleKey"]) == ("New", "title#new")


class TestPrimaryKeys:
    async def test_a_wrong_one_is_reported_and_never_mended(self, store: Store) -> None:
        moved = VOLUME.to_item() | {"PK": "volume#elsewhere", "TitleKey": "title#old"}
        await store.engine.load(shelves, [moved])
        found = await checked(store, repair=True)
        (one,) = found.reported
        assert one.key == ("volume#elsewhere", "volume")
        assert "PK should be 'volume#v'" in one.detail
        assert "Only a person" in one.detail
        (item,) = await store.engine.batch_get([(shelves, one.key)])
        assert item == moved

"""Copies that equal their originals, and originals that are there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from commonroom.store import Entity, Store, delete, equal, put, update
from commonroom.store.checking import Check, CopyCheck, Problem, StoredEntity
from commonroom.store.declare.table import Table
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.values import Item, Key
from tests.support.checking import checked, keep, spoil, stored
from tests.support.copies_model import COPIES, TABLES, Card, Shelf, Volume

SHELF = Shelf(shelf_id="s", name="Top")
OTHER = Shelf(shelf_id="o", name="Other")
VOLUME = Volume(volume_id="v", title="T", shelf_id="s", shelf_name="Top")
CARD = Card(card_id="c", shelf_id="s", holder="Top")


@pytest.fixture(autouse=True)
async def in_order(store: Store) -> None:
    """A store in which all is well."""
    await keep(store, SHELF, OTHER, VOLUME, CARD)


class TestDrift:
    async def test_a_copy_that_differs_is_found_and_mended_with_its_keys(
        self, store: Store
    ) -> None:
        await keep(store, Volume(volume_id="v", title="T", shelf_id="s", shelf_name="Bottom"))
        await keep(store, Card(card_id="c", shelf_id="s", holder="Bottom"))
        found = await checked(store)
        assert (found.checks, found.left) == (["copies", "copies"], 2)
        assert found.reported[0].detail == "shelf_name is 'Bottom' and Shelf says 'Top'."
        assert (await checked(store, repair=True)).left == 0
        assert await store.get(CARD.ref) == CARD
        item = await stored(store, CARD) or {}
        assert item["HolderKey"] == "holder#Top"
        assert (await checked(store)).reported == []

    async def test_mending_counts_as_an_edit_where_there_is_a_version(self, store: Store) -> None:
        await keep(store, Volume(volume_id="v", title="T", shelf_id="s", shelf_name="Bottom"))
        await checked(store, repair=True)
        mended = await store.get(VOLUME.ref)
        assert mended is not None
        assert (mended.shelf_name, mended.version) == ("Top", 2)

    async def test_what_refers_to_nothing_may_have_no_copy(self, store: Store) -> None:
        await keep(store, Volume(volume_id="v", title="T", shelf_name="Top"))
        found = await checked(store, repair=True)
        assert (found.checks, found.left) == (["copies"], 0)
        mended = await store.get(VOLUME.ref)
        assert mended is not None
        assert mended.shelf_name is None


def meddling(change: Entity, **fields: str) -> Check:
    """Somebody changes a thing between the look and the repair."""

    class Meddling(CopyCheck):
        async def examine(
            self, store: Store, things: Sequence[StoredEntity]
        ) -> AsyncIterator[Problem]:
            async for problem in super().examine(store, things):
                await store.write(update(change, if_=None, **fields))
                yield problem

    return Meddling(COPIES)


class TestMeanwhile:
    async def test_a_changed_original_is_not_overtaken(self, store: Store) -> None:
        await keep(store, Card(card_id="c", shelf_id="s", holder="Bottom"))
        found = await checked(store, repair=True, checks=[meddling(SHELF, name="Newest")])
        assert found.left == 1
        assert "changed while" in found.reported[0].detail
        assert (await stored(store, CARD) or {})["Holder"] == "Bottom"

    async def test_a_card_that_refers_elsewhere_is_left_alone(self, store: Store) -> None:
        wrong = Card(card_id="c", shelf_id="s", holder="Bottom")
        await keep(store, wrong)
        moved = meddling(wrong, shelf_id="o", holder="Other")
        found = await checked(store, repair=True, checks=[moved])
        assert found.left == 1
        assert await store.get(CARD.ref) == Card(card_id="c", shelf_id="o", holder="Other")


class TestOrphans:
    async def test_a_carrier_whose_original_is_gone_is_reported(self, store: Store) -> None:
        await store.write(delete(SHELF))
        found = await checked(store, repair=True)
        assert (found.checks, found.left) == (["orphans", "orphans"], 2)
        assert "Its Shelf ('shelf#s', 'shelf') is not there." in found.reported[0].detail
        assert await store.get(VOLUME.ref) == VOLUME

    async def test_a_thing_of_another_kind_is_no_original(self, store: Store) -> None:
        await spoil(store, SHELF, Kind="VOLUME", VolumeId="x", Title="T", ShelfId=None)
        found = await checked(store)
        assert found.checks.count("orphans") == 2

    async def test_a_reference_that_can_be_nowhere_is_reported(self, store: Store) -> None:
        await spoil(store, CARD, ShelfId="no#where")
        found = await checked(store, repair=True)
        assert (found.checks, found.left) == (["orphans"], 1)

    async def test_an_original_that_does_not_decode_is_reported_once(self, store: Store) -> None:
        await spoil(store, SHELF, Name=7)
        found = await checked(store)
        assert found.checks == ["decoding"]


class CounterCheck:
    """As a room would add it: a shelf's count is what stands on it."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        for thing in things:
            if isinstance(thing.entity, Shelf):
                count = 1 if thing.entity.shelf_id == "s" else 0
                if thing.entity.volumes != count:
                    held = equal(volumes=thing.entity.volumes)
                    mend = update(thing.entity, volumes=count, if_=held)
                    yield Problem("counters", "Shelves", thing.key, "It counts wrong.", (mend,))


async def test_a_room_adds_a_check_of_its_own(store: Store) -> None:
    found = await checked(store, repair=True, checks=[CounterCheck()])
    assert (found.checks, found.left) == (["counters"], 0)
    shelf = await store.get(SHELF.ref)
    assert shelf is not None
    assert shelf.volumes == 1


class Enlarging:
    """A check whose repair no engine takes."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        for thing in things:
            if isinstance(thing.entity, Card):
                mend = put(Card(card_id="c", shelf_id="s", holder="x" * 500_000))
                yield Problem("sizes", "Cards", thing.key, "It is too small.", (mend,))


async def test_a_repair_that_is_refused_is_a_problem_that_stays(store: Store) -> None:
    found = await checked(store, repair=True, checks=[Enlarging()])
    assert found.left == 1
    assert "could not be repaired" in found.reported[0].detail
    assert await store.get(CARD.ref) == CARD


class Watched(EmbeddedEngine):
    """An engine that counts batches, and on the first lets somebody else write."""

    batches = 0
    meanwhile: Sequence[Entity] = ()

    async def batch_get(self, wanted: Sequence[tuple[Table, Key]]) -> list[Item | None]:
        self.batches += 1
        if self.meanwhile:
            things, self.meanwhile = self.meanwhile, ()
            await Store(self).write(*map(put, things))
        return await super().batch_get(wanted)


async def test_originals_are_read_in_batches_and_pages_are_followed(tmp_path: Path) -> None:
    engine = Watched(tmp_path / "many.db", TABLES, durability="OFF")
    store = Store(engine)
    shelf = Shelf(shelf_id="s", name="Top").to_item()
    volumes = [
        Volume(volume_id=f"{n:04}", title="T", shelf_id="s", shelf_name="Top").to_item()
        for n in range(450)
    ]
    await engine.load(TABLES[0], [shelf, *volumes])
    found = await checked(store)
    assert (found.items, found.reported) == (451, [])
    assert engine.batches == 5, "one for each page of a hundred"
    await engine.close()


async def test_a_change_between_two_reads_is_no_drift(tmp_path: Path) -> None:
    engine = Watched(tmp_path / "moving.db", TABLES, durability="OFF")
    store = Store(engine)
    await keep(store, SHELF, CARD)
    engine.meanwhile = [
        Shelf(shelf_id="s", name="Renamed"),
        Card(card_id="c", shelf_id="s", holder="Renamed"),
    ]
    assert (await checked(store)).reported == []
    assert engine.batches > 1
    await engine.close()

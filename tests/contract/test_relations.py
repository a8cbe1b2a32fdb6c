"""What relations declare is written with the deed, on both engines."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.errors import Conflict
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    add,
    amend,
    check,
    create,
    delete,
    equal,
    exchange,
    insert,
    remove,
    update,
)
from commonroom.store.errors import BadDeclaration, SameItemTwice, UnknownField
from commonroom.store.store import counting
from tests.support.garden import MAX_POTS, Bed, Label, Pot, Weed, label_of
from tests.support.world import fresh


async def made(store: Store, **fields: Any) -> Bed:
    """Stores a bed of its own."""
    bed = Bed(bed_id=fresh(), **fields)
    await store.write(create(bed))
    return bed


def pot_in(bed: Bed | None, **fields: Any) -> Pot:
    """Returns a pot."""
    return Pot(pot_id=fresh(), bed_id=None if bed is None else bed.bed_id, **fields)


async def numbers(store: Store, bed: Bed) -> tuple[int, int, int]:
    """Returns what a bed counts."""
    found = await store.get(bed.ref)
    assert found is not None
    assert found.version == bed.version, "to count is no edit"
    return found.pots, found.blooming, found.seeds


async def test_a_thing_is_counted_when_it_comes_and_when_it_goes(store: Store) -> None:
    bed = await made(store)
    pot = pot_in(bed, seeds=5, is_blooming=True)
    with counting() as count:
        await store.write(*insert(pot, on=[bed]))
        assert await numbers(store, bed) == (1, 1, 5)
        await store.write(*remove(pot))
    assert count.writes == 2
    assert await numbers(store, bed) == (0, 0, 0)
    assert await store.get(pot.ref) is None


async def test_several_counts_of_one_parent_are_one_operation(store: Store) -> None:
    bed = await made(store, max_seeds=10)
    pots = [pot_in(bed, seeds=2) for _ in range(MAX_POTS)]
    await store.write(
        *(one for pot in pots for one in insert(pot, on=[bed])),
        check(bed, if_=equal(version=1)),
    )
    assert await numbers(store, bed) == (3, 0, 6)


async def test_what_else_a_write_changes_of_a_parent_is_one_with_it(store: Store) -> None:
    bed = await made(store)
    renamed = update(bed, name="Roses", if_=equal(name="Bed"))
    await store.write(renamed, *insert(pot_in(bed), on=[bed]))
    found = await store.get(bed.ref)
    assert found is not None
    assert (found.name, found.pots, found.version) == ("Roses", 1, 2)


async def test_a_condition_on_a_parent_holds_its_children_back(store: Store) -> None:
    bed = await made(store)
    pot = pot_in(bed)
    with pytest.raises(ConditionFailed) as caught:
        await store.write(*insert(pot, on=[bed]), check(bed, if_=equal(name="Roses")))
    assert caught.value.entity == bed
    assert await store.get(pot.ref) is None
    assert await numbers(store, bed) == (0, 0, 0)


async def test_a_parent_that_is_made_in_the_same_write_counts_at_once(store: Store) -> None:
    bed = Bed(bed_id=fresh())
    await store.write(create(bed), *insert(pot_in(bed, seeds=3)))
    assert await numbers(store, bed) == (1, 0, 3)


async def test_a_parent_is_made_with_no_more_than_its_limit(store: Store) -> None:
    bed = Bed(bed_id=fresh())
    pots = [pot_in(bed) for _ in range(MAX_POTS + 1)]
    with pytest.raises(Conflict, match="at most 3 pots"):
        await store.write(create(bed), *(one for pot in pots for one in insert(pot)))
    assert await store.get(bed.ref) is None
    await store.write(create(bed), *(one for pot in pots[1:] for one in insert(pot)))
    assert await numbers(store, bed) == (MAX_POTS, 0, MAX_POTS)


async def test_a_parent_that_goes_in_the_same_write_counts_no_more(store: Store) -> None:
    bed = await made(store)
    pot = pot_in(bed)
    await store.write(*insert(pot, on=[bed]))
    await store.write(delete(bed), *remove(pot))
    assert await store.batch_get([bed.ref, pot.ref]) == [None, None]


async def test_nothing_is_added_to_a_parent_that_is_gone(store: Store) -> None:
    bed = Bed(bed_id=fresh())
    pot = pot_in(bed)
    with pytest.raises(ConditionFailed):
        await store.write(*insert(pot, on=[bed]))
    assert await store.batch_get([bed.ref, pot.ref]) == [None, None]


async def test_what_is_in_no_bed_is_counted_nowhere(store: Store) -> None:
    pot = pot_in(None)
    await store.write(*insert(pot))
    assert await store.get(pot.ref) == pot


async def test_nothing_is_removed_or_counted_twice(store: Store) -> None:
    bed = await made(store)
    pot = pot_in(bed)
    await store.write(*insert(pot, on=[bed]))
    with pytest.raises(ConditionFailed):
        await store.write(*insert(pot, on=[bed]))
    await store.write(*remove(pot))
    with pytest.raises(ConditionFailed):
        await store.write(*remove(pot))
    assert await numbers(store, bed) == (0, 0, 0)


class TestLimits:
    async def test_the_relation_refuses_before_it_asks_where_what_was_read_is_full(
        self, store: Store
    ) -> None:
        bed = Bed(bed_id=fresh(), pots=MAX_POTS)
        with counting() as count, pytest.raises(Conflict, match="at most 3 pots"):
            await store.write(*insert(pot_in(bed), on=[bed]))
        assert count.requests == 0

    async def test_the_relation_refuses_where_it_was_filled_meanwhile(self, store: Store) -> None:
        bed = await made(store)
        await store.write(update(bed.ref, pots=MAX_POTS))
        pot = pot_in(bed)
        with pytest.raises(Conflict, match="at most 3 pots"):
            await store.write(*insert(pot, on=[bed]))
        assert await store.get(pot.ref) is None

    async def test_several_at_once_are_refused_together(self, store: Store) -> None:
        bed = await made(store)
        pots = [pot_in(bed) for _ in range(MAX_POTS + 1)]
        with pytest.raises(Conflict):
            await store.write(*(one for pot in pots for one in insert(pot, on=[bed])))
        assert await numbers(store, bed) == (0, 0, 0)

    async def test_people_at_once_come_to_no_more_than_the_limit(self, store: Store) -> None:
        bed = await made(store)
        tries = [store.write(*insert(pot_in(bed), on=[bed])) for _ in range(10)]
        done = await asyncio.gather(*tries, return_exceptions=True)
        refused = [one for one in done if isinstance(one, Conflict)]
        assert [one for one in done if one not in refused] == [None] * MAX_POTS
        assert await numbers(store, bed) == (MAX_POTS, 0, MAX_POTS)

    async def test_a_limit_that_the_parent_names_is_held_as_it_was_read(self, store: Store) -> None:
        bed = await made(store, max_seeds=4)
        await store.write(*insert(pot_in(bed, seeds=3), on=[bed]))
        with pytest.raises(ConditionFailed):
            await store.write(*insert(pot_in(bed, seeds=2), on=[bed]))
        await store.write(update(bed.ref, max_seeds=9))
        with pytest.raises(ConditionFailed):
            await store.write(*insert(pot_in(bed), on=[bed]))
        with pytest.raises(UnknownField):
            await store.write(*insert(pot_in(bed)))

    async def test_less_is_always_possible(self, store: Store) -> None:
        bed = await made(store, max_seeds=4)
        pot = pot_in(bed, seeds=4)
        await store.write(*insert(pot, on=[bed]))
        await store.write(update(bed.ref, pots=9))
        await store.write(*remove(pot))
        assert (await numbers(store, bed))[0] == 8

    async def test_a_number_that_is_not_there_is_none(self, store: Store) -> None:
        """A bed of an earlier version, which did not count."""
        bed = Bed(bed_id=fresh())
        item = {name: it for name, it in bed.to_item().items() if name not in ("Pots", "Seeds")}
        await store.engine.load(Bed.schema.table, [item])
        await store.write(*insert(pot_in(bed, seeds=2), on=[bed]))
        assert await numbers(store, bed) == (1, 0, 2)


class TestChanges:
    async def test_count_for_more_or_less(self, store: Store) -> None:
        bed = await made(store)
        pot = pot_in(bed, seeds=2)
        await store.write(*exchange(None, pot, on=[bed]))
        more = Pot(pot_id=pot.pot_id, bed_id=bed.bed_id, seeds=7, is_blooming=True)
        await store.write(*exchange(pot, more, on=[bed]))
        assert await numbers(store, bed) == (1, 1, 7)
        await store.write(*amend(more, is_blooming=False))
        assert await numbers(store, bed) == (1, 0, 7)

    async def test_count_elsewhere(self, store: Store) -> None:
        bed, other = await made(store), await made(store)
        pot = pot_in(bed, seeds=2)
        await store.write(*insert(pot, on=[bed]))
        await store.write(*amend(pot, on=[other], bed_id=other.bed_id))
        assert await numbers(store, bed) == (0, 0, 0)
        assert await numbers(store, other) == (1, 0, 2)

    async def test_hold_what_was_counted(self, store: Store) -> None:
        bed = await made(store)
        pot = pot_in(bed, seeds=2)
        await store.write(*insert(pot, on=[bed]))
        await store.write(*amend(pot, on=[bed], seeds=5))
        for late in (remove(pot), amend(pot, seeds=1), exchange(pot, pot)):
            with pytest.raises(ConditionFailed):
                await store.write(*late)
        assert await numbers(store, bed) == (1, 0, 5)

    async def test_of_anything_else_hold_nothing(self, store: Store) -> None:
        bed = await made(store)
        pot = pot_in(bed, seeds=2)
        await store.write(*insert(pot, on=[bed]))
        await store.write(*amend(pot, on=[bed], seeds=5))
        await store.write(*amend(pot, note="by the window"))
        found = await store.get(pot.ref)
        assert found is not None
        assert (found.seeds, found.note) == (5, "by the window")

    async def test_need_their_parent_also_where_it_counts_the_same(self, store: Store) -> None:
        bed = await made(store)
        pot = pot_in(bed)
        await store.write(*insert(pot, on=[bed]))
        await store.write(delete(bed))
        with pytest.raises(ConditionFailed):
            await store.write(*exchange(pot, pot, on=[bed]))


class TestMirrors:
    async def test_come_and_go_with_their_original(self, store: Store) -> None:
        pot = pot_in(None, name="Rose")
        await store.write(*insert(pot))
        label = Label(name="Rose", pot_id=pot.pot_id)
        assert await store.get(label.ref) == label
        await store.write(*amend(pot, name="Lily"))
        lily = Label(name="Lily", pot_id=pot.pot_id)
        assert await store.batch_get([label.ref, lily.ref]) == [None, lily]
        renamed = Pot(pot_id=pot.pot_id, name="Lily")
        await store.write(*remove(renamed))
        assert await store.batch_get([lily.ref, pot.ref]) == [None, None]

    async def test_are_absent_where_their_original_has_none(self, store: Store) -> None:
        pot = pot_in(None, name="Rose")
        await store.write(*insert(pot))
        await store.write(*amend(pot, name=None))
        assert await store.get(Label.at(name="Rose", pot_id=pot.pot_id)) is None


async def test_what_a_relation_adds_to_is_set_by_nobody_else(store: Store) -> None:
    bed = await made(store)
    with pytest.raises(SameItemTwice):
        await store.write(update(bed.ref, pots=5), *insert(pot_in(bed), on=[bed]))


async def test_an_item_that_is_given_twice_is_refused_all_the_same(store: Store) -> None:
    bed = await made(store)
    same = equal(name="Bed")
    with pytest.raises(SameItemTwice):
        await store.write(
            check(bed, if_=same), check(bed, if_=same), *insert(pot_in(bed), on=[bed])
        )


async def test_a_thing_that_nothing_counts_is_refused() -> None:
    """Its relations may not have been loaded: nobody would know that it is not counted."""
    weed = Weed(bed_id=fresh(), weed_id="w")
    for write in (insert, remove, amend):
        with pytest.raises(BadDeclaration, match="Nothing counts or mirrors Weed"):
            write(weed)
    with pytest.raises(BadDeclaration):
        exchange(None, weed)


async def test_what_counts_is_set_outright() -> None:
    with pytest.raises(UnknownField, match="seeds"):
        amend(pot_in(None), seeds=add(2))
    assert amend(pot_in(None), note="by the window")


class Gardeners:
    """Several who move pots between two beds at once, each by what they read last."""

    def __init__(self, store: Store, beds: Sequence[Bed], chance: Random) -> None:
        self.store, self.beds, self.chance = store, beds, chance
        self.pots = [fresh() for _ in range(4)]

    async def do_something(self) -> None:
        """Does something with a pot; who comes too late, or finds no room, leaves it."""
        bed = await now_of(self.store, self.chance.choice(self.beds))
        before = await self.store.get(Pot.at(pot_id=self.chance.choice(self.pots)))
        await asyncio.sleep(0)
        with suppress(ConditionFailed, Conflict):
            await self.store.write(*self._deed(before, bed))

    def _deed(self, before: Pot | None, bed: Bed) -> list[Write]:
        fields: dict[str, Any] = {
            "seeds": self.chance.randrange(5),
            "is_blooming": self.chance.random() < 0.5,
            "name": self.chance.choice([None, "Rose", "Lily"]),
        }
        after = Pot(pot_id=self.chance.choice(self.pots), bed_id=bed.bed_id, **fields)
        if before is None:
            return insert(after, on=[bed])
        match self.chance.randrange(4):
            case 0:
                return remove(before)
            case 1:
                return amend(before, on=[bed], bed_id=bed.bed_id, **fields)
            case 2:
                return amend(before, bed_id=None)
        return exchange(before, replace(after, pot_id=before.pot_id), on=[bed])


async def now_of(store: Store, bed: Bed) -> Bed:
    """Returns a bed as it is now."""
    found = await store.get(bed.ref)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_people_do_at_once_all_of_it_is_counted(store: Store, seed: int) -> None:
    beds = [await made(store, max_seeds=6) for _ in range(2)]
    gardeners = Gardeners(store, beds, Random(seed))
    for _ in range(25):
        await asyncio.gather(*(gardeners.do_something() for _ in range(4)))
    found = await store.batch_get([Pot.at(pot_id=one) for one in gardeners.pots])
    pots = [one for one in found if one is not None]
    for bed in beds:
        inside = [one for one in pots if one.bed_id == bed.bed_id]
        bloom, seeds = sum(one.is_blooming for one in inside), sum(one.seeds for one in inside)
        assert await numbers(store, bed) == (len(inside), bloom, seeds)
        assert len(inside) <= MAX_POTS
        assert seeds <= 6
    names = [(one, pot_id) for one in ("Rose", "Lily") for pot_id in gardeners.pots]
    labels = await store.batch_get([Label.at(name=one, pot_id=it) for one, it in names])
    expected = [label_of(one) for one in pots if one.name is not None]
    assert sorted(map(str, filter(None, labels))) == sorted(map(str, expected))

"""Relations are checked: counts are worked out anew, and what was left over is named."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.store import Entity, Store, create, delete, insert
from commonroom.store.checking import Check, ReportedProblem, check_store
from commonroom.store.checking.related import RelatedCheck
from commonroom.store.checking.relations import count_check, rules_of
from commonroom.store.dynamodb import connect
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine
from tests.support.dynamodb_local import settings_for
from tests.support.garden import RELATIONS, Bed, Label, Pot, Weed
from tests.support.transfers import ignore
from tests.support.world import fresh, world


@pytest.fixture(params=["embedded", "dynamodb"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Store]:
    """A store with an empty garden of its own."""
    engine: Engine
    if request.param == "embedded":
        engine = EmbeddedEngine(tmp_path / "garden.db", [world], durability="OFF")
    else:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "relations")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        endpoint = request.getfixturevalue("dynamodb_local")
        engine = await connect(settings_for(endpoint, f"relations-{fresh()}-"))
        await engine.create_tables([world])
    yield Store(engine)
    await engine.close()


async def problems(store: Store, *, repair: bool = False) -> list[ReportedProblem]:
    """Returns what is wrong in the garden."""
    checks: list[Check] = [RelatedCheck(rules_of(RELATIONS)), count_check(RELATIONS)]
    found: list[ReportedProblem] = []
    await check_store(store, [world], checks, repair=repair, report=found.append, progress=ignore)
    return found


async def mended(store: Store) -> list[str]:
    """Returns what was wrong; all of it is repaired."""
    found = await problems(store, repair=True)
    assert all(one.repaired for one in found), found
    assert await problems(store) == []
    return [one.detail for one in found]


async def spoil(store: Store, thing: Entity) -> None:
    """Stores a thing past all relations."""
    await store.engine.load(world, [thing.to_item()])


async def garden(store: Store) -> tuple[Bed, Pot]:
    """A bed with a pot that has a name."""
    bed = Bed(bed_id=fresh(), max_seeds=9)
    pot = Pot(pot_id=fresh(), bed_id=bed.bed_id, seeds=4, name="Rose")
    await store.write(create(bed))
    await store.write(*insert(pot, on=[bed]))
    assert await problems(store) == []
    return replace(bed, pots=1, seeds=4), pot


async def test_counts_are_worked_out_anew(store: Store) -> None:
    bed, _ = await garden(store)
    await spoil(store, replace(bed, pots=7, blooming=2))
    assert await mended(store) == ["Its pots is 7, not 1, blooming is 2, not 0."]
    assert await store.get(bed.ref) == bed


async def test_more_than_fits_in_is_left_to_people(store: Store) -> None:
    bed, _ = await garden(store)
    await spoil(store, replace(bed, max_seeds=3))
    (found,) = await problems(store, repair=True)
    assert (found.check, found.detail) == (
        "overbooked",
        "There are 4 seeds; 3 fit in. Only a person can repair this.",
    )


async def test_a_lost_mirror_is_made_again(store: Store) -> None:
    _, pot = await garden(store)
    label = Label(name="Rose", pot_id=pot.pot_id)
    await store.write(delete(label))
    assert await mended(store) == ["The pot Rose has no label."]
    assert await store.get(label.ref) == label


async def test_a_stray_mirror_goes(store: Store) -> None:
    _, pot = await garden(store)
    await spoil(store, Label(name="Lily", pot_id=pot.pot_id))
    await spoil(store, Label(name="Fern", pot_id="gone"))
    said = await mended(store)
    assert sorted(said) == ["The label Fern is of no pot.", "The label Lily is of no pot."]
    assert await store.get(Label.at(name="Rose", pot_id=pot.pot_id)) is not None


async def test_a_child_without_its_parent_goes_with_its_mirror(store: Store) -> None:
    bed, pot = await garden(store)
    weed = Weed(bed_id=bed.bed_id, weed_id="w")
    await spoil(store, weed)
    await store.write(delete(bed))
    assert sorted(await mended(store)) == ["Its bed is gone.", "The bed of the weed w is gone."]
    label = Label(name="Rose", pot_id=pot.pot_id)
    assert await store.batch_get([pot.ref, weed.ref, label.ref]) == [None, None, None]


async def test_a_child_that_its_parent_does_not_know_goes(store: Store) -> None:
    bed, _ = await garden(store)
    weed = Weed(bed_id=bed.bed_id, weed_id="w")
    await spoil(store, weed)
    assert await problems(store) == []
    await spoil(store, replace(bed, name="Weeded"))
    assert await mended(store) == ["The weed w is in a bed that was weeded."]
    assert await store.get(weed.ref) is None

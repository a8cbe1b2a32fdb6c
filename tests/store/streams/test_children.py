"""What belonged to a thing that is gone goes: in bounded writes, and never what is newer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.store import Store, Write, create, delete, put
from commonroom.store.declare.relations import Children
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from commonroom.store.streams.children import children_consumer, delete_children
from commonroom.store.streams.tables import tables as stream_tables
from tests.support.garden import RELATIONS, Bed, Weed, weeds_of_bed
from tests.support.world import fresh, world

CHILDREN = children_consumer("garden", RELATIONS)
OF_A_BED = [one for one in RELATIONS if isinstance(one, Children)]
WEEDS = 250


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A store with an empty garden of its own."""
    engine = EmbeddedEngine(tmp_path / "garden.db", [world, *stream_tables], durability="OFF")
    yield Store(engine)
    await engine.close()


async def overgrown(store: Store) -> Bed:
    """A bed with many weeds."""
    bed = Bed(bed_id=fresh())
    await store.write(create(bed))
    weeds = [Weed(bed_id=bed.bed_id, weed_id=f"{number:03}").to_item() for number in range(WEEDS)]
    await store.engine.load(world, weeds)
    return bed


async def weeds_of(store: Store, bed: Bed) -> int:
    """Returns how many weeds are left."""
    return len([one async for one in store.all(weeds_of_bed(bed_id=bed.bed_id))])


class Interrupted(Store):
    """A store whose process ends after so many writes."""

    def __init__(self, engine: EmbeddedEngine, writes: int) -> None:
        super().__init__(engine)
        self.left = writes

    async def write(self, *writes: Write) -> None:
        """Writes as long as it may."""
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        await super().write(*writes)


async def test_all_of_it_goes(store: Store) -> None:
    bed, other = await overgrown(store), await overgrown(store)
    await store.write(delete(bed))
    await Worker(store, [CHILDREN]).drain()
    assert await weeds_of(store, bed) == 0
    assert await weeds_of(store, other) == WEEDS


async def test_an_interrupted_run_goes_on_with_what_is_left(store: Store) -> None:
    bed = await overgrown(store)
    await store.write(delete(bed))
    engine = store.engine
    assert isinstance(engine, EmbeddedEngine)
    with pytest.raises(KeyboardInterrupt):
        await delete_children(Interrupted(engine, 1), bed, OF_A_BED)
    assert 0 < await weeds_of(store, bed) < WEEDS
    await delete_children(store, bed, OF_A_BED)
    assert await weeds_of(store, bed) == 0


async def test_what_belongs_to_a_thing_that_is_there_again_stays(store: Store) -> None:
    bed = await overgrown(store)
    await store.write(delete(bed))
    await store.write(put(bed))
    await Worker(store, [CHILDREN]).drain()
    assert await weeds_of(store, bed) == WEEDS


async def test_a_thing_that_comes_back_meanwhile_keeps_what_is_left(store: Store) -> None:
    bed = await overgrown(store)
    await store.write(delete(bed))
    engine = store.engine
    assert isinstance(engine, EmbeddedEngine)

    class ComesBack(Interrupted):
        """A store in which the thing is there again after the first write."""

        async def write(self, *writes: Write) -> None:
            if self.left == 0:
                await store.write(put(bed))
            self.left -= 1
            await Store.write(self, *writes)

    await delete_children(ComesBack(engine, 1), bed, OF_A_BED)
    assert WEEDS - 100 < await weeds_of(store, bed) < WEEDS

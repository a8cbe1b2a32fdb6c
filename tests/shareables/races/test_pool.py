"""Two claimers never get one id, and no id is lost, whoever claims how many at once."""

from __future__ import annotations

from commonroom.shareables.errors import TryAgain
from commonroom.shareables.rules.short_ids import new_short_id
from commonroom.shareables.service import pool
from commonroom.shareables.tables import Checklist
from commonroom.shareables.tables.pool import PooledId
from commonroom.store import Store, create
from commonroom.timers import Scheduler
from commonroom.timers.tables import Timer
from tests.accounts.people import Watch, at_once
from tests.shareables.furniture import everything_of, stocked
from tests.shareables.races.claiming import bare_list

CLAIMS, ENTRIES = 200, 50
NARROW = 5
"""So few partitions that everybody meets in them."""


class TestTwoHundredClaimsOnAPoolOfFifty:
    async def test_all_get_one_or_are_told_to_try_again_and_no_id_is_there_twice(
        self, store: Store, clock: Watch
    ) -> None:
        ids = [new_short_id() for _ in range(ENTRIES)]
        await stocked(store, ids, partitions=NARROW)

        pages, refusals = await at_once(
            *(pool.claim(store, clock(), bare_list, partitions=NARROW) for _ in range(CLAIMS))
        )

        assert len(pages) > ENTRIES, "the pool filled itself"
        assert len(pages) + len(refusals) == CLAIMS
        assert {one.status for one in refusals} <= {TryAgain.status}, "they may try again"
        claimed = {page.short_id for page in pages}
        assert len(claimed) == len(pages), "no id twice"
        stored = {page.short_id for page in await everything_of(store.engine, Checklist)}
        assert claimed <= stored
        left = {entry.id.lower() for entry in await everything_of(store.engine, PooledId)}
        assert not left & stored, "what has a page is no longer to be had"
        assert {one.lower() for one in ids} <= left | stored, "no entry is lost"


class TestAPool:
    async def test_that_is_empty_fills_itself_and_goes_on(self, store: Store, clock: Watch) -> None:
        page = await pool.claim(store, clock(), bare_list)

        assert await store.get(page.ref) == page
        left = await everything_of(store.engine, PooledId)
        assert len(left) == pool.STOCK - 1

    async def test_that_runs_low_is_stocked_by_the_filler(self, store: Store, clock: Watch) -> None:
        await stocked(store, [new_short_id() for _ in range(5)], partitions=NARROW)
        await pool.claim(store, clock(), bare_list, partitions=NARROW)

        scheduler = Scheduler(store, {pool.FILL: pool.fill_when_low}, clock=clock)
        assert await scheduler.once() == 1

        assert len(await everything_of(store.engine, PooledId)) == pool.STOCK + 4
        assert not await everything_of(store.engine, Timer), "it is done with that"

    async def test_that_holds_an_id_which_has_a_page_already_gives_another(
        self, store: Store, clock: Watch
    ) -> None:
        there = bare_list("abc-def-12345")
        await store.write(create(there))
        await stocked(store, ["ABC-DEF-12345"], partitions=1)

        page = await pool.claim(store, clock(), bare_list, partitions=1)

        assert page.short_id != there.short_id
        assert await store.get(there.ref) == there, "it is as it was"
        left = await everything_of(store.engine, PooledId)
        assert "ABC-DEF-12345" not in {entry.id for entry in left}

    async def test_that_is_stocked_by_several_at_once_is_stocked_once(self, store: Store) -> None:
        await at_once(*(pool.fill(store, 7) for _ in range(10)))

        entries = await everything_of(store.engine, PooledId)
        assert len(entries) == pool.STOCK
        assert {(entry.partition, entry.slot) for entry in entries} == {
            (7, slot) for slot in range(pool.STOCK)
        }

    async def test_that_is_stocked_is_left_alone(self, store: Store) -> None:
        await pool.fill(store, 7)
        before = await everything_of(store.engine, PooledId)
        await pool.fill(store, 7)
        assert await everything_of(store.engine, PooledId) == before

"""Ticks that everyone shares."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.errors import Unfit
from commonroom.moments import iso
from commonroom.shareables.errors import AnswersClosed, Closed, NeedsPasscode, NotHere, NotYours
from commonroom.shareables.service.checklists import tick, untick, untick_all
from commonroom.shareables.service.editing import save
from commonroom.shareables.service.making import Made
from commonroom.shareables.service.passcodes import change_passcode
from commonroom.shareables.tables import Checklist, Tick
from commonroom.store import Store, counting
from tests.accounts.people import DAY, Meanwhile, Watch, again
from tests.shareables.furniture import PASSES, SHOPPING, let_in_to, made


@pytest.fixture
async def shopping(store: Store, clock: Watch) -> Made:
    """A checklist whose ticks are shared."""
    return await made(store, clock)


class TestATick:
    async def test_says_when_and_by_whom_and_can_be_taken_away(
        self, store: Store, clock: Watch, shopping: Made
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        milk, bread = [one.checklist_item_id for one in gate.page.items]
        with counting() as tally:
            await tick(store, clock(), gate, milk, by="Bo")
        assert tally.requests == 1
        await tick(store, clock(), gate, bread)
        now = iso(clock())
        assert (await again(store, gate.page)).ticks == {
            milk: Tick(at=now, by="Bo"),
            bread: Tick(at=now),
        }
        await untick(store, clock(), gate, milk)
        await untick(store, clock(), gate, milk)
        assert list((await again(store, gate.page)).ticks) == [bread]

    async def test_all_are_taken_away_at_once_by_an_admin(
        self, store: Store, clock: Watch, shopping: Made
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        for item in gate.page.items:
            await tick(store, clock(), gate, item.checklist_item_id)
        with pytest.raises(NotYours):
            await untick_all(store, clock(), gate)
        admin = await let_in_to(Checklist, store, clock, shopping, want="admin")
        with counting() as tally:
            await untick_all(store, clock(), admin)
        assert tally.requests == 1
        now = await again(store, gate.page)
        assert now.ticks == {}
        assert now.version == gate.page.version, "nobody's edit becomes stale by it"

    async def test_needs_an_item_of_the_list(
        self, store: Store, clock: Watch, shopping: Made
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        for doing in (tick, untick):
            with pytest.raises(NotHere):
                await doing(store, clock(), gate, "no such item")

    async def test_stays_on_each_device_where_the_creator_wants_it_so(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, replace(SHOPPING, ticks_shared=False))
        gate = await let_in_to(Checklist, store, clock, new)
        with pytest.raises(AnswersClosed):
            await tick(store, clock(), gate, gate.page.items[0].checklist_item_id)

    async def test_takes_no_name_that_is_too_long(
        self, store: Store, clock: Watch, shopping: Made
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        with pytest.raises(Unfit):
            await tick(store, clock(), gate, gate.page.items[0].checklist_item_id, by="x" * 61)

    async def test_comes_too_late_once_the_page_is_closed(
        self, store: Store, clock: Watch, shopping: Made
    ) -> None:
        clock.forward(8 * DAY)
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        with pytest.raises(Closed):
            await tick(store, clock(), gate, gate.page.items[0].checklist_item_id)

    async def test_of_an_item_that_is_removed_in_the_same_moment_leaves_nothing(
        self, store: Store, clock: Watch, shopping: Made
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")

        async def all_is_typed_anew() -> None:
            await save(store, clock(), gate, 1, SHOPPING)

        slow = Meanwhile(store, all_is_typed_anew, before_writing=Checklist)
        with pytest.raises(NotHere):
            await tick(slow, clock(), gate, gate.page.items[0].checklist_item_id)
        assert (await again(store, gate.page)).ticks == {}

    async def test_of_somebody_who_is_shut_out_in_the_same_moment_is_refused(
        self, store: Store, clock: Watch, shopping: Made
    ) -> None:
        seen = await let_in_to(Checklist, store, clock, shopping)
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")

        async def the_page_is_shut() -> None:
            await change_passcode(store, PASSES, clock(), gate, "view", typed="a passcode")

        slow = Meanwhile(store, the_page_is_shut, before_writing=Checklist)
        with pytest.raises(NeedsPasscode):
            await tick(slow, clock(), seen, seen.page.items[0].checklist_item_id)
        assert (await again(store, gate.page)).ticks == {}

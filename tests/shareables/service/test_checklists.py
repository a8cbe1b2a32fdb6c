"""Ticks that everyone shares."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from commonroom.errors import Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.shareables.errors import AnswersClosed, NeedsPasscode, PageClosed
from commonroom.shareables.room import SHAREABLES
from commonroom.shareables.rules.checklists import MAX_ITEMS, TypedChecklistItem
from commonroom.shareables.service.checklists import tick, ticks_of, untick, untick_all
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.edit import delete_page, extend, save
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.service.passcodes import change_passcode
from commonroom.shareables.tables import Checklist, ChecklistTick, Tick, shareables
from commonroom.store import Entity, Store, counting, update
from commonroom.store.streams import Worker, copy_consumers
from commonroom.store.values import Item
from tests.accounts.people import DAY, Meanwhile, Watch, again, at_once
from tests.shareables.furniture import SHOPPING, everything_of, let_in_to, made
from tests.support.context import at


@pytest.fixture
async def shopping(store: Store, clock: Watch) -> Created:
    """A checklist whose ticks are shared."""
    return await made(store, clock)


class TestATick:
    async def test_says_when_and_by_whom_and_can_be_taken_away(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        milk, bread = [one.checklist_item_id for one in gate.page.items]
        with counting() as tally:
            await tick(at(store, clock(), gate), milk, by="Bo")
        assert tally.requests == 1
        await tick(at(store, clock(), gate), bread)
        now = iso(clock())
        assert await ticks_of(store, gate.page) == {
            milk: Tick(at=now, by="Bo"),
            bread: Tick(at=now),
        }
        await untick(at(store, clock(), gate), milk)
        await untick(at(store, clock(), gate), milk)
        assert list(await ticks_of(store, gate.page)) == [bread]

    async def test_all_are_taken_away_at_once_by_an_admin(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        for item in gate.page.items:
            await tick(at(store, clock(), gate), item.checklist_item_id)
        with pytest.raises(Forbidden):
            await untick_all(at(store, clock(), gate))
        admin = await let_in_to(Checklist, store, clock, shopping, want="admin")
        with counting() as tally:
            await untick_all(at(store, clock(), admin))
        assert tally.requests == 2
        assert await ticks_of(store, gate.page) == {}
        now = await again(store, gate.page)
        assert now.version == gate.page.version, "nobody's edit becomes stale by it"

    async def test_needs_an_item_of_the_list(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        for doing in (tick, untick):
            with pytest.raises(NotFound):
                await doing(at(store, clock(), gate), "no such item")

    async def test_stays_on_each_device_where_the_creator_wants_it_so(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, replace(SHOPPING, ticks_shared=False))
        gate = await let_in_to(Checklist, store, clock, new)
        with pytest.raises(AnswersClosed):
            await tick(at(store, clock(), gate), gate.page.items[0].checklist_item_id)

    async def test_takes_no_name_that_is_too_long(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        with pytest.raises(InvalidField):
            await tick(at(store, clock(), gate), gate.page.items[0].checklist_item_id, by="x" * 61)

    async def test_comes_too_late_once_the_page_is_closed(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        clock.forward(8 * DAY)
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        with pytest.raises(PageClosed):
            await tick(at(store, clock(), gate), gate.page.items[0].checklist_item_id)

    async def test_of_an_item_that_is_removed_in_the_same_moment_leaves_nothing(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")

        async def all_is_typed_anew() -> None:
            await save(at(store, clock(), gate), 1, SHOPPING)

        slow = Meanwhile(store, all_is_typed_anew, before_writing=Checklist)
        with pytest.raises(NotFound):
            await tick(at(slow, clock(), gate), gate.page.items[0].checklist_item_id)
        assert not await everything_of(store.engine, ChecklistTick)

    async def test_of_somebody_who_is_shut_out_in_the_same_moment_is_refused(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        seen = await let_in_to(Checklist, store, clock, shopping)
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")

        async def the_page_is_shut() -> None:
            await change_passcode(at(store, clock(), gate), "view", typed="a passcode")

        slow = Meanwhile(store, the_page_is_shut, before_writing=Checklist)
        with pytest.raises(NeedsPasscode):
            await tick(at(slow, clock(), seen), seen.page.items[0].checklist_item_id)
        assert not await everything_of(store.engine, ChecklistTick)

    async def test_of_what_is_ticked_changes_nothing(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        milk = gate.page.items[0].checklist_item_id
        await tick(at(store, clock(), gate), milk, by="Bo")
        first = await ticks_of(store, gate.page)
        clock.forward(60)
        await tick(at(store, clock(), gate), milk, by="Kim")
        assert await ticks_of(store, gate.page) == first

    async def test_leaves_the_page_as_it_was_stored(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping)
        before = await images(store, Checklist)
        for item in gate.page.items:
            await tick(at(store, clock(), gate), item.checklist_item_id)
            await untick(at(store, clock(), gate), item.checklist_item_id)
        assert await images(store, Checklist) == before
        (last,) = (await images(store, ChecklistTick))[-1:]
        assert len(msgspec.json.encode(last)) < 500

    async def test_goes_with_its_item_and_with_its_page(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        milk, bread = gate.page.items
        for item in (milk, bread):
            await tick(at(store, clock(), gate), item.checklist_item_id)
        only = TypedChecklistItem(checklist_item_id=bread.checklist_item_id, name="Bread")
        await save(at(store, clock(), gate), 1, replace(SHOPPING, items=[only]))
        await Worker(store, SHAREABLES.data.consumers, clock=clock).drain()
        (left,) = await everything_of(store.engine, ChecklistTick)
        assert left.checklist_item_id == bread.checklist_item_id
        await delete_page(at(store, clock(), gate))
        await Worker(store, SHAREABLES.data.consumers, clock=clock).drain()
        assert not await everything_of(store.engine, ChecklistTick)

    async def test_lives_as_long_as_its_page(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        await tick(at(store, clock(), gate), gate.page.items[0].checklist_item_id)
        await extend(at(store, clock(), gate), 30)
        await Worker(store, copy_consumers(shareables.copies), clock=clock).drain()
        (carried,) = await everything_of(store.engine, ChecklistTick)
        assert carried.ttl == (await again(store, gate.page)).ttl > gate.page.ttl


class TestAPageWithTicksInIt:
    """As pages were stored before ticks became items of their own."""

    async def test_shows_them_and_takes_them_away(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await stored_as_before(store, clock, shopping)
        milk, bread = [one.checklist_item_id for one in gate.page.items]
        assert await ticks_of(store, gate.page) == {milk: BEFORE, bread: BEFORE}
        await untick(at(store, clock(), gate), milk)
        page = await again(store, gate.page)
        assert (page.ticks, page.version) == ({}, gate.page.version)
        assert await ticks_of(store, page) == {bread: BEFORE}
        await tick(at(store, clock(), gate), milk, by="Kim")
        assert await ticks_of(store, page) == {
            milk: Tick(at=iso(clock()), by="Kim"),
            bread: BEFORE,
        }

    async def test_keeps_who_ticked_first_and_loses_the_ticks_of_removed_items(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await stored_as_before(store, clock, shopping)
        _milk, bread = gate.page.items
        only = TypedChecklistItem(checklist_item_id=bread.checklist_item_id, name="Bread")
        await save(at(store, clock(), gate), 1, replace(SHOPPING, items=[only]))
        page = await again(store, gate.page)
        assert list(page.ticks) == [bread.checklist_item_id]
        gate = await let_in_to(Checklist, store, clock, shopping)
        await tick(at(store, clock(), gate), bread.checklist_item_id, by="Kim")
        assert await ticks_of(store, await again(store, page)) == {bread.checklist_item_id: BEFORE}

    async def test_is_unticked_altogether(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await stored_as_before(store, clock, shopping)
        await untick_all(at(store, clock(), gate))
        assert await ticks_of(store, await again(store, gate.page)) == {}

    async def test_of_200_items_is_ticked_by_many_at_once_and_loses_none(
        self, store: Store, clock: Watch
    ) -> None:
        long = [TypedChecklistItem(name=str(number)) for number in range(MAX_ITEMS)]
        gate = await stored_as_before(
            store, clock, await made(store, clock, replace(SHOPPING, items=long))
        )
        ids = [one.checklist_item_id for one in gate.page.items]
        _, refusals = await at_once(
            *(tick(at(store, clock(), gate), one, by="Kim") for one in ids[:5]),
            *(untick(at(store, clock(), gate), one) for one in ids[5:10]),
        )
        assert not refusals
        page = await again(store, gate.page)
        assert page.ticks == {}
        assert await ticks_of(store, page) == dict.fromkeys([*ids[:5], *ids[10:]], BEFORE)


BEFORE = Tick(at="2025-01-01T00:00:00.000Z", by="Ada")


async def stored_as_before(store: Store, clock: Watch, new: Created) -> PageAccess[Checklist]:
    """A list all of whose items are ticked, with the ticks in the page itself."""
    gate = await let_in_to(Checklist, store, clock, new, want="admin")
    ticks = {one.checklist_item_id: BEFORE for one in gate.page.items}
    await store.write(update(gate.page, ticks=ticks))
    return await let_in_to(Checklist, store, clock, new, want="admin")


async def images(store: Store, kind: type[Entity]) -> list[Item | None]:
    """What the stream holds of all changes of a kind."""
    found: list[Item | None] = []
    table = kind.schema.table
    for shard in await store.engine.shards(table):
        part = await store.engine.changes(table, shard.id, None, 10_000)
        found += [
            one.new or one.old
            for one in part.records
            if (one.new or one.old or {}).get("entity") == kind.schema.kind
        ]
    return found

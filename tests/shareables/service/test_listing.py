"""Somebody's list: what they made and joined, and nothing that a passcode protects."""

from __future__ import annotations

import pytest

from commonroom.errors import Forbidden
from commonroom.shareables.room import SHAREABLES
from commonroom.shareables.service.create import Passcodes
from commonroom.shareables.service.edit import delete_page, extend
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.listing import (
    ListedShareable,
    claim_as_mine,
    drop,
    join,
    kept_as,
    pages_of,
)
from commonroom.shareables.service.passcodes import enter
from commonroom.shareables.tables import ShareableBookmark
from commonroom.store import Store, counting
from commonroom.store.streams import Worker
from tests.accounts.people import DAY, Watch, again
from tests.shareables.furniture import (
    ADMIN,
    BIRTHDAY,
    PASSES,
    SUMMER,
    VIEW,
    everything_of,
    let_in,
    made,
    protected,
)
from tests.support.context import at


async def listed(store: Store, clock: Watch, who: str) -> list[ListedShareable]:
    """All of somebody's list."""
    return (await pages_of(store, clock(), who)).items


class TestAList:
    async def test_holds_what_somebody_made_and_joined_the_newest_first(
        self, store: Store, clock: Watch
    ) -> None:
        first = await made(store, clock, account_id="ada")
        clock.forward(1)
        other = await made(store, clock, SUMMER)
        clock.forward(1)
        last = await made(store, clock, BIRTHDAY, account_id="ada")
        for _ in range(2):
            await join(await let_in(store, clock, other.page), "ada")
        await join(await let_in(store, clock, first.page), "ada")

        with counting() as tally:
            pages = await listed(store, clock, "ada")
        assert tally.requests == 2
        assert pages == [
            ListedShareable(last.page.short_id, "made", "event", "Birthday", is_closed=False),
            ListedShareable(other.page.short_id, "joined", "poll", "Summer", is_closed=False),
            ListedShareable(first.page.short_id, "made", "checklist", "Shopping", is_closed=False),
        ]
        assert await listed(store, clock, "ben") == []

    async def test_goes_on_where_a_part_of_it_ended(self, store: Store, clock: Watch) -> None:
        for _ in range(31):
            clock.forward(1)
            await made(store, clock, account_id="ada")
        part = await pages_of(store, clock(), "ada")
        rest = await pages_of(store, clock(), "ada", cursor=part.cursor)
        assert (len(part.items), len(rest.items), rest.cursor) == (30, 1, None)

    async def test_names_no_page_that_is_shut_to_its_owner(
        self, store: Store, clock: Watch
    ) -> None:
        shut, closed = await protected(store, clock), await made(store, clock, expires_after=1)
        entered = await enter(
            ShareableVisitor(store, PASSES, clock(), address="here"), shut.page.short_id, VIEW
        )
        await join(await let_in(store, clock, shut.page, entered.token), "ada")
        await join(await let_in(store, clock, closed.page), "ada")
        mine = await protected(store, clock, expires_after=1, account_id="ada")
        clock.forward(2 * DAY)

        pages = {one.short_id: one for one in await listed(store, clock, "ada")}
        assert pages[shut.page.short_id].name is pages[shut.page.short_id].kind is None
        assert pages[closed.page.short_id].name is None
        assert pages[closed.page.short_id].is_closed
        assert pages[mine.page.short_id].name == "Shopping"

    async def test_loses_what_is_deleted_or_dropped(self, store: Store, clock: Watch) -> None:
        gone, kept = await made(store, clock, account_id="ada"), await made(store, clock)
        for page in (gone.page, kept.page):
            await join(await let_in(store, clock, page), "ben")
        gate = await let_in(store, clock, gone.page, gone.token, want="admin")
        await delete_page(at(store, clock(), gate))
        await Worker(store, SHAREABLES.data.consumers, clock=clock).drain()
        assert [one.short_id for one in await listed(store, clock, "ben")] == [kept.page.short_id]
        assert await listed(store, clock, "ada") == []
        await drop(store, kept.page.short_id, "ben")
        await drop(store, kept.page.short_id, "ben")
        assert await listed(store, clock, "ben") == []

    async def test_loses_what_is_dropped_though_it_is_shut_or_closed(
        self, store: Store, clock: Watch
    ) -> None:
        shut, closed = await protected(store, clock), await made(store, clock, expires_after=1)
        entered = await enter(
            ShareableVisitor(store, PASSES, clock(), address="here"), shut.page.short_id, VIEW
        )
        await join(await let_in(store, clock, shut.page, entered.token), "ben")
        await join(await let_in(store, clock, closed.page), "ben")
        clock.forward(2 * DAY)
        for page in (shut.page, closed.page):
            await drop(store, page.short_id.replace("-", "").upper(), "ben")
        assert await listed(store, clock, "ben") == []

    async def test_knows_as_what_a_page_is_in_it(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, account_id="ada")
        gate = await let_in(store, clock, new.page)
        await join(gate, "ben")
        with counting() as tally:
            roles = [await kept_as(gate, who) for who in ("ada", "ben", "eve")]
        assert roles == ["made", "joined", None]
        assert tally.requests == 3

    async def test_keeps_what_somebody_made(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, account_id="ada")
        await drop(store, new.page.short_id, "ada")
        assert len(await listed(store, clock, "ada")) == 1

    async def test_holds_a_page_as_long_as_its_creator_extends_it(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, expires_after=1, account_id="ada")
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        await extend(at(store, clock(), gate), 30)
        (pointer,) = await everything_of(store.engine, ShareableBookmark)
        assert pointer.ttl == (await again(store, new.page)).ttl


class TestClaimingAPage:
    async def test_makes_the_account_its_creator(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock)
        for _ in range(2):
            gate = await let_in(store, clock, new.page, new.token)
            await claim_as_mine(at(store, clock(), gate), "ada")
        assert [one.role for one in await listed(store, clock, "ada")] == ["made"]
        gate = await let_in(store, clock, new.page, account_id="ada", want="admin")
        assert gate.standing == "creator"
        assert gate.page.version == 1, "it is no edit"

    async def test_needs_the_creators_pass(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, passcodes=Passcodes(admin=ADMIN))
        entered = await enter(
            ShareableVisitor(store, PASSES, clock(), address="here"), new.page.short_id, ADMIN
        )
        for tokens in ((), (entered.token,)):
            gate = await let_in(store, clock, new.page, *tokens)
            with pytest.raises(Forbidden):
                await claim_as_mine(at(store, clock(), gate), "eve")

    async def test_of_somebody_elses_is_refused(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, account_id="ada")
        gate = await let_in(store, clock, new.page, new.token)
        with pytest.raises(Forbidden):
            await claim_as_mine(at(store, clock(), gate), "eve")

"""The maker of a page hears of answers, those of a quarter of an hour at once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.blocks import block
from commonroom.accounts.service.signup import set_up
from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notifications.tables import Notification
from commonroom.shareables.notifications import ANSWERS, VOTES_IN
from commonroom.shareables.room import SHAREABLES
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.edit import delete_page
from commonroom.shareables.tables import Event, Poll
from commonroom.store import Store
from commonroom.store.streams import Worker
from commonroom.timers import Scheduler
from tests.accounts.people import Watch, newcomer, newly
from tests.shareables.furniture import BIRTHDAY, SUMMER, everything_of, let_in_to, made
from tests.shareables.voting import ballot

WINDOW = 900


@pytest.fixture
async def ada(store: Store, clock: Watch) -> User:
    """Who makes pages."""
    await set_up(store, clock(), newcomer("Root"))
    return await newly(store, clock, "Ada")


@pytest.fixture
async def party(store: Store, clock: Watch, ada: User) -> Created:
    """An event of Ada's that takes answers."""
    return await made(store, clock, BIRTHDAY, account_id=ada.user_id)


async def told(store: Store, clock: Watch) -> list[Notification]:
    """What anybody was told by now."""
    worker = Worker(store, SHAREABLES.data.consumers, clock=clock)
    scheduler = Scheduler(store, SHAREABLES.data.timer_handlers, clock=clock)
    while await worker.drain() + await scheduler.once():
        pass
    return sorted(await everything_of(store.engine, Notification), key=lambda one: one.made_at)


async def answers(
    store: Store, clock: Watch, page: Created, name: str, account: User | None = None
) -> None:
    who = None if account is None else account.user_id
    gate = await let_in_to(Event, store, clock, page, account_id=who, address=name)
    await events.answer(gate, TypedEventRsvp(name=name, response="going"))


async def test_answers_of_a_while_are_told_as_one(
    store: Store, clock: Watch, ada: User, party: Created
) -> None:
    for name in ("Ben", "Cleo", "Dan"):
        await answers(store, clock, party, name)
        clock.forward(1)
    assert await told(store, clock) == [], "more may come"
    clock.forward(WINDOW)
    (one,) = await told(store, clock)
    assert one.user_id == ada.user_id
    assert one.link == address_of(party.page.short_id)
    words = ANSWERS.words(one.facts)
    assert (words.title, words.text) == ("3 new answers", "Birthday")
    await answers(store, clock, party, "Eve")
    clock.forward(WINDOW)
    assert [ANSWERS.words(it.facts).title for it in await told(store, clock)] == [
        "3 new answers",
        "1 new answer",
    ]


async def test_ones_own_and_blocked_answers_are_not_told(
    store: Store, clock: Watch, ada: User, party: Created
) -> None:
    ben = await newly(store, clock, "Ben")
    await block(Context(store, ada, clock()), ben.user_id, "Ben")
    await answers(store, clock, party, "Ada", ada)
    await answers(store, clock, party, "Ben", ben)
    clock.forward(WINDOW)
    assert await told(store, clock) == []


async def test_votes_are_answers_and_a_guests_page_tells_nobody(
    store: Store, clock: Watch, ada: User
) -> None:
    for maker in (ada.user_id, None):
        page = await made(store, clock, SUMMER, account_id=maker)
        gate = await let_in_to(Poll, store, clock, page)
        await polls.vote(gate, ballot(gate.page, 0, 1))
    clock.forward(WINDOW)
    (one,) = await told(store, clock)
    assert one.facts == {"title": "Summer", "number": "1"}


async def test_a_page_that_is_deleted_needs_nobody(
    store: Store, clock: Watch, party: Created, ada: User
) -> None:
    await answers(store, clock, party, "Ben")
    clock.forward(WINDOW)
    await told(store, clock)
    gate = await let_in_to(Event, store, clock, party, account_id=ada.user_id, want="admin")
    await delete_page(gate)
    (one,) = await told(store, clock)
    assert one.read_at is not None


class TestVotesIn:
    """That no more votes can come is told to the maker once."""

    async def poll(self, store: Store, clock: Watch, maker: User | None) -> Created:
        typed = replace(SUMMER, closes_at=iso(clock() + 2 * WINDOW))
        return await made(store, clock, typed, account_id=maker and maker.user_id)

    async def votes(self, store: Store, clock: Watch, page: Created, number: int) -> None:
        for name in range(number):
            gate = await let_in_to(Poll, store, clock, page, address=f"10.0.{name}.1")
            await polls.vote(gate, ballot(gate.page, 0, 1))

    async def ends(self, store: Store, clock: Watch) -> list[str]:
        """What is told of it once it is over, and long after."""
        for _ in range(3):
            await told(store, clock)
            clock.forward(2 * WINDOW)
        kept = await told(store, clock)
        return [VOTES_IN.words(one.facts).title for one in kept if one.kind == VOTES_IN.name]

    async def test_is_told_when_the_poll_is_over(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        page = await self.poll(store, clock, ada)
        await self.votes(store, clock, page, 2)
        assert all(one.kind != VOTES_IN.name for one in await told(store, clock)), "not yet"
        assert await self.ends(store, clock) == ["The votes are in: Summer"]
        (one,) = [it for it in await told(store, clock) if it.kind == VOTES_IN.name]
        assert (one.user_id, one.facts["number"]) == (ada.user_id, "2")

    async def test_is_not_told_where_nobody_has_voted_or_nobody_made_it(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await self.poll(store, clock, ada)
        await self.votes(store, clock, await self.poll(store, clock, None), 1)
        assert await self.ends(store, clock) == []

    async def test_is_not_told_to_who_closed_it_by_hand(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        page = await self.poll(store, clock, ada)
        await self.votes(store, clock, page, 1)
        gate = await let_in_to(Poll, store, clock, page, account_id=ada.user_id, want="admin")
        await polls.close_poll(gate)
        assert await self.ends(store, clock) == []

"""The life of a page: extended, deleted, and cleared up after."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.shareables.errors import PageClosed
from commonroom.shareables.room import SHAREABLES
from commonroom.shareables.rules.events import TypedRsvp
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.edit import delete_page, extend, save
from commonroom.shareables.tables import Event, EventRsvp, Kept, Poll, PollVote, shareables
from commonroom.store import Store, create, delete
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Worker, copy_consumers
from tests.accounts.people import DAY, Meanwhile, Watch, again
from tests.shareables.furniture import (
    BIRTHDAY,
    SHOPPING,
    SUMMER,
    everything_of,
    let_in,
    let_in_to,
    made,
)
from tests.shareables.voting import ballot
from tests.support.context import at

BO = TypedRsvp(name="Bo", response="going")


async def cleared(store: Store, clock: Watch) -> None:
    """Lets the consumers do what is theirs."""
    copied = copy_consumers(shareables.copies)
    await Worker(store, [*SHAREABLES.consumers, *copied], clock=clock).drain()


class TestExtending:
    async def test_lets_a_page_live_longer_and_its_answers_with_it(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, BIRTHDAY, expires_after=1)
        await events.answer(at(store, clock(), await let_in_to(Event, store, clock, new)), BO)
        clock.forward(3600)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        closes = await extend(at(store, clock(), gate), 30)
        await cleared(store, clock)

        assert closes == iso(clock() + 30 * DAY)
        page = await again(store, new.page)
        assert page.expires_at == closes
        assert page.ttl == int(clock()) + 395 * DAY
        assert [one.ttl for one in await everything_of(store.engine, EventRsvp)] == [page.ttl]

    async def test_never_makes_it_shorter(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, expires_after=30)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        assert await extend(at(store, clock(), gate), 1) == new.page.expires_at
        assert await again(store, new.page) == new.page

    async def test_comes_too_late_for_a_page_that_is_closed(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock)
        clock.forward(7 * DAY)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        with pytest.raises(PageClosed):
            await extend(at(store, clock(), gate), 30)
        with pytest.raises(PageClosed):
            await save(at(store, clock(), gate), gate.page.version, SHOPPING)

    async def test_is_for_those_who_administer_it(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock)
        with pytest.raises(Forbidden):
            await extend(at(store, clock(), await let_in(store, clock, new.page)), 30)


class TestDeleting:
    async def test_is_immediate_and_takes_everything_along(
        self, store: Store, clock: Watch
    ) -> None:
        party, poll = await made(store, clock, BIRTHDAY), await made(store, clock, SUMMER)
        kept = await made(store, clock, SUMMER)
        for new in (poll, kept):
            gate = await let_in_to(Poll, store, clock, new)
            await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        await events.answer(at(store, clock(), await let_in_to(Event, store, clock, party)), BO)

        for new in (party, poll):
            gate_ = await let_in(store, clock, new.page, new.token, want="admin")
            await delete_page(at(store, clock(), gate_))
            with pytest.raises(NotFound):
                await let_in(store, clock, new.page, new.token)
        await cleared(store, clock)

        assert not await everything_of(store.engine, EventRsvp)
        left = await everything_of(store.engine, PollVote)
        assert [one.short_id for one in left] == [kept.page.short_id]

    async def test_of_a_closed_page_is_possible(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock)
        clock.forward(8 * DAY)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        await delete_page(at(store, clock(), gate))
        assert await store.get(new.page.ref) is None

    async def test_that_is_interrupted_goes_on_where_it_was(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, SUMMER)
        gate = await let_in_to(Poll, store, clock, new)
        for number in range(120):
            await polls.vote(at(store, clock(), gate), ballot(gate.page, number))
        gate = await let_in_to(Poll, store, clock, new, want="admin")
        await delete_page(at(store, clock(), gate))

        async def fail() -> None:
            raise Unavailable("The light went out.")

        interrupted = Meanwhile(store, fail, after_writing=PollVote)
        await Worker(interrupted, SHAREABLES.consumers, clock=clock).drain()
        assert 0 < len(await everything_of(store.engine, PollVote)) < 120
        clock.forward(DAY / 2)
        await cleared(store, clock)
        assert not await everything_of(store.engine, PollVote)

    async def test_leaves_no_vote_of_the_same_moment_behind(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, SUMMER)
        seen = await let_in_to(Poll, store, clock, new)
        gate = await let_in_to(Poll, store, clock, new, want="admin")
        await delete_page(at(store, clock(), gate))
        with pytest.raises(NotFound):
            await polls.vote(at(store, clock(), seen), ballot(seen.page, 0))
        assert not await everything_of(store.engine, PollVote)


class TestAnAccountThatLeaves:
    async def test_leaves_its_pages_to_their_links_and_its_list_to_nobody(
        self, store: Store, clock: Watch
    ) -> None:
        ada = User(user_id="ada", display_name="Ada", created_at=iso(clock()))
        await store.write(create(ada))
        new = await made(store, clock, account_id="ada")
        await store.write(delete(ada))
        await cleared(store, clock)

        page = await again(store, new.page)
        assert page.created_by is None
        assert not await everything_of(store.engine, Kept)
        assert (await let_in(store, clock, page, new.token, want="admin")).is_admin

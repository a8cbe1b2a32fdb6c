"""Making pages, and cloning them."""

from __future__ import annotations

import pytest

from commonroom.errors import Forbidden, InvalidField, NotFound, RateLimited
from commonroom.moments import iso
from commonroom.shareables.errors import NeedsPasscode
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.rules.limits import USUAL
from commonroom.shareables.service import checklists, events, polls
from commonroom.shareables.service.create import clone_page
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.store import Store
from tests.accounts.people import DAY, Watch, again
from tests.shareables.furniture import (
    BIRTHDAY,
    SHOPPING,
    SUMMER,
    let_in,
    let_in_to,
    made,
    protected,
)
from tests.shareables.voting import ballot
from tests.support.context import at

YEAR = 365 * DAY


class TestANewPage:
    @pytest.mark.parametrize("days", [1, 7, 30])
    async def test_closes_after_the_days_that_were_chosen_and_goes_a_year_later(
        self, store: Store, clock: Watch, days: int
    ) -> None:
        page = (await made(store, clock, expires_after=days)).page
        assert page == await again(store, page)
        assert page.expires_after == days
        assert page.expires_at == iso(clock() + days * DAY)
        assert page.ttl == int(clock()) + days * DAY + YEAR

    async def test_is_administered_by_its_creator_and_by_no_stranger(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock)
        assert (await let_in(store, clock, new.page, new.token, want="admin")).is_admin
        with pytest.raises(Forbidden):
            await let_in(store, clock, new.page, want="admin")

    async def test_is_not_made_of_what_is_unfit(self, store: Store, clock: Watch) -> None:
        for unfit in (
            type(SHOPPING)(name="", items=SHOPPING.items),
            type(BIRTHDAY)(name="Party", start_time="tomorrow"),
            type(SUMMER)(name="Nothing to ask", questions=[]),
        ):
            with pytest.raises(InvalidField):
                await made(store, clock, unfit)

    async def test_is_made_only_so_often_from_one_address(self, store: Store, clock: Watch) -> None:
        for _ in range(USUAL.pages_per_day):
            await made(store, clock, address="a busy one")
        with pytest.raises(RateLimited):
            await made(store, clock, address="a busy one")
        await made(store, clock, address="another")


class TestAClone:
    async def test_is_possible_for_a_year_after_the_close_and_then_the_page_is_gone(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock)
        clock.forward(7 * DAY + YEAR - 1)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        copy = await clone_page(at(store, clock(), gate))
        assert copy.page.expires_at == iso(clock() + 7 * DAY)
        clock.forward(2)
        with pytest.raises(NotFound):
            await let_in(store, clock, new.page, new.token, want="admin")
        assert (await let_in(store, clock, copy.page, copy.token, want="admin")).is_admin

    async def test_is_for_those_who_administer_the_page(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock)
        with pytest.raises(Forbidden):
            await clone_page(at(store, clock(), await let_in(store, clock, new.page)))

    async def test_stays_protected_and_has_a_creator_of_its_own(
        self, store: Store, clock: Watch
    ) -> None:
        new = await protected(store, clock)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        clock.forward(1)
        copy = await clone_page(at(store, clock(), gate))
        assert copy.page.view_passcode == new.page.view_passcode
        for token in ("", new.token):
            with pytest.raises(NeedsPasscode):
                await let_in(store, clock, copy.page, token)
        assert (await let_in(store, clock, copy.page, copy.token, want="admin")).is_admin

    async def test_has_what_was_typed_and_nothing_that_people_left(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock)
        seen = await let_in_to(Checklist, store, clock, new)
        await checklists.tick(at(store, clock(), seen), seen.page.items[0].checklist_item_id)
        copy = (
            await clone_page(
                at(store, clock(), await let_in_to(Checklist, store, clock, new, want="admin"))
            )
        ).page
        assert isinstance(copy, Checklist)
        assert (copy.items, copy.note) == (seen.page.items, seen.page.note)
        assert not await checklists.ticks_of(store, copy)

    async def test_of_an_event_has_no_answers(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, BIRTHDAY)
        seen = await let_in_to(Event, store, clock, new)
        await events.answer(at(store, clock(), seen), TypedEventRsvp(name="Bo", response="going"))
        gate = await let_in_to(Event, store, clock, new, want="admin")
        copy = (await clone_page(at(store, clock(), gate))).page
        assert isinstance(copy, Event)
        assert (copy.start_time, copy.rsvp_count, copy.going_count) == (seen.page.start_time, 0, 0)

    async def test_of_a_poll_that_is_over_takes_votes(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, SUMMER)
        seen = await let_in_to(Poll, store, clock, new)
        await polls.vote(at(store, clock(), seen), ballot(seen.page, 0))
        await polls.close_poll(
            at(store, clock(), await let_in_to(Poll, store, clock, new, want="admin"))
        )
        gate = await let_in_to(Poll, store, clock, new, want="admin")
        copy = (await clone_page(at(store, clock(), gate))).page
        assert isinstance(copy, Poll)
        assert (copy.questions, copy.tally, copy.vote_count) == (seen.page.questions, {}, 0)
        assert not copy.is_closed

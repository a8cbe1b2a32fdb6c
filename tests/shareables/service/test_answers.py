"""Whose an answer is: an account's everywhere, a guest's by its code, and few of one network."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.shareables.data_export import export_person
from commonroom.shareables.errors import AlreadyAnswered, TooManyFromNetwork, WrongCode
from commonroom.shareables.room import SHAREABLES
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.answers import MAX_FROM_NETWORK, account_receipt
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.edit import delete_page, save, typed_from
from commonroom.shareables.service.gate import PageAccess, as_guest
from commonroom.shareables.tables import (
    AnswerNetwork,
    AnswerPointer,
    Event,
    EventRsvp,
    Poll,
    PollVote,
)
from commonroom.store import Store, create, delete
from commonroom.store.streams import Worker
from tests.accounts.people import Watch, again
from tests.shareables.furniture import (
    BIRTHDAY,
    PASSES,
    SUMMER,
    everything_of,
    let_in_to,
    made,
)
from tests.shareables.voting import ballot, check_count
from tests.support.context import at

GOING = TypedEventRsvp(name="Ada Lovelace", response="going", guest_count=2)
KEYS = PASSES.answer_keys


@pytest.fixture
async def party(store: Store, clock: Watch) -> Created:
    """An event that takes answers."""
    return await made(store, clock, BIRTHDAY)


def mine(gate: PageAccess[Event] | PageAccess[Poll]) -> Receipt:
    """What stands for the answer of the account that asks."""
    receipt = account_receipt(gate)
    assert receipt is not None
    return receipt


async def drained(store: Store, clock: Watch) -> None:
    """Lets the consumers do what is theirs."""
    await Worker(store, SHAREABLES.data.consumers, clock=clock).drain()


class TestAnAccountsAnswer:
    async def test_is_theirs_on_every_device(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        here, there = [
            await let_in_to(Event, store, clock, party, account_id="ada", address=address)
            for address in ("10.0.0.1", "10.9.9.9")
        ]
        await events.answer(at(store, clock(), here), GOING)
        assert (await events.my_answer(at(store, clock(), there), mine(there))).name == GOING.name
        with pytest.raises(AlreadyAnswered):
            await events.answer(at(store, clock(), there), GOING)
        changed = replace(GOING, response="maybe")
        await events.change_answer(at(store, clock(), there), mine(there), changed)
        assert (await events.my_answer(at(store, clock(), here), mine(here))).response == "maybe"
        await events.withdraw_answer(at(store, clock(), here), mine(here))
        assert (await again(store, here.page)).rsvp_count == 0
        await events.answer(at(store, clock(), there), GOING)

    async def test_is_nobody_elses(self, store: Store, clock: Watch, party: Created) -> None:
        ada = await let_in_to(Event, store, clock, party, account_id="ada")
        given = await events.answer(at(store, clock(), ada), GOING)
        bob = await let_in_to(Event, store, clock, party, account_id="bob")
        with pytest.raises(WrongCode):
            await events.my_answer(at(store, clock(), bob), mine(bob))
        guest = await let_in_to(Event, store, clock, party)
        with pytest.raises(WrongCode):
            await events.my_answer(at(store, clock(), guest), given.code)

    async def test_leaves_room_for_a_guest_at_their_device(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        ada = await let_in_to(Event, store, clock, party, account_id="ada", address="10.0.0.1")
        await events.answer(at(store, clock(), ada), GOING)
        given = await events.answer(at(store, clock(), as_guest(ada)), GOING)
        assert given.account_id is None
        assert (await events.my_answer(at(store, clock(), ada), given.code)).code == given.code

    async def test_shows_results_where_they_take_a_vote(self, store: Store, clock: Watch) -> None:
        poll = await made(store, clock, replace(SUMMER, results_visibility="afterSubmit"))
        ada = await let_in_to(Poll, store, clock, poll, account_id="ada")
        assert await polls.results_for(at(store, clock(), ada)) is None
        await polls.vote(at(store, clock(), ada), ballot(ada.page, 0))
        ada = await let_in_to(Poll, store, clock, poll, account_id="ada")
        assert await polls.results_for(at(store, clock(), ada)) is not None

    async def test_is_taken_along_and_goes_with_the_account(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        user = User(user_id="ada", display_name="Ada", created_at=iso(clock()))
        await store.write(create(user))
        ada = await let_in_to(Event, store, clock, party, account_id="ada")
        await events.answer(at(store, clock(), ada), GOING)
        poll = await made(store, clock, SUMMER)
        voter = await let_in_to(Poll, store, clock, poll, account_id="ada")
        vote = replace(ballot(voter.page, 0), name="Ada Lovelace")
        await polls.vote(at(store, clock(), voter), vote)
        along = (await export_person(store, user))["answers"]
        assert {one["short_id"] for one in along} == {party.page.short_id, poll.page.short_id}
        assert {one["name"] for one in along} == {"Ada Lovelace"}

        await store.write(delete(user))
        await drained(store, clock)
        event = await again(store, ada.page)
        assert (event.rsvp_count, event.going_count, event.guest_count) == (0, 0, 0)
        assert not await everything_of(store.engine, EventRsvp)
        (left,) = await everything_of(store.engine, PollVote)
        assert (left.name, left.account_id) == (None, None)
        await check_count(store, poll.page.short_id)
        assert not await everything_of(store.engine, AnswerPointer)

    async def test_is_no_longer_pointed_to_once_it_is_gone(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        ada = await let_in_to(Event, store, clock, party, account_id="ada")
        await events.answer(at(store, clock(), ada), GOING)
        await events.withdraw_answer(at(store, clock(), ada), mine(ada))
        await events.answer(at(store, clock(), ada), GOING)
        await drained(store, clock)
        assert len(await everything_of(store.engine, AnswerPointer)) == 1, "it was given anew"
        admin = await let_in_to(Event, store, clock, party, want="admin")
        await delete_page(at(store, clock(), admin))
        for _ in range(2):
            await drained(store, clock)
        assert not await everything_of(store.engine, AnswerPointer)


class TestANetwork:
    async def test_gives_few_answers_to_a_page(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        for number in range(MAX_FROM_NETWORK):
            gate = await let_in_to(Event, store, clock, party, address=f"2001:db8::{number}")
            given = await events.answer(at(store, clock(), gate), GOING)
        with pytest.raises(TooManyFromNetwork, match="Sign in"):
            await events.answer(at(store, clock(), gate), GOING)
        assert (await again(store, gate.page)).network_count == 1
        await events.withdraw_answer(at(store, clock(), gate), given.code)
        await events.answer(at(store, clock(), gate), GOING)

    async def test_gives_more_where_many_share_it(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        admin = await let_in_to(Event, store, clock, party, want="admin")
        typed = replace(typed_from(admin.page), shared_network=True)
        await save(at(store, clock(), admin), admin.page.version, typed)
        gate = await let_in_to(Event, store, clock, party, address="10.0.0.1")
        for _ in range(MAX_FROM_NETWORK + 3):
            await events.answer(at(store, clock(), gate), GOING)
        (counter,) = await everything_of(store.engine, AnswerNetwork)
        assert counter.answer_count == MAX_FROM_NETWORK + 3

    @pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    async def test_is_none_where_a_proxy_hides_everybody(
        self, store: Store, clock: Watch, party: Created, address: str
    ) -> None:
        gate = await let_in_to(Event, store, clock, party, address=address)
        for _ in range(MAX_FROM_NETWORK + 1):
            given = await events.answer(at(store, clock(), gate), GOING)
        assert given.network is None

    async def test_does_not_count_who_is_signed_in(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        for number in range(MAX_FROM_NETWORK + 1):
            gate = await let_in_to(
                Event, store, clock, party, account_id=f"child {number}", address="10.0.0.1"
            )
            await events.answer(at(store, clock(), gate), GOING)
        assert not await everything_of(store.engine, AnswerNetwork)

    async def test_is_called_otherwise_on_every_page_and_no_address_is_stored(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        other = await made(store, clock, BIRTHDAY)
        called = []
        for page in (party, other):
            gate = await let_in_to(Event, store, clock, page, address="203.0.113.7")
            called.append((await events.answer(at(store, clock(), gate), GOING)).network)
        assert len(set(called)) == 2
        assert "203.0.113.7" not in str([one.to_item() for one in await _all_answers(store)])


class TestRemoving:
    async def test_takes_an_answer_away_with_what_it_counted_for(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        gate = await let_in_to(Event, store, clock, party, address="10.0.0.1")
        await events.answer(at(store, clock(), gate), GOING)
        admin = await let_in_to(Event, store, clock, party, want="admin")
        (seen,) = (await events.guests(admin, with_origins=True)).items
        assert seen.origin is not None
        await events.remove_answer(at(store, clock(), admin), seen.origin.answer_id)
        event = await again(store, admin.page)
        assert (event.rsvp_count, event.guest_count, event.network_count) == (0, 0, 0)
        with pytest.raises(NotFound):
            await events.remove_answer(at(store, clock(), admin), seen.origin.answer_id)

    async def test_is_for_whoever_runs_the_page_also_after_the_close(
        self, store: Store, clock: Watch
    ) -> None:
        poll = await made(store, clock, SUMMER)
        gate = await let_in_to(Poll, store, clock, poll)
        vote = await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        answer_id = KEYS.answer_id(vote.short_id, vote.code)
        with pytest.raises(Forbidden):
            await polls.remove_vote(at(store, clock(), gate), answer_id)
        admin = await let_in_to(Poll, store, clock, poll, want="admin")
        await polls.close_poll(at(store, clock(), admin))
        await polls.remove_vote(at(store, clock(), admin), answer_id)
        assert (await check_count(store, poll.page.short_id)).vote_count == 0

    async def test_needs_an_id_of_this_page_that_is_no_code(
        self, store: Store, clock: Watch, party: Created
    ) -> None:
        gate = await let_in_to(Event, store, clock, party)
        given = await events.answer(at(store, clock(), gate), GOING)
        admin = await let_in_to(Event, store, clock, party, want="admin")
        elsewhere = KEYS.answer_id("zzz-zzz-99999", given.code)
        for wrong in (given.code, elsewhere, "", "no\xefd", "A" * 500):
            with pytest.raises(NotFound):
                await events.remove_answer(at(store, clock(), admin), wrong)
        assert given.code not in KEYS.answer_id(given.short_id, given.code)


async def _all_answers(store: Store) -> list[EventRsvp | AnswerNetwork]:
    return [
        *await everything_of(store.engine, EventRsvp),
        *await everything_of(store.engine, AnswerNetwork),
    ]

"""Answers at the same moment: one for each account, few from one network, none counted twice."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.errors import NotFound
from commonroom.shareables.errors import AlreadyAnswered, TooManyFromNetwork, TryAgain, WrongCode
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.answers import MAX_FROM_NETWORK
from commonroom.shareables.service.create import Created
from commonroom.shareables.tables import AnswerNetwork, Event, EventRsvp, Poll, PollVote
from commonroom.store import Store
from tests.accounts.people import Watch, again, at_once
from tests.shareables.furniture import BIRTHDAY, PASSES, SUMMER, everything_of, let_in_to, made
from tests.shareables.voting import ballot, check_count
from tests.support.context import at

GOING = TypedEventRsvp(name="Bo", response="going", guest_count=1)
MAYBE = TypedEventRsvp(name="Bo", response="maybe")
KEYS = PASSES.answer_keys


@pytest.fixture
async def party(store: Store, clock: Watch) -> Created:
    """An event that takes answers."""
    return await made(store, clock, BIRTHDAY)


async def check_counts(store: Store, page: Event) -> Event:
    """Holds an event's counters against its answers and their networks, counted from scratch."""
    event = await again(store, page)
    answers = await everything_of(store.engine, EventRsvp)
    networks = await everything_of(store.engine, AnswerNetwork)
    assert event.rsvp_count == len(answers)
    assert event.going_count == sum(one.response == "going" for one in answers)
    assert event.network_count == len(networks) == len({one.network for one in answers} - {None})
    for one in networks:
        assert one.answer_count == sum(answer.network == one.network for answer in answers)
    return event


async def test_an_account_that_answers_on_several_devices_at_once_has_one_answer(
    store: Store, clock: Watch, party: Created
) -> None:
    gates = [
        await let_in_to(Event, store, clock, party, account_id="ada", address=f"10.0.0.{n}")
        for n in range(8)
    ]
    given, refusals = await at_once(
        *(events.answer(at(store, clock(), gate), GOING) for gate in gates)
    )
    assert len(given) == 1
    assert {type(one) for one in refusals} <= {AlreadyAnswered, TryAgain}
    event = await check_counts(store, gates[0].page)
    assert (event.rsvp_count, event.guest_count) == (1, 1)


async def test_an_account_that_votes_twice_at_once_has_one_vote(store: Store, clock: Watch) -> None:
    gate = await let_in_to(
        Poll, store, clock, await made(store, clock, SUMMER), account_id="ada", address="10.0.0.1"
    )
    cast, refusals = await at_once(
        *(polls.vote(at(store, clock(), gate), ballot(gate.page, n)) for n in range(4))
    )
    assert (len(cast), len(refusals)) == (1, 3)
    assert (await check_count(store, gate.page.short_id)).vote_count == 1


async def test_twenty_at_once_from_one_network_are_as_few_as_one_after_the_other(
    store: Store, clock: Watch, party: Created
) -> None:
    gate = await let_in_to(Event, store, clock, party, address="2001:db8::1")
    given, refusals = await at_once(
        *(events.answer(at(store, clock(), gate), GOING) for _ in range(20))
    )
    assert {type(one) for one in refusals} <= {TooManyFromNetwork, TryAgain}
    event = await check_counts(store, gate.page)
    assert 1 <= len(given) <= event.rsvp_count <= MAX_FROM_NETWORK
    if not any(isinstance(one, TryAgain) for one in refusals):
        assert len(given) == MAX_FROM_NETWORK
    elsewhere = await let_in_to(Event, store, clock, party, address="2001:db8:0:1::1")
    await events.answer(at(store, clock(), elsewhere), GOING)


async def test_an_answer_removed_while_it_is_changed_and_withdrawn_counts_for_nothing(
    store: Store, clock: Watch, party: Created
) -> None:
    guests = [
        await let_in_to(Event, store, clock, party, address=f"10.0.{n % 2}.1") for n in range(6)
    ]
    given = [await events.answer(at(store, clock(), gate), GOING) for gate in guests]
    admin = await let_in_to(Event, store, clock, party, want="admin")

    async def remove(one: EventRsvp) -> None:
        answer_id = KEYS.answer_id(one.short_id, one.code)
        await events.remove_answer(at(store, clock(), admin), answer_id)

    _, refusals = await at_once(
        *(remove(one) for one in given),
        *(
            events.change_answer(at(store, clock(), gate), one.code, MAYBE)
            for gate, one in zip(guests, given, strict=True)
        ),
        *(
            events.withdraw_answer(at(store, clock(), gate), one.code)
            for gate, one in zip(guests[:3], given, strict=False)
        ),
    )
    assert {type(one) for one in refusals} <= {WrongCode, NotFound, TryAgain}
    event = await check_counts(store, admin.page)
    if not any(isinstance(one, TryAgain) for one in refusals):
        assert (event.rsvp_count, event.network_count) == (0, 0)


async def test_a_vote_removed_by_two_at_once_is_taken_off_the_tally_once(
    store: Store, clock: Watch
) -> None:
    poll = await made(store, clock, SUMMER)
    for number in range(3):
        gate = await let_in_to(Poll, store, clock, poll, address=f"10.0.0.{number}")
        await polls.vote(at(store, clock(), gate), ballot(gate.page, number))
    admin = await let_in_to(Poll, store, clock, poll, want="admin")
    one = (await everything_of(store.engine, PollVote))[0]
    answer_id = KEYS.answer_id(one.short_id, one.code)
    removals = [polls.remove_vote(at(store, clock(), admin), answer_id) for _ in range(3)]
    outcomes = await asyncio.gather(*removals, return_exceptions=True)
    assert outcomes.count(None) == 1
    assert all(isinstance(one, NotFound) for one in outcomes if one is not None)
    after = await check_count(store, poll.page.short_id)
    assert (after.vote_count, after.network_count) == (2, 2)

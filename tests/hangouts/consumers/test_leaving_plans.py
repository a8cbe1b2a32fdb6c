"""Cars, seats, claims, spots and votes of whoever leaves go along, and those who rode are told."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.rules.polls import TypedHangoutPollOption
from commonroom.hangouts.service.ballots import vote
from commonroom.hangouts.service.bring_list import TypedBringItem, add_item, claim
from commonroom.hangouts.service.carpool import TypedCar, offer_car, take_seat
from commonroom.hangouts.service.members import leave_group, remove_member
from commonroom.hangouts.service.offers import claim_spots, make_offer
from commonroom.hangouts.service.polls import TypedHangoutPoll, create_poll
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.tables import (
    Ballot,
    BringClaim,
    BringItem,
    Car,
    FriendGroup,
    Hangout,
    HangoutPoll,
    Offer,
    Ride,
    Rsvp,
    Spot,
    TalkMessage,
)
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    PUB,
    check_hangouts,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
    tidied,
)

OF_PEOPLE: tuple[Any, ...] = (Rsvp, Ballot, BringClaim, Spot, Ride, Car)


class Plan(Struct, frozen=True):
    """A hangout to which Ben drives, brings, claims and votes, and Cleo rides with him."""

    group: FriendGroup
    hangout: Hangout
    cleo: User
    bread: BringItem
    offer: Offer
    poll: HangoutPoll


async def plan_of(store: Store, clock: Watch, ada: User, ben: User) -> Plan:
    """All of it."""
    cleo = await somebody(store, clock, "Cleo")
    group = await group_of(store, clock, ada, ben, cleo)
    made = await hangout_of(
        store, clock, ada, group, is_on=True, time=starts_in(clock, 3 * DAY), place=PUB
    )
    adas, bens, cleos = (Context(store, one, clock()) for one in (ada, ben, cleo))
    at = made.hangout_id
    for one in (bens, cleos):
        await answer(one, one.person, at, TypedRsvp(status="GOING"))
    car = await offer_car(bens, at, TypedCar(seats=4))
    await take_seat(cleos, cleo, car.ref)
    bread = await add_item(adas, at, TypedBringItem(name="Bread", needed=3))
    await claim(bens, ben, bread.ref, 2)
    offer = await make_offer(adas, at, TypedOffer(title="A room", capacity=4))
    await claim_spots(bens, ben, offer.ref, 2)
    options = [TypedHangoutPollOption(label="Jazz"), TypedHangoutPollOption(label="Rock")]
    poll = await create_poll(
        adas, at, TypedHangoutPoll(subject="OTHER", title="Music", options=options)
    )
    await vote(bens, ben, poll.ref, {next(iter(poll.options)).option_id: "YES"})
    await say(bens, ben, at, "See you")
    return Plan(group, made, cleo, bread, offer, poll)


async def check_gone(store: Store, plan: Plan, ben: User) -> None:
    """Ben has nothing on the hangout any more, and all numbers say so."""
    for kind in OF_PEOPLE:
        assert ben.user_id not in {one.user_id for one in await everything_of(store.engine, kind)}
    (ride,) = await everything_of(store.engine, Ride)
    assert (ride.user_id, ride.car_id) == (plan.cleo.user_id, None), "she needs another ride"
    assert (await now_of(store, plan.bread)).claimed == 0
    assert (await now_of(store, plan.offer)).spots_taken == 0
    kept = [one async for one in store.all(kept_for_person(user_id=plan.cleo.user_id))]
    told = [one for one in kept if isinstance(one, Notification) and "seat" in one.kind]
    assert len(told) == 1, "she is told, once"
    await check_hangouts(store.engine)


async def test_leaving_a_group_frees_the_riders_and_tells_them(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    plan = await plan_of(store, clock, ada, ben)
    await tidied(store, clock)
    await leave_group(Context(store, ben, clock()), plan.group.group_id)
    await tidied(store, clock)
    await check_gone(store, plan, ben)
    (message,) = await everything_of(store.engine, TalkMessage)
    assert message.user_name == "Ben", "what was said stays"


async def test_being_removed_does_the_same(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    plan = await plan_of(store, clock, ada, ben)
    await tidied(store, clock)
    await remove_member(Context(store, ada, clock()), plan.group.group_id, ben.user_id)
    await tidied(store, clock)
    await check_gone(store, plan, ben)


async def test_deleting_an_account_takes_what_was_said_along_too(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    plan = await plan_of(store, clock, ada, ben)
    await tidied(store, clock)
    await delete_account(store, await now_of(store, ben), typed=CONFIRMATION)
    await tidied(store, clock)
    await check_gone(store, plan, ben)
    assert await everything_of(store.engine, TalkMessage) == []
    assert (await now_of(store, plan.hangout)).message_count == 0

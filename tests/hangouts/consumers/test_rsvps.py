"""Whoever does not come, or may no longer, leaves no seat, spot or car behind."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import carpool, offers, tickets
from commonroom.hangouts.service.departures import leave_hangout
from commonroom.hangouts.service.edits import invite, uninvite
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, withdraw
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.tables import (
    Car,
    Group,
    Hangout,
    Message,
    Offer,
    Ride,
    RsvpStatus,
    Spot,
    Ticket,
)
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.hangouts.friends import check_hangouts, everything_of, hangout_of, tidied
from tests.hangouts.ride_checks import check_rides


class Busy:
    """A hangout on which Ben has one of everything: a car with Ada in it, an offer, a ticket."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.id = store, clock, hangout.hangout_id

    def ctx(self, who: User) -> Context:
        """What somebody does now."""
        return Context(self.store, who, self.clock())

    async def begin(self, ada: User, ben: User) -> None:
        """Lets them have all of it."""
        mine, theirs = self.ctx(ben), self.ctx(ada)
        await answer(mine, ben, self.id, TypedRsvp(status="GOING"))
        car = await carpool.offer_car(mine, self.id, carpool.TypedCar(seats=4))
        await carpool.take_seat(theirs, ada, self.id, car.car_id)
        for ctx in (mine, theirs):
            offer = await offers.make_offer(ctx, self.id, TypedOffer(title="Room", capacity=4))
            await offers.claim_spots(mine, ben, self.id, offer.offer_id, 2)
        bought = tickets.TypedTicket(status="HAS", number=2)
        await tickets.set_ticket(mine, ben, self.id, bought)
        await say(mine, ben, self.id, "I am in")

    async def left(self, *kinds: type[Any]) -> dict[str, list[str]]:
        """Whose things are left, of some kinds; all counts are right."""
        await tidied(self.store, self.clock)
        await check_rides(self.store.engine)
        await check_hangouts(self.store.engine)
        return {
            kind.__name__: [one.user_name for one in await everything_of(self.store.engine, kind)]
            for kind in kinds
        }


@pytest.fixture
async def busy(store: Store, clock: Watch, ada: User, ben: User, friends: Group) -> Busy:
    """A hangout of Ada's on which Ben has much."""
    here = Busy(store, clock, await hangout_of(store, clock, ada, friends))
    await here.begin(ada, ben)
    return here


KINDS = (Car, Ride, Spot, Offer, Ticket, Message)


async def test_who_says_that_they_cannot_go_gives_seats_and_spots_back(
    busy: Busy, ben: User
) -> None:
    await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status="NOT_GOING"))
    left = await busy.left(*KINDS)
    assert left | {"Offer": sorted(left["Offer"])} == {
        "Car": [],
        "Ride": ["Ada"],
        "Spot": [],
        "Offer": ["Ada", "Ben"],
        "Ticket": ["Ben"],
        "Message": ["Ben"],
    }
    (ticket,) = await everything_of(busy.store.engine, Ticket)
    assert ticket.spare == ticket.number == 2


async def test_who_withdraws_their_answer_gives_seats_and_spots_back(busy: Busy, ben: User) -> None:
    await withdraw(busy.ctx(ben), ben, busy.id)
    assert await busy.left(Car, Ride, Spot) == {"Car": [], "Ride": ["Ada"], "Spot": []}


async def test_who_changes_their_mind_again_keeps_everything(busy: Busy, ben: User) -> None:
    statuses: tuple[RsvpStatus, ...] = ("NOT_GOING", "INTERESTED")
    for status in statuses:
        await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status=status))
    left = await busy.left(Car, Spot)
    assert (left["Car"], left["Spot"]) == (["Ben"], ["Ben", "Ben"])


async def test_who_leaves_takes_everything_back_but_what_they_said(
    busy: Busy, store: Store, clock: Watch, ben: User
) -> None:
    for _ in range(2):
        await leave_hangout(store, clock(), busy.id, ben.user_id)
    assert await busy.left(*KINDS) == {
        "Car": [],
        "Ride": ["Ada"],
        "Spot": [],
        "Offer": ["Ada"],
        "Ticket": [],
        "Message": ["Ben"],
    }


async def test_who_is_no_longer_invited_leaves_nothing_even_without_an_answer(
    busy: Busy, ada: User, eve: User
) -> None:
    await invite(busy.ctx(ada), busy.id, eve.email or "")
    await carpool.need_ride(busy.ctx(eve), eve, busy.id)
    await offers.make_offer(busy.ctx(eve), busy.id, TypedOffer(title="Flat"))
    assert "Eve" in (await busy.left(Ride))["Ride"]
    await uninvite(busy.ctx(ada), busy.id, eve.user_id)
    left = await busy.left(Ride, Offer)
    assert "Eve" not in left["Ride"] + left["Offer"]


async def test_nothing_is_given_back_of_a_hangout_that_is_gone(busy: Busy, ben: User) -> None:
    for deed in (carpool.free_seats_of, offers.free_spots_of, offers.remove_offers_of):
        await deed(busy.store, "nowhere", ben.user_id)
    await leave_hangout(busy.store, busy.clock(), "nowhere", ben.user_id)

"""Whoever does not come, or may no longer, leaves no seat, spot or car behind."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import carpool, offers, tickets
from commonroom.hangouts.service.bring_list import TypedBringItem, add_item, claim
from commonroom.hangouts.service.departures import decline, leave_hangout
from commonroom.hangouts.service.edits import invite, uninvite
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, withdraw
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.tables import (
    BringClaim,
    Car,
    FriendGroup,
    Hangout,
    Offer,
    Ride,
    RsvpStatus,
    Spot,
    TalkMessage,
    Ticket,
)
from commonroom.store import Store
from tests.accounts.people import Meanwhile, Watch
from tests.hangouts.friends import HOUR, check_hangouts, everything_of, hangout_of, tidied
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
        await carpool.take_seat(theirs, ada, car.ref)
        for ctx in (mine, theirs):
            offer = await offers.make_offer(ctx, self.id, TypedOffer(title="Room", capacity=4))
            await offers.claim_spots(mine, ben, offer.ref, 2)
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
async def busy(store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup) -> Busy:
    """A hangout of Ada's on which Ben has much."""
    here = Busy(store, clock, await hangout_of(store, clock, ada, friends))
    await here.begin(ada, ben)
    return here


KINDS = (Car, Ride, Spot, Offer, Ticket, TalkMessage)


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
        "TalkMessage": ["Ben"],
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
        "TalkMessage": ["Ben"],
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


class Latecomer:
    """What Ben does a moment after his answer, before anybody has followed that."""

    def __init__(self, busy: Busy, ben: User) -> None:
        self.busy, self.ben = busy, ben

    async def claim(self) -> type[Any]:
        ctx = self.busy.ctx(self.ben)
        item = await add_item(ctx, self.busy.id, TypedBringItem(name="Bread"))
        await claim(ctx, self.ben, item.ref, 1)
        return BringClaim

    async def change_car(self) -> type[Any]:
        (car,) = await everything_of(self.busy.store.engine, Car)
        typed = carpool.TypedCar(seats=5)
        await carpool.change_car(self.busy.ctx(self.ben), car.ref, typed)
        return Car

    async def need_ride(self) -> type[Any]:
        await carpool.need_ride(self.busy.ctx(self.ben), self.ben, self.busy.id)
        return Ride

    async def spot(self) -> type[Any]:
        ctx = self.busy.ctx(self.ben)
        offer = (await everything_of(self.busy.store.engine, Offer))[0]
        await offers.claim_spots(ctx, self.ben, offer.ref, 2)
        return Spot

    async def ticket(self) -> type[Any]:
        needs = tickets.TypedTicket(status="NEEDS", number=1)
        await tickets.set_ticket(self.busy.ctx(self.ben), self.ben, self.busy.id, needs)
        return Ticket


LATER_DEEDS = ("claim", "change_car", "spot", "ticket")


@pytest.mark.parametrize("declines_first", [False, True])
@pytest.mark.parametrize("deed", LATER_DEEDS)
async def test_what_is_taken_after_an_answer_was_taken_back_stays(
    busy: Busy, ben: User, deed: str, *, declines_first: bool
) -> None:
    if declines_first:
        await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status="NOT_GOING"))
    await withdraw(busy.ctx(ben), ben, busy.id)
    kind = await getattr(Latecomer(busy, ben), deed)()
    assert (await busy.left(kind))[kind.__name__] == ["Ben"]


async def test_a_claim_of_as_many_as_before_is_a_new_claim(busy: Busy, ben: User) -> None:
    ctx = busy.ctx(ben)
    item = await add_item(ctx, busy.id, TypedBringItem(name="Bread"))
    await claim(ctx, ben, item.ref, 1)
    await withdraw(ctx, ben, busy.id)
    await claim(ctx, ben, item.ref, 1)
    assert (await busy.left(BringClaim))["BringClaim"] == ["Ben"]


async def test_what_was_taken_before_an_answer_was_taken_back_goes_and_the_rest_stays(
    busy: Busy, ben: User
) -> None:
    await withdraw(busy.ctx(ben), ben, busy.id)
    await Latecomer(busy, ben).claim()
    left = await busy.left(BringClaim, Car, Spot)
    assert left == {"BringClaim": ["Ben"], "Car": [], "Spot": []}


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("deed", ["claim", "need_ride", "spot", "ticket"])
async def test_what_was_taken_before_there_was_an_answer_goes_when_that_is_taken_back(
    busy: Busy, ben: User, clock: Watch, deed: str, *, again: bool
) -> None:
    """Taken without an answer, as what comes after it: only the moment tells them apart."""
    await withdraw(busy.ctx(ben), ben, busy.id)
    assert "Ben" not in (await busy.left(Ride))["Ride"]
    do = getattr(Latecomer(busy, ben), deed)
    kind = await do()
    clock.forward(1)
    await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status="GOING"))
    clock.forward(1)
    await withdraw(busy.ctx(ben), ben, busy.id)
    if again:
        kind = await do()
    left = (await busy.left(kind))[kind.__name__]
    assert left.count("Ben") == int(again)


async def test_as_many_as_before_there_was_an_answer_stay_once_claimed_again(
    busy: Busy, ben: User, clock: Watch
) -> None:
    await withdraw(busy.ctx(ben), ben, busy.id)
    item = await add_item(busy.ctx(ben), busy.id, TypedBringItem(name="Bread"))
    await claim(busy.ctx(ben), ben, item.ref, 1)
    clock.forward(1)
    await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status="GOING"))
    clock.forward(1)
    await withdraw(busy.ctx(ben), ben, busy.id)
    await claim(busy.ctx(ben), ben, item.ref, 1)
    assert (await busy.left(BringClaim))["BringClaim"] == ["Ben"]


async def test_what_is_taken_after_a_clock_was_set_back_stays(
    busy: Busy, ben: User, clock: Watch
) -> None:
    await withdraw(busy.ctx(ben), ben, busy.id)
    clock.forward(4 * HOUR)
    await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status="GOING"))
    clock.forward(-4 * HOUR)
    await withdraw(busy.ctx(ben), ben, busy.id)
    await Latecomer(busy, ben).claim()
    assert (await busy.left(BringClaim))["BringClaim"] == ["Ben"]


async def test_tickets_of_somebody_who_declines_once_more_can_be_given_away(
    busy: Busy, ben: User, clock: Watch
) -> None:
    has_three = tickets.TypedTicket(status="HAS", number=3)
    await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status="NOT_GOING"))
    await tickets.set_ticket(busy.ctx(ben), ben, busy.id, has_three)
    statuses: tuple[RsvpStatus, ...] = ("GOING", "NOT_GOING")
    for status in statuses:
        clock.forward(1)
        await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status=status))
    await tidied(busy.store, busy.clock)
    (ticket,) = await everything_of(busy.store.engine, Ticket)
    assert (ticket.number, ticket.spare) == (3, 3)


async def test_tickets_of_somebody_who_said_before_that_they_cannot_go_are_as_they_say(
    busy: Busy, ben: User
) -> None:
    ctx = busy.ctx(ben)
    await answer(ctx, ben, busy.id, TypedRsvp(status="NOT_GOING"))
    await tickets.set_ticket(ctx, ben, busy.id, tickets.TypedTicket(status="HAS", number=3))
    await tidied(busy.store, busy.clock)
    (ticket,) = await everything_of(busy.store.engine, Ticket)
    assert (ticket.number, ticket.spare) == (3, 0)


@pytest.mark.parametrize("status", [None, "GOING"])
@pytest.mark.parametrize("deed", LATER_DEEDS)
async def test_what_is_taken_while_an_earlier_answer_is_followed_stays(
    busy: Busy, ben: User, deed: str, status: RsvpStatus | None
) -> None:
    """Right before each removal is written, somebody answers anew and takes things again."""
    late: list[type[Any]] = []

    async def come_back() -> None:
        if status is not None:
            await answer(busy.ctx(ben), ben, busy.id, TypedRsvp(status=status))
        late.append(await getattr(Latecomer(busy, ben), deed)())

    await withdraw(busy.ctx(ben), ben, busy.id)
    removed: type[Any] = {"claim": Spot, "change_car": Ride, "spot": Spot, "ticket": Ticket}[deed]
    await decline(Meanwhile(busy.store, come_back, before_writing=removed), busy.id, ben.user_id)
    (kind,) = late
    assert "Ben" in (await busy.left(kind))[kind.__name__]

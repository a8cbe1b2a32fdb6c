"""Whatever a crowd does with cars and offers at once, on a hostile engine: all counts are right."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Refusal
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import carpool, offers, talk, tickets
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.departures import decline, leave_hangout
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import Car, Hangout, Offer
from commonroom.store import Ref, Store
from commonroom.store.errors import Unavailable
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    check_hangouts,
    everything_of,
    group_of,
    hangout_of,
    somebody,
    tidied,
)
from tests.hangouts.races.living import live_through
from tests.hangouts.ride_checks import check_rides
from tests.support.budget import examples

PEOPLE = 5


class Act(Struct, frozen=True):
    """Something that somebody does, one way or another."""

    what: str
    who: int
    how: int


CARS = st.sampled_from(["drive", "enter", "enter", "need", "leave", "take", "remove", "scrap"])
OTHERS = st.sampled_from(["offer", "claim", "claim", "give", "settle", "withdraw", "talk"])
PEOPLE_ACTS = st.sampled_from(["decline", "come", "go", "buy"])
ACTS = st.builds(Act, CARS | OTHERS | PEOPLE_ACTS, st.integers(0, PEOPLE - 1), st.integers(0, 63))
MOMENTS = st.lists(st.lists(ACTS, min_size=1, max_size=6), min_size=1, max_size=8)


class Crowd:
    """People who do things with the cars and offers of one hangout, all at once."""

    def __init__(self, calm: Store, clock: Watch) -> None:
        self.calm, self.store, self.clock = calm, calm, clock
        self.people: list[User]
        self.made: Hangout

    async def begin(self) -> None:
        """Some people, and a hangout of theirs."""
        self.people = [await somebody(self.calm, self.clock, f"P{one}") for one in range(PEOPLE)]
        group = await group_of(self.calm, self.clock, *self.people)
        self.made = await hangout_of(self.calm, self.clock, self.people[0], group)

    async def live(self, moment: list[Act]) -> None:
        """Lets everything happen that happens in a moment, and looks at what is stored."""
        self.clock.forward(30)
        cars = await everything_of(self.calm.engine, Car)
        found = await everything_of(self.calm.engine, Offer)
        await asyncio.gather(*(self._do(one, cars, found) for one in moment))
        await check_rides(self.calm.engine)
        await check_hangouts(self.calm.engine)

    async def _do(self, act: Act, cars: list[Car], found: list[Offer]) -> None:
        none = {"hangout_id": self.made.hangout_id}
        car = cars[act.how % len(cars)].ref if cars else Car.at(car_id="none", **none)
        offer = found[act.how % len(found)].ref if found else Offer.at(offer_id="none", **none)
        # Refused, or nobody knows: what is stored is right either way.
        with suppress(Refusal, Unavailable):
            await self._ride(act, car)
            await self._plan(act, offer)

    async def _ride(self, act: Act, car: Ref[Car]) -> None:
        who, other = self.people[act.who], self.people[act.how % PEOPLE]
        ctx, made, more = Context(self.store, who, self.clock()), self.made.hangout_id, act.how % 3
        match act.what:
            case "drive":
                await carpool.offer_car(ctx, made, TypedCar(seats=2 + act.how % 7))
            case "enter":
                await carpool.take_seat(ctx, who, car, plus_guests=more)
            case "need":
                await carpool.need_ride(ctx, who, made, plus_guests=more)
            case "leave":
                await carpool.leave_ride(ctx, who, made)
            case "take":
                await carpool.take_along(ctx, car, other.user_id)
            case "remove":
                await carpool.remove_rider(ctx, car, other.user_id)
            case "scrap":
                await carpool.delete_car(ctx, car)
            case "decline":
                await answer(ctx, who, made, TypedRsvp(status="NOT_GOING"))
                await decline(self.store, made, who.user_id)
            case "come":
                await answer(ctx, who, made, TypedRsvp(status="GOING"))
            case "go":
                await leave_hangout(self.store, self.clock(), made, who.user_id)

    async def _plan(self, act: Act, offer: Ref[Offer]) -> None:
        who = self.people[act.who]
        ctx, made = Context(self.store, who, self.clock()), self.made.hangout_id
        match act.what:
            case "offer":
                typed = TypedOffer(title="Room", capacity=act.how % 6 or None)
                await offers.make_offer(ctx, made, typed)
            case "claim":
                await offers.claim_spots(ctx, who, offer, 1 + act.how % 3)
            case "give":
                await offers.give_spots_back(ctx, who, offer)
            case "settle":
                await offers.settle_offer(ctx, offer)
            case "withdraw":
                await offers.delete_offer(ctx, offer)
            case "talk":
                await talk.say(ctx, who, made, "Hello")
            case "buy":
                await tickets.set_ticket(ctx, who, made, tickets.TypedTicket(status="HAS"))


@settings(max_examples=examples(40), deadline=None)
@given(MOMENTS, st.integers(0, 2**32))
def test_what_is_stored_is_always_right(moments: list[list[Act]], seed: int) -> None:
    live_through(moments, seed, Crowd)


async def test_a_crowd_on_either_engine(store: Store, clock: Watch) -> None:
    crowd = Crowd(store, clock)
    await crowd.begin()
    first = [Act("drive", 0, 2), Act("drive", 1, 1), Act("offer", 2, 4), Act("need", 3, 0)]
    whats = ["enter", "claim", "take", "decline", "talk", "scrap", "buy", "give", "come", "go"]
    await crowd.live(first)
    for number in range(3):
        acts = [
            Act(what, (place + number) % PEOPLE, 7 * place + number)
            for place, what in enumerate(whats)
        ]
        await crowd.live(acts)
    await tidied(store, clock)
    await check_rides(store.engine)

"""Where people only did what they may, nothing is found."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable

import pytest

from commonroom.accounts.demo import add_people
from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError
from commonroom.hangouts import demo
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import bring_list, carpool, edits, hangouts, members, offers
from commonroom.hangouts.service.ballots import vote
from commonroom.hangouts.service.bring_list import TypedBringItem
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.guests import TypedGuestRsvp, rsvp_for
from commonroom.hangouts.service.poll_closing import close_poll
from commonroom.hangouts.service.polls import delete_poll
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, withdraw
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.service.tickets import TypedTicket, set_ticket
from commonroom.hangouts.tables import Hangout, Vote
from commonroom.store import Store, delete
from tests.accounts.people import Watch
from tests.hangouts.checks.example import House, drift
from tests.hangouts.friends import tidied
from tests.support.fixtures import either

store = either

DEEDS = 60


async def test_the_demonstration_is_sound(store: Store, clock: Watch) -> None:
    clock.now = now = time.time()
    await demo.seed_demo(store, now, await add_people(store, now))
    await tidied(store, clock)
    assert await drift(store) == []


class Walk:
    """People who do one thing after the other, whether it makes sense or not."""

    def __init__(self, house: House, seed: int) -> None:
        self.house, self.dice = house, random.Random(seed)
        self.at = house.pub.hangout_id
        self.who = house.ada

    async def step(self) -> None:
        """Somebody does something; much of it is refused."""
        house = self.house
        self.who = self.dice.choice([house.ada, house.ben, house.cleo, house.eve])
        house.clock.forward(60)
        deeds: list[Callable[[], Awaitable[object]]] = [
            self.answer, self.answer, self.take_back, self.vote, self.bring, self.drive,
            self.ride, self.claim, self.offer, self.ticket, self.talk, self.edit, self.guest,
            self.close, self.leave, self.uninvite,
        ]  # fmt: skip
        try:
            await self.dice.choice(deeds)()
        except CommonroomError:
            return

    async def answer(self) -> None:
        along = [self.house.kim.user_id] if self.who == self.house.ada else []
        typed = TypedRsvp(
            status=self.dice.choice(["GOING", "GOING", "INTERESTED", "NOT_GOING"]),
            plus_guests=self.dice.randrange(3),
            companion_ids=self.dice.choice([along, []]),
        )
        await answer(self.house.ctx(self.who), self.who, self.at, typed)

    async def take_back(self) -> None:
        await withdraw(self.house.ctx(self.who), self.who, self.at)

    async def guest(self) -> None:
        given = TypedGuestRsvp(name="Gil", status="GOING", plus_guests=self.dice.randrange(2))
        await rsvp_for(self.house.ctx(self.who), self.at, given)

    async def vote(self) -> None:
        poll = self.dice.choice([self.house.days, self.house.games])
        option = self.dice.choice(poll.options).option_id
        said: dict[str, Vote] = {option: self.dice.choice(["YES", "NO", "MAYBE"])}
        await vote(self.house.ctx(self.who), self.who, poll.ref, said, whole=False)

    async def close(self) -> None:
        poll = self.house.games.ref
        if self.dice.random() < 0.3:
            await delete_poll(self.house.ctx(self.who), poll)
        else:
            await close_poll(self.house.ctx(self.who), poll, undecided=True)

    async def bring(self) -> None:
        ctx = self.house.ctx(self.who)
        if self.dice.random() < 0.2:
            await bring_list.add_item(ctx, self.at, TypedBringItem(name="Soup", needed=2))
        number = self.dice.randrange(1, 4)
        await bring_list.claim(ctx, self.who, self.house.bread.ref, number)

    async def drive(self) -> None:
        ctx = self.house.ctx(self.who)
        if self.dice.random() < 0.3:
            await carpool.delete_car(ctx, self.house.car.ref)
        await carpool.offer_car(ctx, self.at, TypedCar(seats=self.dice.randrange(2, 5)))

    async def ride(self) -> None:
        ctx, car = self.house.ctx(self.who), self.house.car.ref
        if self.dice.random() < 0.5:
            await carpool.need_ride(ctx, self.who, self.at)
        else:
            await carpool.take_seat(ctx, self.who, car, plus_guests=1)

    async def claim(self) -> None:
        offer, number = self.house.offer.ref, self.dice.randrange(1, 4)
        await offers.claim_spots(self.house.ctx(self.who), self.who, offer, number)

    async def offer(self) -> None:
        ctx = self.house.ctx(self.who)
        if self.dice.random() < 0.2:
            await offers.delete_offer(ctx, self.house.offer.ref)
        else:
            await offers.make_offer(ctx, self.at, TypedOffer(title="Drinks", capacity=3))

    async def ticket(self) -> None:
        typed = TypedTicket(status=self.dice.choice(["NEEDS", "HAS"]), number=2)
        await set_ticket(self.house.ctx(self.who), self.who, self.at, typed)

    async def talk(self) -> None:
        await say(self.house.ctx(self.who), self.who, self.at, "Hm.")

    async def edit(self) -> None:
        now = await self.house.store.get(Hangout.at(hangout_id=self.at))
        version = 0 if now is None else now.version
        given = {"place_limit": self.dice.choice([2, 4, 7, None])}
        await edits.change_hangout(self.house.ctx(self.who), self.at, given, version=version)

    async def leave(self) -> None:
        if self.who != self.house.ada and self.dice.random() < 0.2:
            await members.leave_group(self.house.ctx(self.who), self.house.group.group_id)

    async def uninvite(self) -> None:
        if self.dice.random() < 0.2:
            eve = self.house.eve.user_id
            await edits.uninvite(self.house.ctx(self.house.ada), self.at, eve)


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_people_do_is_sound(store: Store, clock: Watch, seed: int) -> None:
    house = await House.furnished(store, clock)
    walk = Walk(house, seed)
    for _ in range(DEEDS):
        await walk.step()
    await tidied(store, clock)
    assert await drift(store) == []
    await house.is_sound()


async def leaves(house: House, who: User) -> None:
    """Deletes somebody's account, which is all that happens before others follow."""
    await house.store.write(delete(who))


async def test_whoever_leaves_leaves_nothing_behind(store: Store, clock: Watch) -> None:
    house = await House.furnished(store, clock)
    await leaves(house, house.ben)
    await tidied(store, clock)
    assert await drift(store) == []
    await hangouts.delete_hangout(house.ctx(house.ada), house.pub.hangout_id)
    await tidied(store, clock)
    assert await drift(store) == []

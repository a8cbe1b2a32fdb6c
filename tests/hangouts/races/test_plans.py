"""The last seat and the last spot with fifty at once; a driver who goes while riders come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.hangouts.rules.carpool import SeatsTaken
from commonroom.hangouts.rules.offers import SpotsTaken, TypedOffer
from commonroom.hangouts.service import carpool, offers, talk, tickets
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import Car, Hangout, Offer, Ride
from commonroom.store import Store
from tests.accounts.people import Meanwhile, Watch, at_once
from tests.hangouts.friends import (
    check_hangouts,
    crowd_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    tidied,
)
from tests.hangouts.ride_checks import check_rides

PEOPLE = 50


class Crowd:
    """A hangout, whoever made it, and many others."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout, people: list[User]) -> None:
        self.store, self.clock, self.hangout, self.people = store, clock, hangout, people
        self.id = hangout.hangout_id

    def ctx(self, who: User) -> Context:
        """What somebody does now."""
        return Context(self.store, who, self.clock())

    async def car(self, who: User, seats: int) -> Car:
        """A car of somebody's."""
        return await carpool.offer_car(self.ctx(who), self.id, carpool.TypedCar(seats=seats))

    async def enter(self, car: Car, who: User, plus_guests: int = 0) -> None:
        """Takes a seat."""
        await carpool.take_seat(self.ctx(who), who, car.ref, plus_guests=plus_guests)

    async def claim(self, offer: Offer, who: User, number: int = 1) -> None:
        """Claims spots."""
        await offers.claim_spots(self.ctx(who), who, offer.ref, number)

    async def in_cars(self) -> int:
        """How many rides have a car, all counts being right."""
        await check_rides(self.store.engine)
        rides = await everything_of(self.store.engine, Ride)
        return sum(one.car_id is not None for one in rides)


async def crowd(store: Store, clock: Watch, number: int = PEOPLE) -> Crowd:
    """So many people of Ada's group, herself first."""
    ada = await somebody(store, clock, "Ada")
    group = await group_of(store, clock, ada)
    people = await crowd_of(store, clock, group, number)
    made = await hangout_of(store, clock, ada, group)
    return Crowd(store, clock, made, [ada, *people])


async def test_the_last_seat_goes_to_one_of_fifty(store: Store, clock: Watch) -> None:
    here = await crowd(store, clock)
    ada, *others = here.people
    car = await here.car(ada, 2)
    came, refused = await at_once(*(here.enter(car, one) for one in others))
    assert len(came) == 1
    assert {type(one) for one in refused} == {SeatsTaken}
    assert await here.in_cars() == 2


async def test_the_last_spot_goes_to_one_of_fifty(store: Store, clock: Watch) -> None:
    here = await crowd(store, clock)
    ada, *others = here.people
    room = TypedOffer(title="A room for 8", capacity=8)
    offer = await offers.make_offer(here.ctx(ada), here.id, room)
    await here.claim(offer, ada, 7)
    came, refused = await at_once(*(here.claim(offer, one) for one in others))
    assert len(came) == 1
    assert {type(one) for one in refused} == {SpotsTaken}
    await check_rides(store.engine)


async def test_seats_are_taken_resized_and_left_at_once_without_one_too_many(
    store: Store, clock: Watch
) -> None:
    here = await crowd(store, clock, 20)
    first, second, *others = here.people
    cars = [await here.car(first, 8), await here.car(second, 8)]
    for number, one in enumerate(others[:6]):
        await here.enter(cars[number % 2], one)
    await at_once(
        # Some change cars, some bring more, some leave, others come.
        *(here.enter(cars[1 - number % 2], one, 1) for number, one in enumerate(others[:3])),
        *(here.enter(cars[number % 2], one, 2) for number, one in enumerate(others[3:6], 3)),
        *(carpool.leave_ride(here.ctx(one), one, here.id) for one in others[4:6]),
        *(here.enter(cars[number % 2], one, number % 3) for number, one in enumerate(others[6:])),
    )
    await here.in_cars()


async def test_a_car_that_goes_while_riders_join_leaves_nobody_in_it(
    store: Store, clock: Watch
) -> None:
    here = await crowd(store, clock, 12)
    ada, *others = here.people
    car = await here.car(ada, 8)
    for one in others[:3]:
        await here.enter(car, one)
    came, refused = await at_once(
        *(here.enter(car, one) for one in others[3:7]),
        carpool.delete_car(here.ctx(ada), car.ref),
        *(here.enter(car, one) for one in others[7:]),
    )
    assert {type(one) for one in refused} <= {NotFound, SeatsTaken}
    assert await here.in_cars() == 0
    left = await everything_of(store.engine, Ride)
    # Who was in it, or got in before it went, needs a ride now; who came too late was told so.
    assert len(left) == 3 + len(came) - 1


async def test_a_driver_who_declines_while_riders_join_frees_all_of_them(
    store: Store, clock: Watch
) -> None:
    here = await crowd(store, clock, 6)
    ada, *others = here.people
    car = await here.car(ada, 8)
    declined = TypedRsvp(status="NOT_GOING")
    await at_once(
        *(here.enter(car, one) for one in others[:3]),
        answer(here.ctx(ada), ada, here.id, declined),
        *(here.enter(car, one) for one in others[3:]),
    )
    await tidied(store, clock)
    assert await here.in_cars() == 0
    await check_hangouts(store.engine)


async def test_one_who_is_taken_along_by_two_drivers_at_once_rides_with_one(
    store: Store, clock: Watch
) -> None:
    here = await crowd(store, clock, 3)
    ada, ben, cid, _ = here.people
    cars = [(ada, await here.car(ada, 3)), (ben, await here.car(ben, 3))]
    await carpool.need_ride(here.ctx(cid), cid, here.id)
    took, refused = await at_once(
        *(carpool.take_along(here.ctx(who), car.ref, cid.user_id) for who, car in cars)
    )
    assert (len(took), [type(one) for one in refused]) == (1, [NotFound])
    assert await here.in_cars() == 3


async def test_tickets_bought_while_people_answer_make_a_hangout_on_for_good(
    store: Store, clock: Watch
) -> None:
    here = await crowd(store, clock, 12)
    bought = tickets.TypedTicket(status="HAS")
    going = TypedRsvp(status="INTERESTED")
    _, refused = await at_once(
        *(answer(here.ctx(one), one, here.id, going) for one in here.people[1:7]),
        tickets.set_ticket(here.ctx(here.people[0]), here.people[0], here.id, bought),
        *(answer(here.ctx(one), one, here.id, going) for one in here.people[7:]),
    )
    assert refused == []
    assert (await now_of(store, here.hangout)).momentum == "CONFIRMED"
    await check_hangouts(store.engine)


async def test_an_answer_that_was_read_before_a_ticket_was_bought_does_not_undo_that(
    embedded: Store, clock: Watch
) -> None:
    here = await crowd(embedded, clock, 3)
    ada, ben, *_ = here.people
    bought = tickets.TypedTicket(status="HAS")
    happens = partial(tickets.set_ticket, here.ctx(ada), ada, here.id, bought)
    here.store = Meanwhile(embedded, happens, before_writing=Hangout)
    await answer(here.ctx(ben), ben, here.id, TypedRsvp(status="GOING"))
    assert (await now_of(embedded, here.hangout)).momentum == "CONFIRMED"
    await check_hangouts(embedded.engine)


@pytest.mark.parametrize("deed", ["enter", "decline", "leave", "remove", "shrink"])
async def test_whatever_happens_before_a_car_goes_nobody_stays_in_it(
    embedded: Store, clock: Watch, deed: str
) -> None:
    here = await crowd(embedded, clock, 3)
    ada, ben, cid, _ = here.people
    car = await here.car(ada, 4)
    await here.enter(car, ben)
    deeds: dict[str, Callable[[], Awaitable[object]]] = {
        "enter": partial(here.enter, car, cid),
        "decline": partial(carpool.free_seats_of, embedded, here.id, ada.user_id),
        "leave": partial(carpool.leave_ride, here.ctx(ben), ben, here.id),
        "remove": partial(carpool.remove_rider, here.ctx(ada), car.ref, ben.user_id),
        "shrink": partial(carpool.change_car, here.ctx(ada), car.ref, carpool.TypedCar(seats=2)),
    }

    async def happens() -> None:
        await at_once(deeds[deed]())

    ctx = Context(Meanwhile(embedded, happens, before_writing=Car), ada, clock())
    await at_once(carpool.delete_car(ctx, car.ref))
    assert await here.in_cars() == 0


async def test_messages_said_at_once_are_all_there_and_counted(store: Store, clock: Watch) -> None:
    here = await crowd(store, clock, 15)
    said, refused = await at_once(
        *(talk.say(here.ctx(one), one, here.id, f"I am {one.display_name}") for one in here.people)
    )
    assert (len(said), refused) == (16, [])
    await at_once(
        *(
            talk.delete_message(here.ctx(one), one, message.ref)
            for one, message in zip(here.people[:5], said[:5], strict=True)
        )
    )
    await check_rides(store.engine)
    assert (await now_of(store, here.hangout)).message_count == 11


async def test_offers_made_and_taken_back_at_once_are_all_known(store: Store, clock: Watch) -> None:
    here = await crowd(store, clock, 8)

    async def come_and_go(who: User) -> None:
        typed = TypedOffer(title="A room")
        offer = await offers.make_offer(here.ctx(who), here.id, typed)
        await here.claim(offer, here.people[0])
        if who is not here.people[1]:
            await offers.delete_offer(here.ctx(who), offer.ref)

    _, refused = await at_once(*map(come_and_go, here.people[1:]))
    assert {type(one) for one in refused} <= {Conflict}
    await tidied(store, clock)
    await check_rides(store.engine)

"""Those whom a car concerns are told, each once, and never whoever did it."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.consumers.carpool import CARPOOL
from commonroom.hangouts.notifications import KINDS, SEAT_GIVEN, SEAT_LOST, SEAT_OFFERED
from commonroom.hangouts.service import carpool
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import Car, FriendGroup, Hangout
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.store import Store, delete
from commonroom.store.streams import Worker
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, hangout_of, tidied

OFFERED = "A free seat: Beach: Someone drives there and may have room for you."
GIVEN = "You have a ride: Beach: Someone takes you along in their car."
LOST = "You need another ride: Beach: Your driver can no longer take you."
WORDS = {kind.name: kind for kind in KINDS}


class Trip:
    """A hangout that people drive to, and what they are told."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.id = store, clock, hangout.hangout_id

    def ctx(self, who: User) -> Context:
        """What somebody does now, a moment later than before."""
        self.clock.forward(1)
        return Context(self.store, who, self.clock())

    async def car(self, who: User, seats: int = 4) -> Car:
        """A car of somebody's."""
        return await carpool.offer_car(self.ctx(who), self.id, TypedCar(seats=seats))

    async def need(self, who: User, child: User | None = None) -> None:
        """Needs a ride."""
        await carpool.need_ride(self.ctx(who), child or who, self.id)

    async def told(self, who: User) -> list[str]:
        """What somebody was told so far, in words; nothing is told twice."""
        await tidied(self.store, self.clock)
        again = Worker(self.store, [CARPOOL], clock=self.clock)
        await again.drain()
        kept = [one async for one in self.store.all(kept_for_person(user_id=who.user_id))]
        rides = [one.name for one in (SEAT_OFFERED, SEAT_GIVEN, SEAT_LOST)]
        found = [one for one in kept if isinstance(one, Notification) and one.kind in rides]
        assert all(one.link == f"/hangouts/{self.id}#cars" for one in found)
        words = [WORDS[one.kind].words(one.facts) for one in found]
        return sorted(f"{one.title}: {one.text}" for one in words)


@pytest.fixture
async def trip(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Trip:
    """A hangout of Ada and Ben."""
    return Trip(store, clock, await hangout_of(store, clock, ada, friends, title="Beach"))


async def test_who_needs_a_ride_is_told_of_a_car(trip: Trip, ada: User, ben: User) -> None:
    await trip.need(ben)
    await trip.car(ada)
    assert await trip.told(ben) == [OFFERED]
    assert await trip.told(ada) == []


async def test_a_full_car_is_nothing_to_tell(trip: Trip, ada: User, ben: User) -> None:
    await trip.need(ben)
    full = TypedCar(seats=2, plus_guests=1)
    await carpool.offer_car(trip.ctx(ada), trip.id, full)
    assert await trip.told(ben) == []


async def test_who_is_taken_along_is_told_and_who_takes_a_seat_is_not(
    trip: Trip, ada: User, ben: User
) -> None:
    car = await trip.car(ada)
    await trip.need(ben)
    await carpool.take_along(trip.ctx(ada), car.ref, ben.user_id)
    assert await trip.told(ben) == [GIVEN]
    await carpool.leave_ride(trip.ctx(ben), ben, trip.id)
    await carpool.take_seat(trip.ctx(ben), ben, car.ref)
    assert await trip.told(ben) == [GIVEN]


async def test_riders_are_told_that_their_driver_is_gone(
    trip: Trip, store: Store, ada: User, ben: User
) -> None:
    car = await trip.car(ada)
    await carpool.take_seat(trip.ctx(ben), ben, car.ref)
    await carpool.delete_car(trip.ctx(ada), car.ref)
    assert await trip.told(ben) == [LOST]
    # It happens again with another car: that is other news, unless it is in the same minute.
    trip.clock.forward(60)
    car = await trip.car(ada)
    await carpool.take_seat(trip.ctx(ben), ben, car.ref)
    await carpool.remove_rider(trip.ctx(ada), car.ref, ben.user_id)
    assert (await trip.told(ben)).count(LOST) == 2


async def test_riders_are_told_when_their_driver_says_they_cannot_go_or_leaves(
    trip: Trip, store: Store, ada: User, ben: User
) -> None:
    car = await trip.car(ada)
    await carpool.take_seat(trip.ctx(ben), ben, car.ref)
    await answer(trip.ctx(ada), ada, trip.id, TypedRsvp(status="NOT_GOING"))
    assert await trip.told(ben) == [LOST]
    trip.clock.forward(60)
    await answer(trip.ctx(ada), ada, trip.id, TypedRsvp(status="GOING"))
    car = await trip.car(ada)
    await carpool.take_seat(trip.ctx(ben), ben, car.ref)
    await carpool.free_seats_of(store, trip.id, ada.user_id)
    await store.write(delete(ada))
    assert (await trip.told(ben)).count(LOST) == 2


async def test_who_comes_and_goes_all_the_time_is_told_of_once(
    trip: Trip, ada: User, ben: User
) -> None:
    await trip.need(ben)
    for _ in range(3):
        car = await trip.car(ada)
        await tidied(trip.store, trip.clock)
        await carpool.take_along(trip.ctx(ada), car.ref, ben.user_id)
        await carpool.delete_car(trip.ctx(ada), car.ref)
    assert await trip.told(ben) == [OFFERED, GIVEN, LOST]


async def test_a_childs_ride_is_told_to_its_parent_unless_they_drive(
    trip: Trip, store: Store, clock: Watch, ada: User, ben: User
) -> None:
    lea = await child_of(store, clock, ben, "Lea")
    await trip.need(ben, lea)
    car = await trip.car(ada)
    assert await trip.told(ben) == [OFFERED]
    assert await trip.told(lea) == []
    await carpool.delete_car(trip.ctx(ada), car.ref)
    own = await trip.car(ben)
    await carpool.take_along(trip.ctx(ben), own.ref, lea.user_id)
    assert len(await trip.told(ben)) == 1

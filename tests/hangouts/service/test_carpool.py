"""Cars, seats, and who needs a ride: a seat and its count are one, and nobody is left behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.hangouts.rules.carpool import SeatsTaken
from commonroom.hangouts.service import carpool
from commonroom.hangouts.service.access import ref_of
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import Car, Hangout, Ride
from commonroom.store import Ref, Store, counting
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, everything_of, group_of, hangout_of, now_of, somebody
from tests.hangouts.ride_checks import check_rides


class Trip:
    """A hangout that people drive to."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.hangout = store, clock, hangout
        self.id = hangout.hangout_id

    def ctx(self, who: User) -> Context:
        """What somebody does now."""
        return Context(self.store, who, self.clock())

    async def car(self, who: User, seats: int = 4, plus_guests: int = 0) -> Car:
        """A car of somebody's."""
        typed = TypedCar(seats=seats, plus_guests=plus_guests)
        return await carpool.offer_car(self.ctx(who), self.id, typed)

    async def enter(
        self, who: User, car: Car, plus_guests: int = 0, *, child: User | None = None
    ) -> None:
        """Takes a seat."""
        await carpool.take_seat(self.ctx(who), child or who, car.ref, plus_guests=plus_guests)

    async def need(self, who: User, plus_guests: int = 0) -> Ride:
        """Needs a ride."""
        return await carpool.need_ride(self.ctx(who), who, self.id, plus_guests=plus_guests)

    async def rides(self) -> dict[str, str | None]:
        """In which car everybody is, all counts being right."""
        await check_rides(self.store.engine)
        return {
            one.user_name or "": one.car_id for one in await everything_of(self.store.engine, Ride)
        }

    async def taken(self, car: Car) -> int:
        """How many seats of a car are taken."""
        return (await now_of(self.store, car)).seats_taken


@pytest.fixture
async def cid(store: Store, clock: Watch) -> User:
    """A friend without a car."""
    return await somebody(store, clock, "Cid")


@pytest.fixture
async def trip(store: Store, clock: Watch, ada: User, ben: User, cid: User) -> Trip:
    """A hangout of Ada, Ben and Cid."""
    group = await group_of(store, clock, ada, ben, cid)
    return Trip(store, clock, await hangout_of(store, clock, ada, group))


class TestACar:
    async def test_has_two_to_eight_seats_of_which_its_driver_takes_one(
        self, trip: Trip, ada: User
    ) -> None:
        for seats in (1, 9):
            with pytest.raises(InvalidField):
                await trip.car(ada, seats)
        car = await trip.car(ada, 8)
        assert (car.seats, await trip.taken(car)) == (8, 1)
        assert await trip.rides() == {"Ada": car.car_id}

    async def test_holds_its_drivers_family_too(self, trip: Trip, ada: User, ben: User) -> None:
        with pytest.raises(SeatsTaken):
            await trip.car(ada, 2, plus_guests=2)
        car = await trip.car(ada, 4, plus_guests=2)
        with pytest.raises(SeatsTaken) as refused:
            await trip.enter(ben, car, 1)
        assert refused.value.extensions == {"free": 1}
        await trip.enter(ben, car)
        assert await trip.taken(car) == 4

    async def test_is_one_for_each_driver(self, trip: Trip, ada: User) -> None:
        await trip.car(ada)
        with pytest.raises(Conflict):
            await trip.car(ada)
        assert len(await trip.rides()) == 1

    async def test_is_changed_by_its_driver_never_to_fewer_seats_than_are_taken(
        self, trip: Trip, ada: User, ben: User
    ) -> None:
        car = await trip.car(ada, 4)
        await trip.enter(ben, car, 1)
        for wrong in (TypedCar(seats=2), TypedCar(seats=4, plus_guests=2)):
            with pytest.raises(SeatsTaken):
                await carpool.change_car(trip.ctx(ada), car.ref, wrong)
        with pytest.raises(Forbidden):
            await carpool.change_car(trip.ctx(ben), car.ref, TypedCar(seats=8))
        new = TypedCar(seats=5, plus_guests=1, note="From the station")
        changed = await carpool.change_car(trip.ctx(ada), car.ref, new)
        assert (changed.seats, changed.note) == (5, "From the station")
        assert await trip.taken(car) == 4
        await trip.rides()

    async def test_that_goes_away_leaves_its_riders_needing_a_ride(
        self, trip: Trip, ada: User, ben: User, cid: User
    ) -> None:
        car = await trip.car(ada)
        await trip.enter(ben, car, 1)
        await trip.enter(cid, car)
        with pytest.raises(Forbidden):
            await carpool.delete_car(trip.ctx(cid), car.ref)
        await carpool.delete_car(trip.ctx(ada), car.ref)
        assert await trip.rides() == {"Ben": None, "Cid": None}
        people = {one.user_name: one.people for one in await everything_of(trip.store.engine, Ride)}
        assert people == {"Ben": 2, "Cid": 1}

    async def test_of_somebody_else_can_be_removed_by_who_manages_the_hangout(
        self, trip: Trip, ada: User, ben: User
    ) -> None:
        car = await trip.car(ben)
        await carpool.delete_car(trip.ctx(ada), car.ref)
        assert await trip.rides() == {}

    @pytest.mark.parametrize("car_id", ["", "none", "a#b", "x" * 101])
    async def test_that_is_not_there_is_not_found(self, trip: Trip, ada: User, car_id: str) -> None:
        deeds: list[Callable[[Ref[Car]], Awaitable[object]]] = [
            lambda car: carpool.delete_car(trip.ctx(ada), car),
            lambda car: carpool.take_seat(trip.ctx(ada), ada, car),
            lambda car: carpool.take_along(trip.ctx(ada), car, ada.user_id),
        ]
        for deed in deeds:
            with pytest.raises(NotFound, match="This car is no longer there"):
                await deed(ref_of(Car, hangout_id=trip.id, car_id=car_id))


class TestASeat:
    async def test_is_taken_with_others_and_given_back_with_them(
        self, trip: Trip, ada: User, ben: User
    ) -> None:
        car = await trip.car(ada, 4)
        await trip.enter(ben, car, 2)
        assert await trip.taken(car) == 4
        await trip.enter(ben, car, 0)
        assert await trip.taken(car) == 2
        await carpool.leave_ride(trip.ctx(ben), ben, trip.id)
        assert await trip.rides() == {"Ada": car.car_id}
        with pytest.raises(NotFound):
            await carpool.leave_ride(trip.ctx(ben), ben, trip.id)

    async def test_is_the_only_one_that_somebody_has(
        self, trip: Trip, ada: User, ben: User, cid: User
    ) -> None:
        first, second = await trip.car(ada), await trip.car(ben)
        await trip.enter(cid, first)
        await trip.enter(cid, second, 1)
        assert (await trip.taken(first), await trip.taken(second)) == (1, 3)
        assert (await trip.rides())["Cid"] == second.car_id
        own = await trip.car(cid)
        assert (await trip.rides())["Cid"] == own.car_id
        assert await trip.taken(second) == 1
        with pytest.raises(Conflict):
            await trip.enter(cid, first)

    async def test_ends_the_need_for_a_ride(self, trip: Trip, ada: User, ben: User) -> None:
        await trip.need(ben)
        assert await trip.rides() == {"Ben": None}
        car = await trip.car(ada)
        await trip.enter(ben, car)
        assert await trip.rides() == {"Ada": car.car_id, "Ben": car.car_id}

    async def test_can_be_a_childs(
        self, trip: Trip, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        car = await trip.car(ada)
        await trip.enter(ben, car, child=lea)
        assert await trip.rides() == {"Ada": car.car_id, "Lea": car.car_id}

    async def test_is_for_those_who_may_have_the_hangout(
        self, trip: Trip, ada: User, eve: User
    ) -> None:
        car = await trip.car(ada)
        with pytest.raises(NotFound):
            await trip.enter(eve, car)

    async def test_is_not_for_those_who_do_not_come(self, trip: Trip, ada: User, ben: User) -> None:
        car = await trip.car(ada)
        await answer(trip.ctx(ben), ben, trip.id, TypedRsvp(status="NOT_GOING"))
        for deed in (trip.enter(ben, car), trip.need(ben), trip.car(ben)):
            with pytest.raises(Conflict):
                await deed

    async def test_is_not_to_be_had_on_a_cancelled_hangout(
        self, trip: Trip, ada: User, ben: User
    ) -> None:
        car = await trip.car(ada)
        await cancel(trip.ctx(ada), trip.id)
        for deed in (trip.enter(ben, car), trip.need(ben), trip.car(ben)):
            with pytest.raises(Conflict):
                await deed

    async def test_costs_two_reads_and_one_write(self, trip: Trip, ada: User, ben: User) -> None:
        car = await trip.car(ada)
        with counting() as count:
            await trip.enter(ben, car)
        assert (count.reads, count.writes) == (2, 1)


class TestTakingSomebodyAlong:
    async def test_ends_their_need_with_all_whom_they_bring(
        self, trip: Trip, ada: User, ben: User
    ) -> None:
        car = await trip.car(ada, 4)
        await trip.need(ben, 2)
        await carpool.take_along(trip.ctx(ada), car.ref, ben.user_id)
        assert await trip.rides() == {"Ada": car.car_id, "Ben": car.car_id}
        assert await trip.taken(car) == 4
        with pytest.raises(NotFound):
            await carpool.take_along(trip.ctx(ada), car.ref, ben.user_id)

    async def test_is_refused_where_not_all_fit(self, trip: Trip, ada: User, ben: User) -> None:
        car = await trip.car(ada, 2)
        await trip.need(ben, 1)
        with pytest.raises(SeatsTaken):
            await carpool.take_along(trip.ctx(ada), car.ref, ben.user_id)
        assert (await trip.rides())["Ben"] is None

    async def test_is_for_who_drives(self, trip: Trip, ben: User, cid: User) -> None:
        car = await trip.car(ben)
        await trip.need(cid)
        with pytest.raises(Forbidden):
            await carpool.take_along(trip.ctx(cid), car.ref, cid.user_id)

    async def test_is_undone_by_removing_them(
        self, trip: Trip, ada: User, ben: User, cid: User
    ) -> None:
        car = await trip.car(ada)
        await trip.enter(ben, car)
        with pytest.raises(Forbidden):
            await carpool.remove_rider(trip.ctx(cid), car.ref, ben.user_id)
        await carpool.remove_rider(trip.ctx(ada), car.ref, ben.user_id)
        assert (await trip.rides())["Ben"] is None
        for nobody in (ben, ada):
            with pytest.raises(NotFound):
                await carpool.remove_rider(trip.ctx(ada), car.ref, nobody.user_id)


class TestTheSeatsOfSomebodyWhoLeaves:
    async def test_are_free_again(
        self, trip: Trip, store: Store, ada: User, ben: User, cid: User
    ) -> None:
        car = await trip.car(ada)
        await trip.enter(ben, car, 1)
        await trip.need(cid)
        for one in (ben, cid, cid):
            await carpool.free_seats_of(store, trip.id, one.user_id)
        assert await trip.rides() == {"Ada": car.car_id}
        assert await trip.taken(car) == 1

    async def test_free_all_riders_where_they_drove(
        self, trip: Trip, store: Store, ada: User, ben: User
    ) -> None:
        car = await trip.car(ada)
        await trip.enter(ben, car)
        await carpool.free_seats_of(store, trip.id, ada.user_id)
        assert await trip.rides() == {"Ben": None}


async def test_a_driver_cannot_need_a_ride_nor_leave_the_car_behind(trip: Trip, ada: User) -> None:
    await trip.car(ada)
    with pytest.raises(Conflict):
        await trip.need(ada)
    with pytest.raises(Conflict):
        await carpool.leave_ride(trip.ctx(ada), ada, trip.id)

"""Carpool in a browser: cars with their seats, who needs a ride, and a seat in one tap."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import asdict

from commonroom.hangouts import addresses
from commonroom.hangouts.pages.people import WhoForm, person_name
from commonroom.hangouts.request import CarRef, Member
from commonroom.hangouts.service import carpool
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.tables import Car, Ride
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.words import _, pluralize

CARS = f"{addresses.HANGOUT}/cars"
CAR = f"{CARS}/{{car_id:str}}"
RIDE = f"{addresses.HANGOUT}/ride"
HERE = "/hangouts/{hangout_id}#cars"

pages = Pages()
action = partial(pages.form, on=addresses.HANGOUT, leads_to=HERE)


class CarForm(Form):
    """A car."""

    seats: int = 5
    plus_guests: int = 0
    note: Line = ""


class RideForm(Form):
    """How many seats a person needs."""

    people: int = 1


class RiderView(Struct, frozen=True):
    """A person in a car, or one who needs a ride."""

    user_id: str
    name: str
    company: str
    """How many others they bring, in words; empty where none."""
    note: str | None
    people: int
    fits: bool = False
    """Whether the reader's own car has room for all of them."""


class CarCard(Struct, frozen=True, kw_only=True):
    """A car."""

    car_id: str
    title: str
    free: int
    left: str
    """How many seats are left, in words."""
    note: str | None
    riders: list[RiderView]
    """All but the driver."""
    is_mine: bool
    my_people: int
    """How many seats the reader has in it."""
    choices: list[int]
    """How many seats the reader could have in it."""
    seats: int
    brings: int
    """How many others the driver brings."""


class CarpoolView(Struct, frozen=True):
    """Everything about getting there."""

    cars: list[CarCard]
    needs: list[RiderView]
    mine: Ride | None
    is_driver: bool


def carpool_of(seen: HangoutDetail) -> CarpoolView:
    """Returns all cars, and who needs a ride."""
    me, cars = seen.member.user_id, carpool.cars_of(seen.things)
    own = next((one for one in seen.things.of(Car) if one.user_id == me), None)
    free = 0 if own is None else own.seats - own.seats_taken
    return CarpoolView(
        [_car(car, rides, me) for car, rides in cars],
        [_rider(one, free) for one in carpool.needed_rides(seen.things)],
        next((one for one in seen.things.of(Ride) if one.user_id == me), None),
        own is not None,
    )


def _car(car: Car, rides: Sequence[Ride], me: str) -> CarCard:
    free = max(0, car.seats - car.seats_taken)
    driver = next((one for one in rides if one.user_id == car.user_id), None)
    my_people = next((one.people for one in rides if one.user_id == me), 0)
    return CarCard(
        car_id=car.car_id,
        title=_("%(name)s’s car") % {"name": person_name(car.user_name)},
        free=free,
        left=pluralize("%(n)d seat left", "%(n)d seats left", free) if free else _("Full"),
        note=car.note,
        riders=[_rider(one) for one in rides if one.user_id != car.user_id],
        is_mine=car.user_id == me,
        my_people=my_people,
        choices=list(range(1, my_people + free + 1)),
        seats=car.seats,
        brings=0 if driver is None else driver.people - 1,
    )


def _rider(ride: Ride, free: int = 0) -> RiderView:
    others = ride.people - 1
    return RiderView(
        ride.user_id,
        person_name(ride.user_name),
        pluralize("with %(n)d other", "with %(n)d others", others) if others else "",
        ride.note if ride.car_id is None else None,
        ride.people,
        ride.people <= free,
    )


@action(CARS, Need.NOT_ACTING, flash="hangout-car-offered")
async def offer_car(ctx: Ctx, hangout_id: str, data: CarForm) -> None:
    """Offers a car."""
    await carpool.offer_car(ctx, hangout_id, TypedCar(**asdict(data)))


@action(f"{CAR}/edit", Need.NOT_ACTING, flash="hangout-car-saved")
async def change_car(ctx: Ctx, car: CarRef, data: CarForm) -> None:
    """Changes one's own car."""
    await carpool.change_car(ctx, car, TypedCar(**asdict(data)))


@action(f"{CAR}/delete", Need.NOT_ACTING, flash="hangout-car-removed")
async def delete_car(ctx: Ctx, car: CarRef) -> None:
    """Takes a car away."""
    await carpool.delete_car(ctx, car)


@action(f"{CAR}/seat", Need.SIGNED_IN, flash="hangout-seat-taken")
async def take_seat(ctx: Ctx, member: Member, car: CarRef, data: RideForm) -> None:
    """Takes seats."""
    await carpool.take_seat(ctx, member, car, plus_guests=data.people - 1)


@action(f"{CAR}/take", Need.NOT_ACTING, flash="hangout-rider-taken")
async def take_along(ctx: Ctx, car: CarRef, data: WhoForm) -> None:
    """Takes a person along who needs a ride."""
    await carpool.take_along(ctx, car, data.who)


@action(f"{CAR}/remove", Need.NOT_ACTING, flash="hangout-rider-removed")
async def remove_rider(ctx: Ctx, car: CarRef, data: WhoForm) -> None:
    """Takes a person out of a car."""
    await carpool.remove_rider(ctx, car, data.who)


@action(RIDE, Need.SIGNED_IN, flash="hangout-ride-needed")
async def need_ride(ctx: Ctx, member: Member, hangout_id: str, data: RideForm) -> None:
    """Needs a ride."""
    await carpool.need_ride(ctx, member, hangout_id, plus_guests=data.people - 1)


@action(f"{RIDE}/leave", Need.SIGNED_IN, flash="hangout-ride-left")
async def leave_ride(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Leaves a seat, or needs no ride any more."""
    await carpool.leave_ride(ctx, member, hangout_id)

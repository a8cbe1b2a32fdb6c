"""Carpool: cars, their seats, and who needs a ride."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from commonroom.hangouts import addresses, tables
from commonroom.hangouts.api.fields import Id
from commonroom.hangouts.request import CarRef, Member
from commonroom.hangouts.rules import carpool as rules
from commonroom.hangouts.service import carpool
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.projections import projection

CARS = f"{addresses.HANGOUT}/cars"
CAR = f"{CARS}/{{car_id:str}}"
RIDE = f"{addresses.HANGOUT}/ride"

Brought = Annotated[
    int, Meta(description=f"How many others come along, 0 to {rules.MAX_SEATS - 1}.")
]
People = Annotated[int, Meta(description="With those whom they bring.")]
Note = Annotated[str, Meta(max_length=2000, description=f"At most {rules.MAX_NOTE} characters.")]


api = Operations("Hangouts: carpool", errors=(404, 409, 429))


class CarGiven(Body):
    """A car as its driver describes it."""

    seats: Annotated[
        int,
        Meta(
            description=f"{rules.MIN_SEATS} to {rules.MAX_SEATS}, the driver’s included.",
        ),
    ]
    plus_guests: Brought = 0
    note: Note | None = None


class SeatGiven(Body):
    """How many come along."""

    plus_guests: Brought = 0


class RideGiven(Body):
    """A need for a ride."""

    plus_guests: Brought = 0
    note: Note | None = None


class RiderGiven(Body):
    """A person who needs a ride."""

    user_id: Id


class RideView(Struct, frozen=True):
    """A person in a car, or one who needs a ride."""

    user_id: str
    user_name: str | None
    car_id: Annotated[str | None, Meta(description="Null while they need a ride.")]
    people: People
    note: str | None


class CarView(Struct, frozen=True, kw_only=True):
    """A car that goes to a hangout."""

    car_id: str
    user_id: Annotated[str, Meta(description="Who drives.")]
    user_name: str | None
    seats: Annotated[int, Meta(description="The driver’s included.")]
    seats_taken: int
    note: str | None


class FullCar(CarView, frozen=True, kw_only=True):
    """A car with its riders."""

    riders: Annotated[list[RideView], Meta(description="The driver first.")]


ride_view = projection(tables.Ride, RideView)
car_view = projection(tables.Car, CarView)
full_car = projection(tables.Car, FullCar, list[RideView], riders=lambda _, riders: riders)


def cars_of(things: HangoutThings) -> list[FullCar]:
    """Returns all cars with their riders, the first offered first."""
    by_car: defaultdict[str | None, list[tables.Ride]] = defaultdict(list)
    for one in things.of(tables.Ride):
        by_car[one.car_id].append(one)
    found = sorted(things.of(tables.Car), key=lambda one: one.created_at)
    return [full_car(one, _riders(one, by_car[one.car_id])) for one in found]


def _riders(car: tables.Car, rides: Iterable[tables.Ride]) -> list[RideView]:
    seated = sorted(rides, key=lambda it: (it.user_id != car.user_id, it.seated_at or ""))
    return [ride_view(one) for one in seated]


def needed_rides(things: HangoutThings) -> list[RideView]:
    """Returns who needs a ride, the first to ask first."""
    needed = [one for one in things.of(tables.Ride) if one.car_id is None]
    return [ride_view(one) for one in sorted(needed, key=lambda one: one.asked_at)]


@api.post(CARS, Need.NOT_ACTING)
async def offer_car(ctx: Ctx, hangout_id: str, given: CarGiven) -> CarView:
    """Offer a car.

    Its driver gives up a seat in another car, and needs no ride any more. Those who need one are
    told.
    """
    return car_view(await carpool.offer_car(ctx, hangout_id, _typed(given)))


@api.put(CAR, Need.NOT_ACTING)
async def change_car(ctx: Ctx, car: CarRef, given: CarGiven) -> CarView:
    """Change one’s car; never to fewer seats than are taken."""
    return car_view(await carpool.change_car(ctx, car, _typed(given)))


@api.delete(CAR, Need.NOT_ACTING)
async def delete_car(ctx: Ctx, car: CarRef) -> None:
    """Take a car away; its riders need a ride again, and are told.

    Its driver and managers of the hangout may.
    """
    await carpool.delete_car(ctx, car)


@api.put(f"{CAR}/seat", Need.SIGNED_IN)
async def take_seat(ctx: Ctx, member: Member, car: CarRef, given: SeatGiven) -> None:
    """Take a seat for oneself and others, or change how many.

    A seat in another car is given back. Where not all fit, 409 says in `free` how many would.
    """
    await carpool.take_seat(ctx, member, car, plus_guests=given.plus_guests)


@api.post(f"{CAR}/riders", Need.NOT_ACTING, status=204)
async def take_rider_along(ctx: Ctx, car: CarRef, given: RiderGiven) -> None:
    """Give a seat to a person who needs a ride; the driver may, and they are told."""
    await carpool.take_along(ctx, car, given.user_id)


@api.delete(f"{CAR}/riders/{{user_id:str}}", Need.NOT_ACTING)
async def remove_rider(ctx: Ctx, car: CarRef, user_id: str) -> None:
    """Take a rider out of a car, who needs a ride again; the driver may."""
    await carpool.remove_rider(ctx, car, user_id)


@api.put(RIDE, Need.SIGNED_IN)
async def need_ride(ctx: Ctx, member: Member, hangout_id: str, given: RideGiven) -> RideView:
    """Say that one needs a ride, also in place of the seat that one had."""
    needed = await carpool.need_ride(
        ctx, member, hangout_id, plus_guests=given.plus_guests, note=given.note
    )
    return ride_view(needed)


@api.delete(RIDE, Need.SIGNED_IN)
async def leave_ride(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Give one’s seat back, or need no ride any more."""
    await carpool.leave_ride(ctx, member, hangout_id)


def _typed(given: CarGiven) -> carpool.TypedCar:
    return carpool.TypedCar(seats=given.seats, plus_guests=given.plus_guests, note=given.note)

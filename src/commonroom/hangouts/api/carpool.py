"""Carpool: cars, their seats, and who needs a ride."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.hangouts import addresses, tables
from commonroom.hangouts.request import CarRef, Member
from commonroom.hangouts.rules.carpool import Brought, Note
from commonroom.hangouts.rules.fields import Id
from commonroom.hangouts.service import carpool
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.projections import projection

CARS = f"{addresses.HANGOUT}/cars"
CAR = f"{CARS}/{{car_id:str}}"
RIDE = f"{addresses.HANGOUT}/ride"

People = Annotated[int, Meta(description="With those whom they bring.")]


api = Operations("Hangouts: carpool", errors=(404, 409, 429))


class CarGiven(TypedCar, Body):
    """A car as its driver describes it."""


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
    return [
        full_car(one, [ride_view(it) for it in rides]) for one, rides in carpool.cars_of(things)
    ]


def needed_rides(things: HangoutThings) -> list[RideView]:
    """Returns who needs a ride, the first to ask first."""
    return [ride_view(one) for one in carpool.needed_rides(things)]


@api.post(CARS, Need.NOT_ACTING)
async def offer_car(ctx: Ctx, hangout_id: str, given: CarGiven) -> CarView:
    """Offer a car.

    Its driver gives up a seat in another car, and needs no ride any more. Those who need one are
    told.
    """
    return car_view(await carpool.offer_car(ctx, hangout_id, given))


@api.put(CAR, Need.NOT_ACTING)
async def change_car(ctx: Ctx, car: CarRef, given: CarGiven) -> CarView:
    """Change one’s car; never to fewer seats than are taken."""
    return car_view(await carpool.change_car(ctx, car, given))


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

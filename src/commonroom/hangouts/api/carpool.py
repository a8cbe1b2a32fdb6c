"""Carpool: cars, their seats, and who needs a ride."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from commonroom.hangouts.api import plan_views
from commonroom.hangouts.api.bodies import Id
from commonroom.hangouts.api.hangouts import ONE
from commonroom.hangouts.request import CarRef, Member
from commonroom.hangouts.rules import carpool as rules
from commonroom.hangouts.service import carpool
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations

CARS = f"{ONE}/cars"
CAR = f"{CARS}/{{car_id:str}}"
RIDE = f"{ONE}/ride"

Brought = Annotated[
    int, Meta(description=f"How many others come along, 0 to {rules.MAX_SEATS - 1}.")
]
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


@api.post(CARS, Need.NOT_ACTING)
async def offer_car(ctx: Ctx, hangout_id: str, given: CarGiven) -> plan_views.CarView:
    """Offer a car.

    Its driver gives up a seat in another car, and needs no ride any more. Those who need one are
    told.
    """
    return plan_views.car(await carpool.offer_car(ctx, hangout_id, _typed(given)))


@api.put(CAR, Need.NOT_ACTING)
async def change_car(ctx: Ctx, car: CarRef, given: CarGiven) -> plan_views.CarView:
    """Change one’s car; never to fewer seats than are taken."""
    return plan_views.car(await carpool.change_car(ctx, car, _typed(given)))


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
async def need_ride(
    ctx: Ctx, member: Member, hangout_id: str, given: RideGiven
) -> plan_views.RideView:
    """Say that one needs a ride, also in place of the seat that one had."""
    needed = await carpool.need_ride(
        ctx, member, hangout_id, plus_guests=given.plus_guests, note=given.note
    )
    return plan_views.ride(needed)


@api.delete(RIDE, Need.SIGNED_IN)
async def leave_ride(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Give one’s seat back, or need no ride any more."""
    await carpool.leave_ride(ctx, member, hangout_id)


def _typed(given: CarGiven) -> carpool.TypedCar:
    return carpool.TypedCar(seats=given.seats, plus_guests=given.plus_guests, note=given.note)

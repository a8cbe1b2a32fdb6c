"""Carpool in a browser: a seat in one tap."""

from __future__ import annotations

from commonroom.hangouts import addresses
from commonroom.hangouts.pages.hangouts import OneForm
from commonroom.hangouts.request import CarRef, Member
from commonroom.hangouts.service import carpool
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages

CARS = f"{addresses.HANGOUT}/cars"
CAR = f"{CARS}/{{car_id:str}}"
RIDE = f"{addresses.HANGOUT}/ride"
HERE = "/hangouts/{hangout_id}#cars"


pages = Pages()


class CarForm(Form):
    """A car."""

    seats: int = 5
    plus_guests: int = 0
    note: Line = ""


class RideForm(Form):
    """How many seats a person needs."""

    people: int = 1
    note: Line = ""


@pages.form(CARS, Need.NOT_ACTING, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-car-offered")
async def offer_car(ctx: Ctx, hangout_id: str, data: CarForm) -> None:
    """Offers a car."""
    await carpool.offer_car(ctx, hangout_id, _typed(data))


@pages.form(
    f"{CAR}/edit", Need.NOT_ACTING, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-car-saved"
)
async def change_car(ctx: Ctx, car: CarRef, data: CarForm) -> None:
    """Changes one's own car."""
    await carpool.change_car(ctx, car, _typed(data))


@pages.form(
    f"{CAR}/delete",
    Need.NOT_ACTING,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-car-removed",
)
async def delete_car(ctx: Ctx, car: CarRef) -> None:
    """Takes a car away."""
    await carpool.delete_car(ctx, car)


@pages.form(
    f"{CAR}/seat", Need.SIGNED_IN, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-seat-taken"
)
async def take_seat(ctx: Ctx, member: Member, car: CarRef, data: RideForm) -> None:
    """Takes seats."""
    await carpool.take_seat(ctx, member, car, plus_guests=data.people - 1)


@pages.form(
    f"{CAR}/take", Need.NOT_ACTING, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-rider-taken"
)
async def take_along(ctx: Ctx, car: CarRef, data: OneForm) -> None:
    """Takes a person along who needs a ride."""
    await carpool.take_along(ctx, car, data.who)


@pages.form(
    f"{CAR}/remove",
    Need.NOT_ACTING,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-rider-removed",
)
async def remove_rider(ctx: Ctx, car: CarRef, data: OneForm) -> None:
    """Takes a person out of a car."""
    await carpool.remove_rider(ctx, car, data.who)


@pages.form(RIDE, Need.SIGNED_IN, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-ride-needed")
async def need_ride(ctx: Ctx, member: Member, hangout_id: str, data: RideForm) -> None:
    """Needs a ride."""
    await carpool.need_ride(
        ctx, member, hangout_id, plus_guests=data.people - 1, note=data.note or None
    )


@pages.form(
    f"{RIDE}/leave", Need.SIGNED_IN, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-ride-left"
)
async def leave_ride(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Leaves a seat, or needs no ride any more."""
    await carpool.leave_ride(ctx, member, hangout_id)


def _typed(data: CarForm) -> TypedCar:
    return TypedCar(seats=data.seats, plus_guests=data.plus_guests, note=data.note or None)

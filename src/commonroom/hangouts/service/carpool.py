"""Carpool: cars are offered, seats taken and given back; a seat and its count are one write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.hangouts.rules import carpool as rules
from commonroom.hangouts.rules.ids import new_id
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.hangouts.service.guards import Guard, no_guard
from commonroom.hangouts.service.participation import Participation, take_part, take_part_in
from commonroom.hangouts.service.seats import (
    NO_SEAT,
    enter_car,
    free_riders,
    leave_car,
    resize_in_car,
    ride_write,
    same_ride,
    seat_in,
)
from commonroom.hangouts.tables import Car, Ride
from commonroom.ids import is_id
from commonroom.moments import iso
from commonroom.store import Ref, Store, Write, add, as_read, at_most, create, delete, update


class TypedCar(Struct, kw_only=True):
    """A car as its driver describes it."""

    seats: Annotated[
        int,
        Meta(description=f"{rules.MIN_SEATS} to {rules.MAX_SEATS}, the driver’s included."),
    ]
    plus_guests: rules.Brought = 0
    """Whom the driver brings along anyway."""
    note: rules.Note | None = None


@retry
async def offer_car(ctx: Context, hangout_id: str, typed: TypedCar) -> Car:
    """Offers a car; its driver gives up a seat elsewhere, and needs no ride any more."""
    people = rules.party(typed.plus_guests)
    seats, note = rules.seats(typed.seats), rules.note(typed.note)
    car_id = new_id()

    part, ride = await _rider(ctx, ctx.person, hangout_id)
    part.adding()
    if ride is not None and ride.driver_id == ride.user_id:
        raise Conflict("You offer a car already.")
    car = Car(
        **part.signature,
        car_id=car_id,
        seats=seats,
        seats_taken=people,
        note=note,
        created_at=iso(ctx.now),
    )
    rules.check_seats(replace(car, seats_taken=0), seats, people)
    after = _ride(ctx, part, ride, people=people, car=car)
    left = await _left_car(ctx.store, ride)
    await ctx.store.write(create(car), ride_write(ride, after), *left, *_holding(part))
    return car


@retry
async def change_car(ctx: Context, ref: Ref[Car], typed: TypedCar) -> Car:
    """Changes a car: never to fewer seats than are taken."""
    people = rules.party(typed.plus_guests)
    seats, note = rules.seats(typed.seats), rules.note(typed.note)

    part, own, car = await _car(ctx, ctx.person, ref)
    if own is None or own.car_id != car.car_id or car.user_id != own.user_id:
        raise Forbidden("Only whoever drives can change this car.")
    more = people - own.people
    rules.check_seats(car, seats, more)
    await ctx.store.write(
        update(
            car,
            seats=seats,
            note=note,
            seats_taken=add(more),
            if_=at_most(seats_taken=seats - more),
        ),
        ride_write(
            own,
            replace(own, people=people, rsvp_status=part.rsvp_status, taken_at=iso(ctx.now)),
        ),
        *part.holding(),
        *part.answered(),
    )
    return replace(car, seats=seats, note=note, seats_taken=car.seats_taken + more)


@retry
async def delete_car(ctx: Context, ref: Ref[Car]) -> None:
    """Takes a car away; those who had a seat in it need a ride again, in the same write."""
    part, _, car = await _car(ctx, ctx.person, ref)
    _check_driver(part, car)
    await ctx.store.write(*await free_riders(ctx.store, car, ctx.person.user_id), *part.holding())


@retry
async def take_seat(ctx: Context, member: User, ref: Ref[Car], *, plus_guests: int = 0) -> Car:
    """Takes a seat for a person and whom they bring, or changes how many; a seat elsewhere goes."""
    people = rules.party(plus_guests)

    part, ride, car = await _car(ctx, member, ref)
    part.still_on(ctx.now)
    if ride is not None and ride.driver_id == ride.user_id:
        raise Conflict("You are driving yourself.")
    after = _ride(ctx, part, ride, people=people, car=car)
    if ride is not None and ride.car_id == car.car_id:
        writes = [resize_in_car(car, people - ride.people)]
    else:
        writes = [enter_car(car, after), *await _left_car(ctx.store, ride)]
    await ctx.store.write(*writes, ride_write(ride, after), *_holding(part))
    return car


@retry
async def take_along(ctx: Context, ref: Ref[Car], user_id: str) -> None:
    """Assigns a seat to a person who needs a ride, with all whom they bring: the driver may."""
    theirs = _ride_ref(ref.fields["hangout_id"], user_id)

    part, _, car = await _car(ctx, ctx.person, ref, theirs)
    part.still_on(ctx.now)
    if car.user_id != ctx.person.user_id:
        raise Forbidden("Only whoever drives can take somebody along.")
    ride: Ride | None = part.also[-1]
    if ride is None or ride.car_id is not None:
        raise NotFound("They need no ride any more.")
    me = ctx.person.user_id
    after = replace(ride, **seat_in(car, by=me, now=ctx.now), changed_by=me)
    await ctx.store.write(enter_car(car, after), ride_write(ride, after), *part.holding())


@retry
async def remove_rider(ctx: Context, ref: Ref[Car], user_id: str) -> None:
    """Takes a person out of a car, who needs a ride again: driver and managers may."""
    theirs = _ride_ref(ref.fields["hangout_id"], user_id)

    part, _, car = await _car(ctx, ctx.person, ref, theirs)
    _check_driver(part, car)
    ride: Ride | None = part.also[-1]
    if ride is None or ride.car_id != car.car_id or ride.user_id == car.user_id:
        raise NotFound("They have no seat in this car.")
    without = replace(ride, **NO_SEAT, changed_by=ctx.person.user_id)
    await ctx.store.write(leave_car(car, ride), ride_write(ride, without), *part.holding())


@retry
async def need_ride(
    ctx: Context, member: User, hangout_id: str, *, plus_guests: int = 0, note: str | None = None
) -> Ride:
    """Says that a person needs a ride, also in place of the seat that they had."""
    people, said = rules.party(plus_guests), rules.note(note)

    part, ride = await _rider(ctx, member, hangout_id)
    if ride is not None and ride.driver_id == ride.user_id:
        raise Conflict("You are driving yourself.")
    after = replace(_ride(ctx, part, ride, people=people), note=said)
    left = await _left_car(ctx.store, ride)
    await ctx.store.write(ride_write(ride, after), *left, *_holding(part))
    return after


@retry
async def leave_ride(ctx: Context, member: User, hangout_id: str) -> None:
    """Leaves a seat, or needs no ride any more; who drives takes the car away instead."""
    ref = _ride_ref(hangout_id, member.user_id)
    part = await take_part(ctx, member, hangout_id, also=[ref])
    ride: Ride | None = part.also[0]
    if ride is None:
        raise NotFound("You have no seat, and look for none.")
    if ride.driver_id == ride.user_id:
        raise Conflict("You are driving. Remove your car instead.")
    left = await _left_car(ctx.store, ride)
    await ctx.store.write(delete(ride, if_=as_read(ride, "car_id", "people")), *left)


@retry
async def free_seats_of(
    store: Store, hangout_id: str, user_id: str, guard: Guard = no_guard
) -> None:
    """Releases the seat, the need or the car of a person who does not come; riders are freed."""
    ride = await store.get(_ride_ref(hangout_id, user_id))
    held = None if ride is None else await guard(ride)
    if ride is None or held is None:
        return
    car = None if ride.car_id is None else await store.get(_car_ref(hangout_id, ride.car_id))
    if car is not None and car.user_id == user_id:
        await store.write(*await free_riders(store, car, driver=ride), *held)
        return
    left = [] if car is None else [leave_car(car, ride)]
    await store.write(delete(ride, if_=same_ride(ride)), *left, *held)


def cars_of(things: HangoutThings) -> list[tuple[Car, list[Ride]]]:
    """Returns all cars with their rides, the first offered first; the driver's comes first."""
    return [
        (car, sorted(rides, key=lambda one: (one.user_id != car.user_id, one.seated_at or "")))
        for car, rides in sorted(things.each_with(Car, Ride), key=lambda one: one[0].created_at)
    ]


def needed_rides(things: HangoutThings) -> list[Ride]:
    """Returns the rides of those who need one, the first to ask first."""
    needed = [one for one in things.of(Ride) if one.car_id is None]
    return sorted(needed, key=lambda one: one.asked_at)


async def _rider(
    ctx: Context, member: User, hangout_id: str, *also: Ref[Any]
) -> tuple[Participation, Ride | None]:
    """Returns a participant of a hangout that is still to come, and their ride so far."""
    refs: list[Ref[Any]] = [_ride_ref(hangout_id, member.user_id), *also]
    part = await take_part(ctx, member, hangout_id, also=refs)
    return part.still_on(ctx.now), part.also[0]


async def _car(
    ctx: Context, member: User, ref: Ref[Car], *also: Ref[Any]
) -> tuple[Participation, Ride | None, Car]:
    """Returns a participant of a hangout, their ride so far, and a car."""
    own = _ride_ref(ref.fields["hangout_id"], member.user_id)
    part, car = await take_part_in(ctx, member, ref, also=[own, *also])
    return part, part.also[0], car


def _ride(
    ctx: Context, part: Participation, before: Ride | None, *, people: int, car: Car | None = None
) -> Ride:
    """Returns a person's ride as they choose it themselves: in a car, or still needed."""
    seat = {} if car is None else seat_in(car, by=part.member.user_id, now=ctx.now)
    return Ride(
        **part.taken(ctx.now),
        **seat,
        people=people,
        note=None if before is None else before.note,
        changed_by=ctx.person.user_id,
        asked_at=iso(ctx.now) if before is None else before.asked_at,
    )


async def _left_car(store: Store, ride: Ride | None) -> Sequence[Write]:
    """Returns the writes that give the current seat back."""
    if ride is None or ride.car_id is None:
        return []
    car = await store.get(_car_ref(ride.hangout_id, ride.car_id))
    return [] if car is None else [leave_car(car, ride)]


def _holding(part: Participation) -> list[Write]:
    return [*part.holding(), *part.coming()]


def _check_driver(part: Participation, car: Car) -> None:
    """Refuses who neither drives nor manages the hangout."""
    if part.member.user_id != car.user_id and not part.access.standing.may_manage:
        raise Forbidden("Only whoever drives can do this.")


def _car_ref(hangout_id: str, car_id: str) -> Ref[Car]:
    return Car.at(hangout_id=hangout_id, car_id=car_id)


def _ride_ref(hangout_id: str, user_id: str) -> Ref[Ride]:
    if not is_id(user_id):
        raise NotFound("There is nobody like that.")
    return Ride.at(hangout_id=hangout_id, user_id=user_id)

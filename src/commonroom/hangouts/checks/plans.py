"""What a plan needs: cars know who is in them, and what is bought is on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from commonroom.hangouts.checks.snapshots import HangoutSnapshot
from commonroom.hangouts.service.seats import freed
from commonroom.hangouts.tables import (
    Car,
    Hangout,
    Offer,
    Ride,
    Ticket,
)
from commonroom.store import (
    as_read,
    check,
    create,
    delete,
    equal,
    new,
    stored,
    update,
    update_with_copies,
)
from commonroom.store.checking import Problem


def check_tickets(snapshot: HangoutSnapshot) -> Iterator[Problem]:
    """Nobody gives away more tickets than they have."""
    for one in snapshot.of(Ticket):
        if one.spare > one.number:
            repair = update(one, spare=one.number, if_=as_read(one, "number", "spare"))
            detail = f"It has {one.number} tickets, and {one.spare} to give away."
            yield Problem.of("tickets", one, detail, repair)


def check_momentum(snapshot: HangoutSnapshot, hangout: Hangout) -> tuple[Hangout, list[Problem]]:
    """Checks that what is bought is on, unless taken back; and the hangout once it is."""
    bought: list[Ticket | Offer] = [one for one in snapshot.of(Ticket) if one.status == "HAS"]
    bought += [one for one in snapshot.of(Offer) if one.done_at is not None]
    if not bought or hangout.momentum == "CONFIRMED" or hangout.held_back_at is not None:
        return hangout, []
    held = as_read(hangout, "momentum", "held_back_at", "version")
    on: dict[str, Any] = {"momentum": "CONFIRMED"}
    repair = [*update_with_copies(hangout, if_=held, **on), check(bought[0], if_=stored)]
    detail = "Tickets are bought for it, and it is not confirmed."
    return replace(hangout, **on), [Problem.of("momentum", hangout, detail, *repair)]


def check_carpool(snapshot: HangoutSnapshot) -> tuple[dict[str, Car], list[Problem]]:
    """Seats are those of the rides; and the cars once that is repaired."""
    cars = {one.car_id: one for one in snapshot.of(Car)}
    rides = {one.user_id: one for one in snapshot.of(Ride)}
    problems = [found for ride in rides.values() for found in _check_ride(ride, cars)]
    for car in snapshot.of(Car):
        inside = [one for one in rides.values() if one.car_id == car.car_id]
        problems += _check_car(car, inside, rides.get(car.user_id))
        people = sum(one.people for one in inside)
        cars[car.car_id] = replace(car, seats_taken=people, rider_ids=_riders(car, inside))
    return cars, problems


def _check_ride(ride: Ride, cars: dict[str, Car]) -> Iterator[Problem]:
    if ride.car_id is None:
        return
    car = cars.get(ride.car_id)
    if car is None:
        gone = check(Car.at(hangout_id=ride.hangout_id, car_id=ride.car_id), if_=new)
        yield Problem.of("orphans", ride, "Its car was taken away.", gone, freed(ride))
    elif car.user_id != ride.driver_id:
        repair = update(ride, driver_id=car.user_id, if_=as_read(ride, "car_id"))
        there = check(car, if_=equal(user_id=car.user_id))
        yield Problem.of("rides", ride, "Somebody else drives.", there, repair)


def _check_car(car: Car, inside: list[Ride], drivers: Ride | None) -> Iterator[Problem]:
    people = sum(one.people for one in inside)
    others = _riders(car, inside)
    if drivers is None:
        yield _driverless(car, people, others)
        return
    if drivers.car_id != car.car_id:
        elsewhere = check(drivers, if_=as_read(drivers, "car_id"))
        gone = delete(car, if_=as_read(car, "rider_ids"))
        riders = [freed(one) for one in inside]
        detail = "Whoever drives it goes in another car, or looks for one."
        yield Problem.of("rides", car, detail, elsewhere, gone, *riders)
        return
    if car.seats_taken != people or car.rider_ids != others:
        held = as_read(car, "seats_taken", "rider_ids")
        repair = update(car.ref, seats_taken=people, rider_ids=others, if_=held)
        detail = (
            f"It counts {car.seats_taken} seats for {len(car.rider_ids)} riders; "
            f"{people} are taken, by {len(others)}."
        )
        yield Problem.of("counts", car, detail, repair)
    if people > car.seats:
        yield Problem.of("overbooked", car, f"{people} people go in it; it has {car.seats} seats.")


def _riders(car: Car, inside: list[Ride]) -> list[str]:
    """Returns who rides in a car besides its driver, in the order in which the car has them."""
    ids = [one.user_id for one in inside if one.user_id != car.user_id]
    known = [one for one in dict.fromkeys(car.rider_ids) if one in ids]
    return known + [one for one in ids if one not in car.rider_ids]


def _driverless(car: Car, others: int, rider_ids: list[str]) -> Problem:
    """Checks that the driver has a seat: as many as nobody else has, and one at least."""
    people = max(1, car.seats_taken - others)
    ride = Ride(
        hangout_id=car.hangout_id,
        user_id=car.user_id,
        user_name=car.user_name,
        car_id=car.car_id,
        driver_id=car.user_id,
        people=people,
        seated_by=car.user_id,
        seated_at=car.created_at,
        asked_at=car.created_at,
    )
    held = as_read(car, "seats_taken", "rider_ids")
    same = update(car.ref, seats_taken=people + others, rider_ids=rider_ids, if_=held)
    return Problem.of("rides", car, "Whoever drives it has no seat in it.", create(ride), same)

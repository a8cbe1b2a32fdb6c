"""Seats as they are written: whoever enters or leaves a car, and the car's count, together."""

from __future__ import annotations

from typing import Any

from commonroom.hangouts.rules.carpool import check_free
from commonroom.hangouts.tables import Car, Ride
from commonroom.store import (
    Condition,
    Ref,
    Store,
    Write,
    add,
    append,
    as_read,
    at_most,
    create,
    delete,
    equal,
    update,
)

CHANGED = (
    "car_id", "driver_id", "people", "note", "seated_by", "seated_at", "changed_by", "rsvp_status",
    "taken_at",
)  # fmt: skip
"""Of a ride. Its owner's name follows the account, whoever changes the ride meanwhile."""


def ride_write(before: Ride | None, after: Ride) -> Write:
    """Somebody's ride, on condition that it is as it was read: what a car counts depends on it."""
    if before is None:
        return create(after)
    changes = {name: getattr(after, name) for name in CHANGED}
    return update(before, **changes, if_=same_ride(before))


def same_ride(ride: Ride) -> Condition:
    """That nobody has changed where somebody sits, with whom, and under which answer."""
    return as_read(ride, "car_id", "people", "rsvp_status", "taken_at")


def enter_car(car: Car, ride: Ride) -> Write:
    """Somebody enters a car with whom they bring; refused where not all of them fit.

    The count is added to, and not set: people who take seats at once do not retry for each other.
    """
    check_free(car, ride.people)
    return update(
        car,
        seats_taken=add(ride.people),
        rider_ids=append(ride.user_id),
        if_=equal(seats=car.seats) & at_most(seats_taken=car.seats - ride.people),
    )


def resize_in_car(car: Car, more: int) -> Write:
    """Somebody in a car brings more or fewer people."""
    check_free(car, more)
    fits = equal(seats=car.seats) & at_most(seats_taken=car.seats - more)
    return update(car, seats_taken=add(more), if_=fits)


def leave_car(car: Car, ride: Ride) -> Write:
    """Somebody leaves a car with whom they bring."""
    left = [one for one in car.rider_ids if one != ride.user_id]
    return update(car, seats_taken=add(-ride.people), rider_ids=left, if_=as_read(car, "rider_ids"))


async def free_riders(
    store: Store, car: Car, by: str | None = None, *, driver: Ride | None = None
) -> list[Write]:
    """What takes a car away: its driver rides no more, and all others need a ride again.

    Where it is not the driver who does it, their ride must be as it was read.
    """
    places: list[Ref[Any]] = [
        Ride.at(hangout_id=car.hangout_id, user_id=one) for one in car.rider_ids
    ]
    rides = await store.batch_get(places) if places else []
    return [
        delete(car, if_=as_read(car, "rider_ids")),
        delete(
            Ride.at(hangout_id=car.hangout_id, user_id=car.user_id),
            if_=None if driver is None else same_ride(driver),
        ),
        *(freed(one, by) for one in rides if one is not None and one.car_id == car.car_id),
    ]


def freed(ride: Ride, by: str | None = None) -> Write:
    """Somebody needs a ride again, whose car is gone."""
    return update(
        ride,
        car_id=None,
        driver_id=None,
        seated_by=None,
        seated_at=None,
        changed_by=by,
        if_=equal(car_id=ride.car_id),
    )

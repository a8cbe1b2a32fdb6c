"""Seats as they are written: entering or leaving a car and the car's count, together."""

from __future__ import annotations

from typing import Any

from commonroom.hangouts.rules.carpool import check_free
from commonroom.hangouts.tables import Car, Ride
from commonroom.moments import iso
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
"""Of a ride. Its owner's name follows the account, also while the ride is changed."""


NO_SEAT: dict[str, Any] = dict.fromkeys(("car_id", "driver_id", "seated_by", "seated_at"))
"""Of a ride: that it is needed."""


def seat_in(car: Car, *, by: str, now: float) -> dict[str, Any]:
    """Returns the fields of a ride in a car: given by its driver, or taken by the rider."""
    return {
        "car_id": car.car_id,
        "driver_id": car.user_id,
        "seated_by": by,
        "seated_at": iso(now),
    }


def ride_write(before: Ride | None, after: Ride) -> Write:
    """Returns a ride on condition that it is as it was read: what a car counts depends on it."""
    if before is None:
        return create(after)
    changes = {name: getattr(after, name) for name in CHANGED}
    return update(before, **changes, if_=same_ride(before))


def same_ride(ride: Ride) -> Condition:
    """That nobody has changed where a person sits, with whom, and under which answer."""
    return as_read(ride, "car_id", "people", "rsvp_status", "taken_at")


def enter_car(car: Car, ride: Ride) -> Write:
    """Returns the writes that put a party into a car; refused where not all of them fit.

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
    """Returns the writes that change how many a rider brings."""
    check_free(car, more)
    fits = equal(seats=car.seats) & at_most(seats_taken=car.seats - more)
    return update(car, seats_taken=add(more), if_=fits)


def leave_car(car: Car, ride: Ride) -> Write:
    """Returns the writes that take a party out of a car."""
    left = [one for one in car.rider_ids if one != ride.user_id]
    return update(car, seats_taken=add(-ride.people), rider_ids=left, if_=as_read(car, "rider_ids"))


async def free_riders(
    store: Store, car: Car, by: str | None = None, *, driver: Ride | None = None
) -> list[Write]:
    """Returns what takes a car away: its driver rides no more, and all others need a ride again.

    Where it is not the driver who does it, their ride must be as it was read.
    """
    refs: list[Ref[Any]] = [
        Ride.at(hangout_id=car.hangout_id, user_id=one) for one in car.rider_ids
    ]
    rides = await store.batch_get(refs)
    return [
        delete(car, if_=as_read(car, "rider_ids")),
        delete(
            Ride.at(hangout_id=car.hangout_id, user_id=car.user_id),
            if_=None if driver is None else same_ride(driver),
        ),
        *(freed(one, by) for one in rides if one is not None and one.car_id == car.car_id),
    ]


def freed(ride: Ride, by: str | None = None) -> Write:
    """Returns the writes for a rider whose car is gone: a ride is needed again."""
    return update(ride, **NO_SEAT, changed_by=by, if_=equal(car_id=ride.car_id))

"""Carpool: cars, and how each person gets there."""

from __future__ import annotations

from msgspec import field

from commonroom.hangouts.tables.inviter import OnHangout, inviter, keys_on_hangout
from commonroom.hangouts.tables.rsvps import RsvpDependent


class Car(OnHangout, table=inviter, kind="CAR"):
    """A car that goes there, and who drives it."""

    car_id: str
    seats: int
    """The driver's included."""
    seats_taken: int = 1
    """Held by a condition: never more than there are."""
    rider_ids: list[str] = field(default_factory=list)
    """Who rides in it, but for the driver: a car that goes away frees all of them at once."""
    note: str | None = None
    created_at: str

    keys = keys_on_hangout("CAR#{car_id}")


# One for each person, whether they drive, ride or look for a ride: so nobody has two seats, or has
# one and still needs one.
class Ride(RsvpDependent, table=inviter, kind="RIDE"):
    """How a person gets there: in a car, or not known yet, because they need a ride."""

    car_id: str | None = None
    """Absent while they need a ride."""
    driver_id: str | None = None
    people: int = 1
    """With those whom they bring."""
    note: str | None = None
    seated_by: str | None = None
    """Who gave them the seat: themselves, or the driver."""
    seated_at: str | None = None
    changed_by: str | None = None
    """The account that did it, which need not be told of it."""
    asked_at: str

    keys = keys_on_hangout("RIDE#{user_id}", "RIDE")

"""Carpool: cars, their seats, and who needs a ride."""

from __future__ import annotations

from commonroom.hangouts.tables.inviter import inviter
from commonroom.store import Entity, Keys


class Car(Entity, table=inviter, kind="CAR", rename="camel"):
    """A car that goes there."""

    hangout_id: str
    car_id: str
    user_id: str
    """Who drives."""
    user_name: str | None = None
    seats: int
    """The driver's included."""
    seats_taken: int = 1
    """Held by a condition: never more than there are."""
    note: str | None = None
    created_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="CAR#{car_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#CAR#{car_id}",
    )


class Seat(Entity, table=inviter, kind="SEAT", rename="camel"):
    """Somebody's seat in a car, and those of whom they bring."""

    hangout_id: str
    car_id: str
    user_id: str
    user_name: str | None = None
    plus_guests: int = 0
    taken_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="CAR#{car_id}#SEAT#{user_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#SEAT#{car_id}",
    )


class RideNeed(Entity, table=inviter, kind="RIDE_NEED", rename="camel"):
    """That somebody needs a ride."""

    hangout_id: str
    user_id: str
    user_name: str | None = None
    people: int = 1
    note: str | None = None
    asked_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="RIDE#{user_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#RIDE",
    )

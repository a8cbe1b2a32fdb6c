"""Carpool: how many a car holds, and what may be said of it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.errors import Conflict, InvalidField
from commonroom.hangouts.rules.fields import characters
from commonroom.hangouts.tables import Car
from commonroom.texts import fit_lines

MIN_SEATS, MAX_SEATS = 2, 8
"""The driver's included."""
MAX_NOTE = 200

Brought: TypeAlias = Annotated[
    int, Meta(description=f"How many others come along, 0 to {MAX_SEATS - 1}.")
]
Note: TypeAlias = Annotated[str, characters(MAX_NOTE, most=2000)]


class SeatsTaken(Conflict):
    """There are not so many seats left."""

    title = "No seat left"


def seats(number: int) -> int:
    """Returns how many seats a car has."""
    if not MIN_SEATS <= number <= MAX_SEATS:
        raise InvalidField(
            "seats", f"A car has {MIN_SEATS} to {MAX_SEATS} seats, the driver’s included."
        )
    return number


def party(plus_guests: int) -> int:
    """Returns how many people come with a person, themselves included."""
    if not 0 <= plus_guests < MAX_SEATS:
        raise InvalidField("plus_guests", f"You can bring 0 to {MAX_SEATS - 1} others.")
    return 1 + plus_guests


def note(text: str | None) -> str | None:
    """Returns where it starts, and whatever else one should know."""
    return fit_lines("note", text, MAX_NOTE)


def check_free(car: Car, more: int) -> None:
    """Refuses where a car has not so many seats left."""
    free = car.seats - car.seats_taken
    if more > max(0, free):
        raise SeatsTaken(
            "This car is full." if free <= 0 else f"Only {free} left in this car.", free=free
        )


def check_seats(car: Car, number: int, more: int) -> None:
    """Refuses fewer seats than are taken, once so many more are."""
    taken = car.seats_taken + more
    if taken > number:
        raise SeatsTaken(f"{taken} seats are taken.", free=car.seats - car.seats_taken)

"""Offers: what they may say, until when they are open, and how many spots are left."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.date_bounds import check_moment
from commonroom.errors import Conflict, InvalidField
from commonroom.hangouts.rules.fields import Moment, characters
from commonroom.hangouts.rules.tickets import Price, price
from commonroom.hangouts.tables import Offer
from commonroom.moments import in_utc, iso, seconds
from commonroom.texts import fit_line, fit_lines

MAX_TITLE = 100
MAX_NOTE = 500
MAX_SPOTS = 500
MAX_CLAIMED = 20
"""Spots that one person claims."""
MAX_OFFERS = 20
"""On one hangout."""


class SpotsTaken(Conflict):
    """There are not so many spots left."""

    title = "No spot left"


class TypedOffer(Struct, kw_only=True):
    """An offer as entered."""

    title: Annotated[str, characters(MAX_TITLE, least=1)]
    note: Annotated[str, characters(MAX_NOTE, most=5000)] | None = None
    price: Price | None = None
    deadline: Annotated[
        Moment | None, Meta(description="Until when spots can be claimed, with its offset.")
    ] = None
    capacity: Annotated[
        int | None, Meta(description=f"1 to {MAX_SPOTS}; null: as many as are wanted.")
    ] = None
    for_tickets: Annotated[
        bool, Meta(description="Whether whoever has a spot has their ticket once it is settled.")
    ] = True


def capacity(number: int | None) -> int | None:
    """Returns how many spots there are; None where as many as are wanted."""
    if number is not None and not 1 <= number <= MAX_SPOTS:
        raise InvalidField("capacity", f"Set 1 to {MAX_SPOTS} spots.")
    return number


def deadline(moment: str | None) -> str | None:
    """Until when it is open."""
    if moment is None:
        return None
    try:
        return in_utc(moment)
    except ValueError:
        raise InvalidField("deadline", "Enter a day.") from None


def offer_fields(typed: TypedOffer, before: Offer | None, now: float) -> dict[str, object]:
    """Returns the fields of an offer; a deadline that is set now lies ahead."""
    until = deadline(typed.deadline)
    is_new = before is None or before.deadline != until
    if until is not None and is_new:
        if until <= iso(now):
            raise InvalidField("deadline", "This day is over.")
        check_moment("deadline", seconds(until), now)
    return {
        "title": fit_line("title", typed.title, MAX_TITLE, "Say what you offer."),
        "note": fit_lines("note", typed.note, MAX_NOTE),
        "price": price(typed.price),
        "deadline": until,
        "capacity": capacity(typed.capacity),
        "for_tickets": typed.for_tickets,
    }


def spots(number: int) -> int:
    """Returns how many spots a person claims."""
    if not 1 <= number <= MAX_CLAIMED:
        raise InvalidField("number", f"Claim 1 to {MAX_CLAIMED} spots.")
    return number


def max_taken(offer: Offer) -> int:
    """Returns how many spots can be taken in all."""
    return MAX_SPOTS if offer.capacity is None else offer.capacity


def is_open(offer: Offer, now: float) -> bool:
    """Returns whether spots can be claimed."""
    return offer.done_at is None and (offer.deadline is None or iso(now) < offer.deadline)


def check_claim(offer: Offer, more: int, now: float) -> None:
    """Refuses where so many more spots cannot be claimed."""
    if offer.done_at is not None:
        raise Conflict("This is settled already.")
    free = max_taken(offer) - offer.spots_taken
    if more <= 0:
        return
    if not is_open(offer, now):
        raise Conflict("It is too late for this offer.")
    if more > free:
        raise SpotsTaken(
            "All spots are taken." if free <= 0 else f"Only {free} left.", free=max(0, free)
        )

"""Tickets: what a person says of theirs, and of where to get some."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from commonroom.errors import FieldErrors, InvalidField
from commonroom.hangouts.rules.fields import characters
from commonroom.hangouts.tables import TicketStatus
from commonroom.texts import fit_optional_line

MAX_TICKETS = 20
MAX_PRICE = 60
MAX_SEAT = 40

Price: TypeAlias = Annotated[str, characters(MAX_PRICE)]
SeatName: TypeAlias = Annotated[str, characters(MAX_SEAT)]


def price(text: str | None, field: str = "price") -> str | None:
    """Returns what one costs, in anybody's words: "about 25 €"."""
    return fit_optional_line(field, text, MAX_PRICE)


def ticket_fields(
    status: TicketStatus, number: int, section: str | None, seat: str | None, spare: int
) -> dict[str, Any]:
    """Returns the fields of a person's tickets; those who need some have no seats yet."""
    errors = FieldErrors()
    has = status == "HAS"
    fields = {
        "status": status,
        "number": errors.check(_number, number),
        "section": errors.check(fit_optional_line, "section", section, MAX_SEAT),
        "seat": errors.check(fit_optional_line, "seat", seat, MAX_SEAT),
        "spare": errors.check(_spare, spare, number) if has else 0,
    }
    errors.raise_if_any()
    return fields if has else {**fields, "section": None, "seat": None}


def _number(number: int) -> int:
    if not 1 <= number <= MAX_TICKETS:
        raise InvalidField("number", f"Enter 1 to {MAX_TICKETS} tickets.")
    return number


def _spare(spare: int, number: int) -> int:
    if not 0 <= spare <= number:
        raise InvalidField("spare", "You can give away as many as you have.")
    return spare

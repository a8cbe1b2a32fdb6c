"""Tickets: what somebody says of theirs, and of where to get some."""

from __future__ import annotations

from typing import Any

from commonroom.errors import FieldErrors, InvalidField
from commonroom.hangouts.tables import TicketStatus
from commonroom.texts import fit_optional_line

MOST_TICKETS = 20
LONGEST_PRICE = 60
LONGEST_SEAT = 40


def price(text: str | None, field: str = "price") -> str | None:
    """What one costs, in anybody's words: "about 25 €"."""
    return fit_optional_line(field, text, LONGEST_PRICE)


def ticket_fields(
    status: TicketStatus, number: int, section: str | None, seat: str | None, spare: int
) -> dict[str, Any]:
    """The fields of somebody's tickets; whoever needs some has no seats yet."""
    errors = FieldErrors()
    has = status == "HAS"
    fields = {
        "status": status,
        "number": errors.check(_number, number),
        "section": errors.check(fit_optional_line, "section", section, LONGEST_SEAT),
        "seat": errors.check(fit_optional_line, "seat", seat, LONGEST_SEAT),
        "spare": errors.check(_spare, spare, number) if has else 0,
    }
    errors.raise_if_any()
    return fields if has else {**fields, "section": None, "seat": None}


def _number(number: int) -> int:
    if not 1 <= number <= MOST_TICKETS:
        raise InvalidField("number", f"Enter 1 to {MOST_TICKETS} tickets.")
    return number


def _spare(spare: int, number: int) -> int:
    if not 0 <= spare <= number:
        raise InvalidField("spare", "You can give away as many as you have.")
    return spare

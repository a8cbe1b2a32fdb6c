"""Tickets: who needs some, who has some, and who has some to spare."""

from __future__ import annotations

from typing import Literal, TypeAlias

from commonroom.hangouts.tables.inviter import inviter, keys_on_hangout
from commonroom.hangouts.tables.rsvps import RsvpDependent

TicketStatus: TypeAlias = Literal["NEEDS", "HAS"]


# Kept under BOOKING, because TICKET would sort behind what is said, which a page reads last.
class Ticket(RsvpDependent, table=inviter, kind="TICKET"):
    """Whether a person has a ticket, needs one, or has some to spare."""

    status: TicketStatus
    number: int = 1
    """How many they need, or have."""
    section: str | None = None
    seat: str | None = None
    spare: int = 0
    """How many of theirs they can give away."""
    updated_at: str

    keys = keys_on_hangout("BOOKING#{user_id}", "BOOKING")

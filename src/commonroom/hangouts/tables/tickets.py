"""Tickets: who needs some, who has some, and who has some to spare."""

from __future__ import annotations

from typing import Literal, TypeAlias

from commonroom.hangouts.tables.inviter import inviter
from commonroom.hangouts.tables.rsvps import RsvpStatus
from commonroom.store import Entity, Keys

TicketStatus: TypeAlias = Literal["NEEDS", "HAS"]


# Kept under BOOKING, because TICKET would sort behind what is said, which a page reads last.
class Ticket(Entity, table=inviter, kind="TICKET", rename="camel"):
    """Whether a person has a ticket, needs one, or has some to spare."""

    hangout_id: str
    user_id: str
    user_name: str | None = None
    status: TicketStatus
    number: int = 1
    """How many they need, or have."""
    section: str | None = None
    seat: str | None = None
    spare: int = 0
    """How many of theirs they can give away."""
    rsvp_status: RsvpStatus | None = None
    """What they had answered when they said so; None where they had not."""
    taken_at: str | None = None
    """When that was; None for what earlier versions wrote."""
    updated_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="BOOKING#{user_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#BOOKING",
    )

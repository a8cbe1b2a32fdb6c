"""Tickets and bookings: who needs one, who has one, and offers to take care of it for others."""

from __future__ import annotations

from typing import Literal, TypeAlias

from commonroom.hangouts.tables.inviter import inviter
from commonroom.store import Entity, Keys

TicketStatus: TypeAlias = Literal["NEEDS", "HAS"]


# Kept under BOOKING, because TICKET would sort behind what is said, which a page reads last.
class Ticket(Entity, table=inviter, kind="TICKET", rename="camel"):
    """Whether somebody has a ticket, needs one, or has some to spare."""

    hangout_id: str
    user_id: str
    user_name: str | None = None
    status: TicketStatus
    section: str | None = None
    seat: str | None = None
    spare: int = 0
    updated_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="BOOKING#{user_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#BOOKING",
    )


class Offer(Entity, table=inviter, kind="OFFER", rename="camel"):
    """What somebody offers to buy or book for others, by a day."""

    hangout_id: str
    offer_id: str
    user_id: str
    """Who offers it."""
    user_name: str | None = None
    title: str
    note: str | None = None
    price: str | None = None
    deadline: str | None = None
    capacity: int | None = None
    """How many spots there are, where their number is limited."""
    spots_taken: int = 0
    """Held by a condition: never more than there are."""
    done_at: str | None = None
    created_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="OFFER#{offer_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#OFFER#{offer_id}",
    )


class Spot(Entity, table=inviter, kind="SPOT", rename="camel"):
    """What somebody claims of an offer."""

    hangout_id: str
    offer_id: str
    user_id: str
    user_name: str | None = None
    number: int = 1
    claimed_at: str

    keys = Keys(
        PK="EVENT#{hangout_id}",
        SK="OFFER#{offer_id}#SPOT#{user_id}",
        gsi1pk="USER#{user_id}",
        gsi1sk="ON#{hangout_id}#SPOT#{offer_id}",
    )

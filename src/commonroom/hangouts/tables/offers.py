"""Offers: what a person buys or books for others, and who takes part."""

from __future__ import annotations

from commonroom.hangouts.tables.inviter import OnHangout, inviter, keys_on_hangout
from commonroom.hangouts.tables.rsvps import RsvpDependent


class Offer(OnHangout, table=inviter, kind="OFFER"):
    """What a person offers to buy or book for others, by a day."""

    offer_id: str
    title: str
    note: str | None = None
    price: str | None = None
    deadline: str | None = None
    """Until when spots can be claimed."""
    capacity: int | None = None
    """How many spots there are, where their number is limited."""
    spots_taken: int = 0
    """Held by a condition: never more than there are."""
    done_at: str | None = None
    """When it was bought or booked; its spots are settled then."""
    for_tickets: bool = True
    """Whether a spot is a ticket: the person who needs one has it when it is bought."""
    created_at: str

    keys = keys_on_hangout("OFFER#{offer_id}")


class Spot(RsvpDependent, table=inviter, kind="SPOT"):
    """A person's claim of spots of an offer."""

    offer_id: str
    number: int = 1
    claimed_at: str

    keys = keys_on_hangout("OFFER#{offer_id}#SPOT#{user_id}", "SPOT#{offer_id}")

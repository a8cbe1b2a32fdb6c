"""Departures: what a person has on a hangout goes back when they do not come, or leave."""

from __future__ import annotations

from typing import TypeAlias

from commonroom.errors import NotFound
from commonroom.hangouts.service.attachments import remove_attachment
from commonroom.hangouts.service.ballots import remove_ballot
from commonroom.hangouts.service.bring_list import remove_claim
from commonroom.hangouts.service.carpool import free_seats_of
from commonroom.hangouts.service.detail import read_things
from commonroom.hangouts.service.guards import Guard, has_declined, no_guard
from commonroom.hangouts.service.offers import free_spots_of, remove_offers_of
from commonroom.hangouts.service.rsvps import remove_rsvp
from commonroom.hangouts.service.tickets import remove_ticket_of, spare_tickets_of
from commonroom.hangouts.tables import (
    Attachment,
    Ballot,
    BringClaim,
    Offer,
    Ride,
    Rsvp,
    Spot,
    Ticket,
    detail,
)
from commonroom.store import Store

PersonalThing: TypeAlias = Rsvp | Ballot | BringClaim | Ride | Spot | Offer | Ticket | Attachment
"""What goes with a person. A car goes with its driver's ride; what people said stays."""


async def remove_thing(
    store: Store, now: float, thing: PersonalThing, guard: Guard = no_guard
) -> None:
    """Removes something that a person has on a hangout, and what counts it; twice does no harm."""
    match thing:
        case Ballot():
            await remove_ballot(store, thing, guard)
        case BringClaim():
            await remove_claim(store, thing, guard)
        case Ride():
            await free_seats_of(store, thing.hangout_id, thing.user_id, guard)
        case Spot():
            await free_spots_of(store, thing.hangout_id, thing.user_id, guard)
        case Offer():
            await remove_offers_of(store, thing.hangout_id, thing.user_id, guard)
        case Ticket():
            await remove_ticket_of(store, thing.hangout_id, thing.user_id, guard)
        case Attachment():
            await remove_attachment(store, thing, guard)
        case Rsvp():
            await remove_rsvp(store, now, thing.hangout_id, thing.user_id, guard)


async def leave_hangout(store: Store, now: float, hangout_id: str, user_id: str) -> None:
    """Takes everything back that a person has on a hangout which is no longer for them."""
    async for one in store.all(detail(hangout_id=hangout_id)):
        if isinstance(one, PersonalThing) and one.user_id == user_id:
            await remove_thing(store, now, one)


async def decline(store: Store, hangout_id: str, user_id: str, *, since: str | None = None) -> None:
    """Releases what a person had who does not come; their tickets can be given away.

    What they took since they declined, or took their answer back, stays. Whatever they took before
    the moment `since` is older.
    """
    try:
        things = await read_things(store, hangout_id)
    except NotFound:
        return
    guard = has_declined(store, hangout_id, user_id, since=since)
    for claim in things.of(BringClaim):
        if claim.user_id == user_id:
            await remove_claim(store, claim, guard)
    await free_seats_of(store, hangout_id, user_id, guard)
    await free_spots_of(store, hangout_id, user_id, guard)
    await spare_tickets_of(store, hangout_id, user_id, guard)

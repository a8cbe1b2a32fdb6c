"""Departures: what somebody has on a hangout goes back when they do not come, or leave."""

from __future__ import annotations

from commonroom.hangouts.service.carpool import free_seats_of
from commonroom.hangouts.service.offers import free_spots_of, remove_offers_of
from commonroom.hangouts.service.rsvps import remove_answer
from commonroom.hangouts.service.tickets import remove_ticket_of, spare_tickets_of
from commonroom.store import Store


async def decline(store: Store, hangout_id: str, user_id: str) -> None:
    """Gives back what somebody had who does not come: each noun by itself, and again if need be."""
    await free_seats_of(store, hangout_id, user_id)
    await free_spots_of(store, hangout_id, user_id)
    await spare_tickets_of(store, hangout_id, user_id)


async def leave_hangout(store: Store, now: float, hangout_id: str, user_id: str) -> None:
    """Takes everything back that somebody has on a hangout which is no longer for them.

    What they said stays.
    """
    await remove_answer(store, now, hangout_id, user_id)
    await free_seats_of(store, hangout_id, user_id)
    await free_spots_of(store, hangout_id, user_id)
    await remove_offers_of(store, hangout_id, user_id)
    await remove_ticket_of(store, hangout_id, user_id)

"""A car, an offer, tickets and a message on a hangout, for the table of who may do what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import carpool, offers, talk, tickets
from commonroom.store import Store

ONE = "/hangouts/{hangout_id}"
BODIES: dict[tuple[str, str], Any] = {
    ("POST", f"{ONE}/cars"): {"seats": 4},
    ("PUT", ONE + "/cars/{car_id}"): {"seats": 6},
    ("PUT", ONE + "/cars/{car_id}/seat"): {},
    ("PUT", f"{ONE}/ride"): {},
    ("PUT", f"{ONE}/tickets"): {"price": "25 €"},
    ("PUT", f"{ONE}/ticket"): {"status": "HAS"},
    ("POST", f"{ONE}/offers"): {"title": "Another"},
    ("PUT", ONE + "/offers/{offer_id}"): {"title": "Changed"},
    ("PUT", ONE + "/offers/{offer_id}/spots"): {},
    ("POST", f"{ONE}/messages"): {"text": "Hello"},
}


async def furnish_plan(
    store: Store, now: float, people: Mapping[str, User], hangout_id: str, secret: str
) -> dict[str, str]:
    """The member drives and takes who was invited along; the admin and the child need a ride.

    The member also offers something, of which who was invited has a spot, and says a secret.
    """
    member, invited, admin = (
        Context(store, people[name], now) for name in ("member", "invited", "admin")
    )
    car = await carpool.offer_car(member, hangout_id, carpool.TypedCar(seats=5, note=secret))
    await carpool.take_seat(invited, invited.person, car.ref)
    await carpool.need_ride(admin, admin.person, hangout_id, note=secret)
    await carpool.need_ride(member, people["child"], hangout_id)
    offer = await offers.make_offer(member, hangout_id, TypedOffer(title=secret, capacity=8))
    await offers.claim_spots(invited, invited.person, offer.ref)
    needed = tickets.TypedTicket(status="NEEDS")
    await tickets.set_ticket(invited, invited.person, hangout_id, needed)
    said = await talk.say(member, member.person, hangout_id, secret)
    return {
        "car_id": car.car_id,
        "offer_id": offer.offer_id,
        "message_id": said.message_id,
    }

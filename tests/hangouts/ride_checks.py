"""What must always be true of cars, offers and talk, whatever people did at once."""

from __future__ import annotations

from collections import Counter

from commonroom.hangouts.tables import Car, Hangout, Offer, Ride, Spot, TalkMessage
from commonroom.store.engine import Engine
from tests.hangouts.friends import everything_of


async def check_rides(engine: Engine) -> None:
    """Seats, spots and messages are counted exactly; nobody rides in a car that is not there."""
    await _check_cars(engine)
    await _check_offers(engine)
    said = Counter(one.hangout_id for one in await everything_of(engine, TalkMessage))
    for hangout in await everything_of(engine, Hangout):
        assert hangout.message_count == said[hangout.hangout_id], "messages are counted"


async def _check_cars(engine: Engine) -> None:
    cars = {one.car_id: one for one in await everything_of(engine, Car)}
    rides = await everything_of(engine, Ride)
    assert {one.car_id for one in rides} - {None} <= cars.keys(), "every car that is used is there"
    for car in cars.values():
        seated = [one for one in rides if one.car_id == car.car_id]
        assert car.seats_taken == sum(one.people for one in seated), "seats are counted"
        assert car.seats_taken <= car.seats, "no seat is given twice"
        assert all(one.driver_id == car.user_id for one in seated)
        ids = sorted(one.user_id for one in seated)
        assert ids == sorted([car.user_id, *car.rider_ids]), "a car knows who is in it"


async def _check_offers(engine: Engine) -> None:
    offers = {one.offer_id: one for one in await everything_of(engine, Offer)}
    spots = await everything_of(engine, Spot)
    for offer in offers.values():
        taken = sum(one.number for one in spots if one.offer_id == offer.offer_id)
        assert offer.spots_taken == taken, "spots are counted"
        assert offer.capacity is None or taken <= offer.capacity, "no spot is given twice"
    listed = [one for it in await everything_of(engine, Hangout) for one in it.offer_ids]
    assert sorted(listed) == sorted(offers), "a hangout knows its offers"

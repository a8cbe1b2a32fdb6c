"""What people bring, how they get there, tickets and offers."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from commonroom.hangouts.tables import (
    BringClaim,
    Ride,
    Spot,
    Ticket,
)
from commonroom.store import update
from tests.hangouts.checks.example import House
from tests.hangouts.checks.faults.declared import LONG_AGO, fault, lose, on, read


@fault("counts", "Its claimed is 1, not 2")
async def claims_of_a_thing(house: House) -> None:
    await house.load(house.bread, claimed=1)


@fault("orphans", "What they bring was taken off the list")
async def a_claim_of_nothing(house: House) -> None:
    await house.load(
        BringClaim(**on(house, house.ben), bring_item_id="gone", number=2, claimed_at=LONG_AGO)
    )


@fault("access", "who may no longer have this hangout")
async def a_claim_of_a_stranger(house: House) -> None:
    bread = house.bread.bring_item_id
    await house.load(BringClaim(**on(house, house.zoe), bring_item_id=bread, claimed_at=LONG_AGO))
    await house.store.write(update(house.bread.ref, claimed=3))


@fault("declined", "somebody who cannot come")
async def a_claim_of_somebody_who_cannot_come(house: House) -> None:
    bread = house.bread.bring_item_id
    await house.load(BringClaim(**on(house, house.eve), bring_item_id=bread, claimed_at=LONG_AGO))
    await house.store.write(update(house.bread.ref, claimed=3))


@fault("counts", "It counts 1 seats for 1 riders; 3 are taken, by 1")
async def seats_of_a_car(house: House) -> None:
    await house.load(house.car, seatsTaken=1)


@fault("counts", "It counts 3 seats for 2 riders; 3 are taken, by 1")
async def riders_of_a_car(house: House) -> None:
    await house.load(replace(house.car, rider_ids=[house.cleo.user_id, "gone"]))


@fault("orphans", "Its car was taken away")
async def a_seat_in_no_car(house: House) -> None:
    ride = await read(house, Ride.at(hangout_id=house.pub.hangout_id, user_id=house.ada.user_id))
    await house.load(replace(ride, car_id="gone", driver_id=house.ben.user_id))


@fault("rides", "Somebody else drives")
async def a_ride_with_another_driver(house: House) -> None:
    ride = await read(house, Ride.at(hangout_id=house.pub.hangout_id, user_id=house.cleo.user_id))
    await house.load(replace(ride, driver_id=house.ada.user_id))


@fault("rides", "Whoever drives it has no seat in it")
async def a_car_without_its_driver(house: House) -> None:
    await lose(house, Ride.at(hangout_id=house.pub.hangout_id, user_id=house.ben.user_id))


@fault("declined", "somebody who cannot come")
async def a_seat_of_somebody_who_cannot_come(house: House) -> None:
    at: dict[str, Any] = {
        "car_id": house.car.car_id,
        "driver_id": house.ben.user_id,
        "asked_at": LONG_AGO,
    }
    await house.load(Ride(**on(house, house.eve), **at))
    await house.load(
        replace(house.car, rider_ids=[house.cleo.user_id, house.eve.user_id], seats_taken=4)
    )


@fault("access", "who may no longer have this hangout")
async def a_stranger_who_needs_a_ride(house: House) -> None:
    await house.load(Ride(**on(house, house.zoe), asked_at=LONG_AGO))


@fault("access", "who may no longer have this hangout")
async def a_stranger_who_drives(house: House) -> None:
    car = replace(
        house.car, car_id="zoes", user_id=house.zoe.user_id, user_name="Zoe", rider_ids=[]
    )
    await house.load(replace(car, seats_taken=2))
    at: dict[str, Any] = {"car_id": "zoes", "driver_id": house.zoe.user_id, "asked_at": LONG_AGO}
    await house.load(Ride(**on(house, house.zoe), **at))
    needs = await read(house, Ride.at(hangout_id=house.pub.hangout_id, user_id=house.ada.user_id))
    await house.load(replace(needs, car_id="zoes", driver_id=house.zoe.user_id))
    await house.load(replace(car, seats_taken=2, rider_ids=[house.ada.user_id]))


@fault("counts", "Its spots_taken is 4, not 2")
async def spots_of_an_offer(house: House) -> None:
    await house.load(house.offer, spotsTaken=4)


@fault("orphans", "Its offer was taken back")
async def a_spot_of_no_offer(house: House) -> None:
    await house.load(Spot(**on(house, house.ben), offer_id="gone", claimed_at=LONG_AGO))


@fault("access", "who may no longer have this hangout")
async def a_spot_of_a_stranger(house: House) -> None:
    at = house.offer.offer_id
    await house.load(Spot(**on(house, house.zoe), offer_id=at, claimed_at=LONG_AGO))
    await house.store.write(update(house.offer.ref, spots_taken=3))


@fault("declined", "somebody who cannot come")
async def a_spot_of_somebody_who_cannot_come(house: House) -> None:
    at = house.offer.offer_id
    await house.load(Spot(**on(house, house.eve), offer_id=at, claimed_at=LONG_AGO))
    await house.store.write(update(house.offer.ref, spots_taken=3))


@fault("access", "who may no longer have this hangout")
async def an_offer_of_a_stranger(house: House) -> None:
    who = {"user_id": house.zoe.user_id, "user_name": "Zoe"}
    await house.load(replace(house.offer, offer_id="zoes", spots_taken=0, **who))


@fault("tickets", "It has 2 tickets, and 5 to give away")
async def tickets_that_nobody_has(house: House) -> None:
    ref = Ticket.at(hangout_id=house.pub.hangout_id, user_id=house.ben.user_id)
    await house.load(await read(house, ref), spare=5)


@fault("declined", "somebody who cannot come")
async def a_ticket_for_somebody_who_cannot_come(house: House) -> None:
    await house.load(Ticket(**on(house, house.eve), status="NEEDS", updated_at=LONG_AGO))

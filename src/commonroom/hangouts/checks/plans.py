"""What a plan needs: things to bring, cars, tickets and offers count what people took of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from commonroom.hangouts.checks.snapshots import HangoutSnapshot
from commonroom.hangouts.service.attachments import pointer_of
from commonroom.hangouts.service.seats import freed
from commonroom.hangouts.tables import (
    Attachment,
    AttachmentPointer,
    BringClaim,
    BringItem,
    Car,
    Hangout,
    Offer,
    Ride,
    Spot,
    Ticket,
)
from commonroom.store import (
    as_read,
    check,
    create,
    delete,
    equal,
    new,
    stored,
    update,
    update_with_copies,
)
from commonroom.store.checking import Problem


def check_bring_list(snapshot: HangoutSnapshot) -> Iterator[Problem]:
    """Checks that what is claimed is what people bring, and never more than is needed."""
    items = {one.bring_item_id for one in snapshot.of(BringItem)}
    claimed: Counter[str] = Counter()
    for one in snapshot.of(BringClaim):
        claimed[one.bring_item_id] += one.number
        if one.bring_item_id not in items:
            ref = BringItem.at(hangout_id=one.hangout_id, bring_item_id=one.bring_item_id)
            gone = check(ref, if_=new)
            yield Problem.of(
                "orphans", one, "What they bring was taken off the list.", gone, delete(one)
            )
    for item in snapshot.of(BringItem):
        number = claimed[item.bring_item_id]
        if item.claimed != number:
            repair = update(item.ref, claimed=number, if_=as_read(item, "claimed"))
            detail = f"Its claimed is {item.claimed}, not {number}."
            yield Problem.of("counts", item, detail, repair)
        if number > item.needed:
            detail = f"People bring {number} of it; {item.needed} are needed."
            yield Problem.of("overbooked", item, detail)


def check_offers(snapshot: HangoutSnapshot) -> Iterator[Problem]:
    """Spots are counted, and never more than there are."""
    offers = {one.offer_id for one in snapshot.of(Offer)}
    taken: Counter[str] = Counter()
    for one in snapshot.of(Spot):
        taken[one.offer_id] += one.number
        if one.offer_id not in offers:
            gone = check(Offer.at(hangout_id=one.hangout_id, offer_id=one.offer_id), if_=new)
            yield Problem.of("orphans", one, "Its offer was taken back.", gone, delete(one))
    for offer in snapshot.of(Offer):
        number = taken[offer.offer_id]
        if offer.spots_taken != number:
            repair = update(offer.ref, spots_taken=number, if_=as_read(offer, "spots_taken"))
            detail = f"Its spots_taken is {offer.spots_taken}, not {number}."
            yield Problem.of("counts", offer, detail, repair)
        if offer.capacity is not None and number > offer.capacity:
            detail = f"{number} spots are taken of {offer.capacity}."
            yield Problem.of("overbooked", offer, detail)


def check_tickets(snapshot: HangoutSnapshot) -> Iterator[Problem]:
    """Nobody gives away more tickets than they have."""
    for one in snapshot.of(Ticket):
        if one.spare > one.number:
            repair = update(one, spare=one.number, if_=as_read(one, "number", "spare"))
            detail = f"It has {one.number} tickets, and {one.spare} to give away."
            yield Problem.of("tickets", one, detail, repair)


def check_attachments(snapshot: HangoutSnapshot) -> Iterator[Problem]:
    """Checks that what is attached knows where, and nothing else does."""
    pointers = {(one.kind, one.thing_id): one for one in snapshot.of(AttachmentPointer)}
    for one in snapshot.of(Attachment):
        if pointers.pop((one.kind, one.thing_id), None) is None:
            repair = [check(one, if_=stored), create(pointer_of(one))]
            yield Problem.of("pointers", one, "What is attached does not know where.", *repair)
    for stray in pointers.values():
        ref = Attachment.at(hangout_id=stray.hangout_id, kind=stray.kind, thing_id=stray.thing_id)
        gone = check(ref, if_=new)
        yield Problem.of("orphans", stray, "It is not attached any more.", gone, delete(stray))


def check_momentum(snapshot: HangoutSnapshot, hangout: Hangout) -> tuple[Hangout, list[Problem]]:
    """Checks that what is bought is on, unless taken back; and the hangout once it is."""
    bought: list[Ticket | Offer] = [one for one in snapshot.of(Ticket) if one.status == "HAS"]
    bought += [one for one in snapshot.of(Offer) if one.done_at is not None]
    if not bought or hangout.momentum == "CONFIRMED" or hangout.held_back_at is not None:
        return hangout, []
    held = as_read(hangout, "momentum", "held_back_at", "version")
    on: dict[str, Any] = {"momentum": "CONFIRMED"}
    repair = [*update_with_copies(hangout, if_=held, **on), check(bought[0], if_=stored)]
    detail = "Tickets are bought for it, and it is not confirmed."
    return replace(hangout, **on), [Problem.of("momentum", hangout, detail, *repair)]


def check_carpool(snapshot: HangoutSnapshot) -> tuple[dict[str, Car], list[Problem]]:
    """Seats are those of the rides; and the cars once that is repaired."""
    cars = {one.car_id: one for one in snapshot.of(Car)}
    rides = {one.user_id: one for one in snapshot.of(Ride)}
    problems = [found for ride in rides.values() for found in _check_ride(ride, cars)]
    for car in snapshot.of(Car):
        inside = [one for one in rides.values() if one.car_id == car.car_id]
        problems += _check_car(car, inside, rides.get(car.user_id))
        people = sum(one.people for one in inside)
        cars[car.car_id] = replace(car, seats_taken=people, rider_ids=_riders(car, inside))
    return cars, problems


def _check_ride(ride: Ride, cars: dict[str, Car]) -> Iterator[Problem]:
    if ride.car_id is None:
        return
    car = cars.get(ride.car_id)
    if car is None:
        gone = check(Car.at(hangout_id=ride.hangout_id, car_id=ride.car_id), if_=new)
        yield Problem.of("orphans", ride, "Its car was taken away.", gone, freed(ride))
    elif car.user_id != ride.driver_id:
        repair = update(ride, driver_id=car.user_id, if_=as_read(ride, "car_id"))
        there = check(car, if_=equal(user_id=car.user_id))
        yield Problem.of("rides", ride, "Somebody else drives.", there, repair)


def _check_car(car: Car, inside: list[Ride], drivers: Ride | None) -> Iterator[Problem]:
    people = sum(one.people for one in inside)
    others = _riders(car, inside)
    if drivers is None:
        yield _driverless(car, people, others)
        return
    if drivers.car_id != car.car_id:
        elsewhere = check(drivers, if_=as_read(drivers, "car_id"))
        gone = delete(car, if_=as_read(car, "rider_ids"))
        riders = [freed(one) for one in inside]
        detail = "Whoever drives it goes in another car, or looks for one."
        yield Problem.of("rides", car, detail, elsewhere, gone, *riders)
        return
    if car.seats_taken != people or car.rider_ids != others:
        held = as_read(car, "seats_taken", "rider_ids")
        repair = update(car.ref, seats_taken=people, rider_ids=others, if_=held)
        detail = (
            f"It counts {car.seats_taken} seats for {len(car.rider_ids)} riders; "
            f"{people} are taken, by {len(others)}."
        )
        yield Problem.of("counts", car, detail, repair)
    if people > car.seats:
        yield Problem.of("overbooked", car, f"{people} people go in it; it has {car.seats} seats.")


def _riders(car: Car, inside: list[Ride]) -> list[str]:
    """Returns who rides in a car besides its driver, in the order in which the car has them."""
    ids = [one.user_id for one in inside if one.user_id != car.user_id]
    known = [one for one in dict.fromkeys(car.rider_ids) if one in ids]
    return known + [one for one in ids if one not in car.rider_ids]


def _driverless(car: Car, others: int, rider_ids: list[str]) -> Problem:
    """Checks that the driver has a seat: as many as nobody else has, and one at least."""
    people = max(1, car.seats_taken - others)
    ride = Ride(
        hangout_id=car.hangout_id,
        user_id=car.user_id,
        user_name=car.user_name,
        car_id=car.car_id,
        driver_id=car.user_id,
        people=people,
        seated_by=car.user_id,
        seated_at=car.created_at,
        asked_at=car.created_at,
    )
    held = as_read(car, "seats_taken", "rider_ids")
    same = update(car.ref, seats_taken=people + others, rider_ids=rider_ids, if_=held)
    return Problem.of("rides", car, "Whoever drives it has no seat in it.", create(ride), same)

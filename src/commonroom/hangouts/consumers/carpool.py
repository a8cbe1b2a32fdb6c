"""After a car was offered, or a person got or lost a seat by another's action: they are told."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec import Struct

from commonroom.hangouts import notifications
from commonroom.hangouts.consumers.recipients import accounts_of
from commonroom.hangouts.rules.times import phase
from commonroom.hangouts.tables import Car, Hangout, Ride, rides
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import tell
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer

OFFERS_SECONDS = 3600
SEATS_SECONDS = 60
"""What happens again within so long is told once, so that nobody can have others told all day."""


async def tell_of_rides(store: Store, change: Change) -> None:
    """Tells those who need a ride of a car, and a rider of a seat that is theirs or gone."""
    if change.entity is Car:
        if change.kind == "insert" and change.new.seats_taken < change.new.seats:
            await _tell_of_car(store, change.at, change.new)
    elif change.kind == "modify":
        await _tell_rider(store, change.at, change.old, change.new)


async def _tell_of_car(store: Store, now: float, car: Car) -> None:
    if await store.get(car.ref) is None:
        return
    async for ride in store.all(rides(hangout_id=car.hangout_id)):
        if ride.car_id is None:
            about = f"{car.hangout_id}/{car.user_id}/{int(now // OFFERS_SECONDS)}"
            news = RideNews(notifications.SEAT_OFFERED, about, ride, car.user_id)
            await _tell(store, now, news)


async def _tell_rider(store: Store, now: float, old: Ride, new: Ride) -> None:
    about = f"{new.hangout_id}/{new.user_id}/{int(now // SEATS_SECONDS)}"
    by, known = new.changed_by, {old.driver_id, new.driver_id}
    if old.car_id is not None and new.car_id is None:
        await _tell(store, now, RideNews(notifications.SEAT_LOST, about, new, by, known))
    elif new.car_id not in (None, old.car_id) and new.seated_by != new.user_id:
        await _tell(store, now, RideNews(notifications.SEAT_GIVEN, about, new, by, known))


class RideNews(Struct, frozen=True):
    """What a rider is told."""

    kind: Kind
    about: str
    ride: Ride
    by: str | None
    """Who did it."""
    known_to: Collection[str | None] = ()
    """Who knows of it anyway."""


async def _tell(store: Store, now: float, news: RideNews) -> None:
    """Tells the rider or their manager; never anybody of what they did themselves."""
    ride = news.ride
    hangout = await store.get(Hangout.at(hangout_id=ride.hangout_id))
    if hangout is None or phase(hangout.start_timestamp, hangout.end_timestamp, now) == "past":
        return
    riders = await accounts_of(store, [ride.user_id])
    people = [one for one in riders if one.user_id not in news.known_to]
    link = f"{notifications.page_of(ride.hangout_id)}#cars"
    told: dict[str, Any] = {"facts": {"title": hangout.title}, "link": link, "id": news.about}
    await tell(store, now, people, news.kind, by=news.by, **told)


CARPOOL = Consumer(
    "hangouts-carpool",
    (Car, Ride),
    tell_of_rides,
    tells=(notifications.SEAT_OFFERED, notifications.SEAT_GIVEN, notifications.SEAT_LOST),
)

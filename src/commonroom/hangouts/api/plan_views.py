"""What the API shows of cars, tickets, offers and talk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import tables
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.hangouts.service.talk import PAGE
from commonroom.hangouts.tables import TicketStatus
from commonroom.http.projections import projection

People = Annotated[int, Meta(description="With those whom they bring.")]


class RideView(Struct, frozen=True):
    """A person in a car, or one who needs a ride."""

    user_id: str
    user_name: str | None
    car_id: Annotated[str | None, Meta(description="Null while they need a ride.")]
    people: People
    note: str | None


class CarView(Struct, frozen=True, kw_only=True):
    """A car that goes to a hangout."""

    car_id: str
    user_id: Annotated[str, Meta(description="Who drives.")]
    user_name: str | None
    seats: Annotated[int, Meta(description="The driver’s included.")]
    seats_taken: int
    note: str | None


class FullCar(CarView, frozen=True, kw_only=True):
    """A car with its riders."""

    riders: Annotated[list[RideView], Meta(description="The driver first.")]


class TicketView(Struct, frozen=True):
    """A person’s tickets."""

    user_id: str
    user_name: str | None
    status: TicketStatus
    number: Annotated[int, Meta(description="How many they need, or have.")]
    section: str | None
    seat: str | None
    spare: Annotated[int, Meta(description="How many of them they can give away.")]


class SpotView(Struct, frozen=True):
    """A person's claim of spots of an offer."""

    user_id: str
    user_name: str | None
    number: int


class OfferView(Struct, frozen=True, kw_only=True):
    """What a person buys or books for others."""

    offer_id: str
    user_id: Annotated[str, Meta(description="Who offers it.")]
    user_name: str | None
    title: str
    note: str | None
    price: str | None
    deadline: Annotated[Moment | None, Meta(description="Until when spots can be claimed.")]
    capacity: Annotated[int | None, Meta(description="How many spots there are, if limited.")]
    spots_taken: int
    done_at: Annotated[Moment | None, Meta(description="When it was bought or booked.")]
    for_tickets: Annotated[bool, Meta(description="Whether a spot is a ticket.")]


class FullOffer(OfferView, frozen=True, kw_only=True):
    """An offer with the claims of its spots."""

    spots: list[SpotView]


class TalkMessageView(Struct, frozen=True):
    """Something that was said."""

    message_id: str
    user_id: str
    user_name: Annotated[str | None, Meta(description="Null where they have left.")]
    text: str
    sent_at: Moment


ride = projection(tables.Ride, RideView)
car = projection(tables.Car, CarView)
ticket = projection(tables.Ticket, TicketView)
spot = projection(tables.Spot, SpotView)
offer = projection(tables.Offer, OfferView)
message = projection(tables.TalkMessage, TalkMessageView)


def cars(things: HangoutThings) -> list[FullCar]:
    """Returns all cars with their riders, the first offered first."""
    by_car: defaultdict[str | None, list[tables.Ride]] = defaultdict(list)
    for one in things.of(tables.Ride):
        by_car[one.car_id].append(one)
    found = sorted(things.of(tables.Car), key=lambda one: one.created_at)
    return [_full_car(one, by_car[one.car_id]) for one in found]


def _full_car(one: tables.Car, rides: Iterable[tables.Ride]) -> FullCar:
    seated = sorted(rides, key=lambda it: (it.user_id != one.user_id, it.seated_at or ""))
    return FullCar(
        car_id=one.car_id,
        user_id=one.user_id,
        user_name=one.user_name,
        seats=one.seats,
        seats_taken=one.seats_taken,
        note=one.note,
        riders=[ride(it) for it in seated],
    )


def needed_rides(things: HangoutThings) -> list[RideView]:
    """Returns who needs a ride, the first to ask first."""
    needed = [one for one in things.of(tables.Ride) if one.car_id is None]
    return [ride(one) for one in sorted(needed, key=lambda one: one.asked_at)]


def offers(things: HangoutThings) -> list[FullOffer]:
    """Returns all offers, the first made first, with their spots."""
    by_offer: defaultdict[str, list[tables.Spot]] = defaultdict(list)
    for one in things.of(tables.Spot):
        by_offer[one.offer_id].append(one)
    found = sorted(things.of(tables.Offer), key=lambda one: one.created_at)
    return [_full_offer(one, by_offer[one.offer_id]) for one in found]


def _full_offer(one: tables.Offer, spots: Sequence[tables.Spot]) -> FullOffer:
    return FullOffer(
        offer_id=one.offer_id,
        user_id=one.user_id,
        user_name=one.user_name,
        title=one.title,
        note=one.note,
        price=one.price,
        deadline=one.deadline,
        capacity=one.capacity,
        spots_taken=one.spots_taken,
        done_at=one.done_at,
        for_tickets=one.for_tickets,
        spots=[spot(it) for it in sorted(spots, key=lambda it: it.claimed_at)],
    )


def newest_messages(things: HangoutThings) -> list[TalkMessageView]:
    """Returns the newest messages; there may be earlier ones."""
    return [message(one) for one in things.of(tables.TalkMessage)[:PAGE]]

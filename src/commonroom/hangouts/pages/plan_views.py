"""Cars, tickets, offers and talk as a hangout's page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.hangouts.rules.carpool import MAX_SEATS
from commonroom.hangouts.rules.offers import MAX_CLAIMED, is_open, max_taken
from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.service.talk import PAGE
from commonroom.hangouts.tables import Car, Offer, Ride, Spot, TalkMessage, Ticket
from commonroom.http.typed_times import UTC_NAME, known_zone, local
from commonroom.http.words import _, join_names, pluralize


class RiderView(Struct, frozen=True):
    """A person in a car, or one who needs a ride."""

    user_id: str
    name: str
    company: str
    """How many others they bring, in words; empty where none."""
    note: str | None
    people: int
    fits: bool = False
    """Whether the reader's own car has room for all of them."""


class CarCard(Struct, frozen=True, kw_only=True):
    """A car."""

    car_id: str
    title: str
    free: int
    left: str
    """How many seats are left, in words."""
    note: str | None
    riders: list[RiderView]
    """All but the driver."""
    is_mine: bool
    is_full: bool
    my_people: int
    """How many seats the reader has in it."""
    choices: list[int]
    """How many seats the reader could have in it."""
    seats: int
    brings: int
    """How many others the driver brings."""


class CarpoolView(Struct, frozen=True):
    """Everything about getting there."""

    cars: list[CarCard]
    needs: list[RiderView]
    mine: Ride | None
    is_driver: bool


class SpotCard(Struct, frozen=True):
    """Who claims spots of an offer."""

    name: str
    number: int


class OfferCard(Struct, frozen=True, kw_only=True):
    """An offer."""

    offer: Offer
    by: str
    deadline_day: str
    """The last day, as a field for dates takes it."""
    is_mine: bool
    is_open: bool
    left: str
    """How many spots are taken or left, in words."""
    people: str
    my_number: int
    choices: list[int]
    """How many spots the reader could have."""


class TicketCard(Struct, frozen=True):
    """A person's tickets."""

    name: str
    words: str
    spare: int


class TicketsView(Struct, frozen=True, kw_only=True):
    """Everything about tickets and bookings."""

    having: list[TicketCard]
    needing: list[TicketCard]
    mine: Ticket | None
    offers: list[OfferCard]
    spare: int
    """How many tickets are to be had from others."""
    is_empty: bool


class MessageView(Struct, frozen=True):
    """A message."""

    message: TalkMessage
    name: str
    may_delete: bool


class TalkView(Struct, frozen=True):
    """The newest messages."""

    messages: list[MessageView]
    has_earlier: bool
    number: int


class PlanReader(Struct, frozen=True):
    """Who reads a page, when, and by which clock."""

    me: str
    now: float
    time_zone: str | None


def plan_context(
    seen: HangoutDetail, now: float, time_zone: str | None, *, may_manage: bool
) -> dict[str, Any]:
    """Returns what the sections of a hangout's page are made of."""
    mine = seen.own_rsvp
    party = 1 if mine is None else 1 + len(mine.companion_ids) + mine.plus_guests
    return {
        "carpool": carpool_view(seen),
        "tickets": tickets_view(seen, PlanReader(seen.member.user_id, now, time_zone)),
        "talk": talk_view(seen, may_manage=may_manage),
        "my_party": min(party, MAX_SEATS),
        "may_talk": seen.access.standing.may_add,
        "has_declined": mine is not None and mine.status == "NOT_GOING",
    }


def carpool_view(seen: HangoutDetail) -> CarpoolView:
    """Returns all cars, and who needs a ride."""
    me = seen.member.user_id
    rides = sorted(seen.things.of(Ride), key=lambda one: one.seated_at or one.asked_at)
    mine = next((one for one in rides if one.user_id == me), None)
    cars = sorted(seen.things.of(Car), key=lambda one: one.created_at)
    own = next((one for one in cars if one.user_id == me), None)
    free = 0 if own is None else own.seats - own.seats_taken
    needing = sorted((one for one in rides if one.car_id is None), key=lambda one: one.asked_at)
    return CarpoolView(
        [_car(one, [it for it in rides if it.car_id == one.car_id], me) for one in cars],
        [_rider(one, free) for one in needing],
        mine,
        own is not None,
    )


def _car(car: Car, rides: Sequence[Ride], me: str) -> CarCard:
    free = max(0, car.seats - car.seats_taken)
    driver = next((one for one in rides if one.user_id == car.user_id), None)
    my_people = next((one.people for one in rides if one.user_id == me), 0)
    return CarCard(
        car_id=car.car_id,
        title=_("%(name)s’s car") % {"name": car.user_name or _("Former member")},
        free=free,
        left=pluralize("%(n)d seat left", "%(n)d seats left", free) if free else _("Full"),
        note=car.note,
        riders=[_rider(one) for one in rides if one.user_id != car.user_id],
        is_mine=car.user_id == me,
        is_full=not free,
        my_people=my_people,
        choices=list(range(1, my_people + free + 1)),
        seats=car.seats,
        brings=0 if driver is None else driver.people - 1,
    )


def _rider(ride: Ride, free: int = 0) -> RiderView:
    others = ride.people - 1
    return RiderView(
        ride.user_id,
        ride.user_name or _("Former member"),
        pluralize("with %(n)d other", "with %(n)d others", others) if others else "",
        ride.note if ride.car_id is None else None,
        ride.people,
        ride.people <= free,
    )


def tickets_view(seen: HangoutDetail, reader: PlanReader) -> TicketsView:
    """Returns who has tickets, who needs some, and all offers."""
    me = reader.me
    all_tickets = sorted(seen.things.of(Ticket), key=lambda one: one.updated_at)
    spots = seen.things.of(Spot)
    offers = [
        _offer(one, [it for it in spots if it.offer_id == one.offer_id], reader)
        for one in sorted(seen.things.of(Offer), key=lambda one: one.created_at)
    ]
    hangout = seen.hangout
    return TicketsView(
        having=[_ticket(one) for one in all_tickets if one.status == "HAS"],
        needing=[_ticket(one) for one in all_tickets if one.status == "NEEDS"],
        mine=next((one for one in all_tickets if one.user_id == me), None),
        offers=offers,
        spare=sum(one.spare for one in all_tickets if one.user_id != me),
        is_empty=not (all_tickets or offers or hangout.ticket_link or hangout.ticket_price),
    )


def _ticket(one: Ticket) -> TicketCard:
    parts = []
    if one.number > 1:
        parts.append(pluralize("%(n)d ticket", "%(n)d tickets", one.number))
    if one.section:
        parts.append(_("Section %(name)s") % {"name": one.section})
    if one.seat:
        parts.append(_("Seat %(name)s") % {"name": one.seat})
    return TicketCard(one.user_name or _("Former member"), " · ".join(parts), one.spare)


def _offer(offer: Offer, spots: Sequence[Spot], at: PlanReader) -> OfferCard:
    free = max(0, max_taken(offer) - offer.spots_taken)
    mine = next((one.number for one in spots if one.user_id == at.me), 0)
    taken = sorted(spots, key=lambda one: one.claimed_at)
    return OfferCard(
        offer=offer,
        by=offer.user_name or _("Former member"),
        deadline_day=local(offer.deadline, known_zone(at.time_zone) or UTC_NAME)[:10],
        is_mine=offer.user_id == at.me,
        is_open=is_open(offer, at.now),
        left=_spots_left(offer, free),
        people=join_names([_spot(one) for one in taken]),
        my_number=mine,
        choices=list(range(1, min(mine + free, MAX_CLAIMED) + 1)),
    )


def _spot(one: Spot) -> str:
    name = one.user_name or _("Former member")
    return name if one.number == 1 else f"{name} ({one.number})"


def _spots_left(offer: Offer, free: int) -> str:
    if offer.capacity is None:
        return pluralize("%(n)d is in", "%(n)d are in", offer.spots_taken)
    if not free:
        return _("All taken")
    return _("%(free)d of %(all)d left") % {"free": free, "all": offer.capacity}


def talk_view(seen: HangoutDetail, *, may_manage: bool) -> TalkView:
    """Returns the newest messages."""
    number = seen.hangout.message_count
    found = seen.things.of(TalkMessage)[:PAGE]
    shown = [message_view(one, seen.member.user_id, may_manage=may_manage) for one in found]
    return TalkView(shown, number > len(shown), number)


def message_view(one: TalkMessage, me: str, *, may_manage: bool) -> MessageView:
    """Returns a message as its reader sees it."""
    may_delete = may_manage or one.user_id == me
    return MessageView(one, one.user_name or _("Former member"), may_delete)

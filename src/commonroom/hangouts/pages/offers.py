"""Offers in a browser: what a person buys or books for others, and a spot in one tap."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from functools import partial
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import asdict

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.people import person_name
from commonroom.hangouts.request import Member, OfferRef
from commonroom.hangouts.rules.offers import MAX_CLAIMED, TypedOffer, is_open, max_taken
from commonroom.hangouts.service import offers
from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.tables import Offer, Spot
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.request import Request
from commonroom.http.typed_times import UTC_NAME, known_zone, local
from commonroom.http.words import _, join_names, pluralize

OFFERS = f"{addresses.HANGOUT}/offers"
OFFER = f"{OFFERS}/{{offer_id:str}}"
HERE = "/hangouts/{hangout_id}#tickets"

pages = Pages()
action = partial(pages.form, on=addresses.HANGOUT, leads_to=HERE)


class OfferForm(Form):
    """An offer; the deadline is a day."""

    title: Line = ""
    note: Line = ""
    price: Line = ""
    deadline: Line = ""
    capacity: int | None = None
    for_tickets: bool = False
    offer_id: Line = ""
    """Which one is changed."""


class SpotsForm(Form):
    """How many spots a person wants."""

    number: int = 1


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


def offers_of(request: Request, seen: HangoutDetail) -> list[OfferCard]:
    """Returns all offers, the first made first."""
    return [_card(request, seen, *one) for one in offers.offers_of(seen.things)]


def _card(request: Request, seen: HangoutDetail, offer: Offer, spots: Sequence[Spot]) -> OfferCard:
    me, zone = seen.member.user_id, known_zone(request.person.time_zone) or UTC_NAME
    free = max(0, max_taken(offer) - offer.spots_taken)
    mine = next((one.number for one in spots if one.user_id == me), 0)
    return OfferCard(
        offer=offer,
        by=person_name(offer.user_name),
        deadline_day=local(offer.deadline, zone)[:10],
        is_mine=offer.user_id == me,
        is_open=is_open(offer, request.now),
        left=_spots_left(offer, free),
        people=join_names([_spot(one) for one in spots]),
        my_number=mine,
        choices=list(range(1, min(mine + free, MAX_CLAIMED) + 1)),
    )


def _spot(one: Spot) -> str:
    name = person_name(one.user_name)
    return name if one.number == 1 else f"{name} ({one.number})"


def _spots_left(offer: Offer, free: int) -> str:
    if offer.capacity is None:
        return pluralize("%(n)d is in", "%(n)d are in", offer.spots_taken)
    if not free:
        return _("All taken")
    return _("%(free)d of %(all)d left") % {"free": free, "all": offer.capacity}


@action(OFFERS, Need.NOT_ACTING, flash="hangout-offer-made")
async def make_offer(ctx: Ctx, hangout_id: str, data: OfferForm) -> None:
    """Offers to buy or book something."""
    await offers.make_offer(ctx, hangout_id, _typed(data, ctx.person.time_zone))


@action(f"{OFFER}/edit", Need.NOT_ACTING, flash="hangout-offer-saved")
async def change_offer(ctx: Ctx, offer: OfferRef, data: OfferForm) -> None:
    """Changes one's own offer."""
    typed = _typed(data, ctx.person.time_zone)
    await offers.change_offer(ctx, offer, typed)


@action(f"{OFFER}/delete", Need.NOT_ACTING, flash="hangout-offer-gone")
async def delete_offer(ctx: Ctx, offer: OfferRef) -> None:
    """Takes an offer back."""
    await offers.delete_offer(ctx, offer)


@action(f"{OFFER}/settle", Need.NOT_ACTING, flash="hangout-offer-done")
async def settle_offer(ctx: Ctx, offer: OfferRef) -> None:
    """It is bought."""
    await offers.settle_offer(ctx, offer)


@action(f"{OFFER}/reopen", Need.NOT_ACTING, flash="hangout-offer-saved")
async def reopen_offer(ctx: Ctx, offer: OfferRef) -> None:
    """It is not bought yet."""
    await offers.reopen_offer(ctx, offer)


@action(f"{OFFER}/spots", Need.SIGNED_IN, flash="hangout-spot-taken")
async def claim_spots(ctx: Ctx, member: Member, offer: OfferRef, data: SpotsForm) -> None:
    """Claims spots for the caller."""
    await offers.claim_spots(ctx, member, offer, data.number)


@action(f"{OFFER}/give-back", Need.SIGNED_IN, flash="hangout-spot-left")
async def give_spots_back(ctx: Ctx, member: Member, offer: OfferRef) -> None:
    """Releases the caller's spots."""
    await offers.give_spots_back(ctx, member, offer)


def _typed(data: OfferForm, zone: str | None) -> TypedOffer:
    fields = asdict(data)
    del fields["offer_id"]
    deadline = _end_of_day(data.deadline, zone) if data.deadline else None
    return TypedOffer(**{**fields, "deadline": deadline})


def _end_of_day(typed: str, zone: str | None) -> str:
    """Returns the last minute of a day where a person lives."""
    try:
        day = date.fromisoformat(typed)
        ends = datetime.combine(day, time(23, 59), ZoneInfo(known_zone(zone) or "UTC"))
    except ValueError:
        raise InvalidField("deadline", "Enter a day.") from None
    return ends.isoformat()

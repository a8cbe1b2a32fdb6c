"""Offers in a browser: what a person buys or books for others, and a spot in one tap."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.tickets import HERE
from commonroom.hangouts.request import Member, OfferRef
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import offers
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.typed_times import known_zone

OFFERS = f"{addresses.HANGOUT}/offers"
OFFER = f"{OFFERS}/{{offer_id:str}}"


pages = Pages()


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


@pages.form(
    OFFERS, Need.NOT_ACTING, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-offer-made"
)
async def make_offer(ctx: Ctx, hangout_id: str, data: OfferForm) -> None:
    """Offers to buy or book something."""
    await offers.make_offer(ctx, hangout_id, _typed(data, ctx.person.time_zone))


@pages.form(
    f"{OFFER}/edit",
    Need.NOT_ACTING,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-offer-saved",
)
async def change_offer(ctx: Ctx, offer: OfferRef, data: OfferForm) -> None:
    """Changes one's own offer."""
    typed = _typed(data, ctx.person.time_zone)
    await offers.change_offer(ctx, offer, typed)


@pages.form(
    f"{OFFER}/delete",
    Need.NOT_ACTING,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-offer-gone",
)
async def delete_offer(ctx: Ctx, offer: OfferRef) -> None:
    """Takes an offer back."""
    await offers.delete_offer(ctx, offer)


@pages.form(
    f"{OFFER}/settle",
    Need.NOT_ACTING,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-offer-done",
)
async def settle_offer(ctx: Ctx, offer: OfferRef) -> None:
    """It is bought."""
    await offers.settle_offer(ctx, offer)


@pages.form(
    f"{OFFER}/reopen",
    Need.NOT_ACTING,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-offer-saved",
)
async def reopen_offer(ctx: Ctx, offer: OfferRef) -> None:
    """It is not bought yet."""
    await offers.reopen_offer(ctx, offer)


@pages.form(
    f"{OFFER}/spots",
    Need.SIGNED_IN,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-spot-taken",
)
async def claim_spots(ctx: Ctx, member: Member, offer: OfferRef, data: SpotsForm) -> None:
    """Claims spots for the caller."""
    await offers.claim_spots(ctx, member, offer, data.number)


@pages.form(
    f"{OFFER}/give-back",
    Need.SIGNED_IN,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-spot-left",
)
async def give_spots_back(ctx: Ctx, member: Member, offer: OfferRef) -> None:
    """Releases the caller's spots."""
    await offers.give_spots_back(ctx, member, offer)


def _typed(data: OfferForm, zone: str | None) -> TypedOffer:
    return TypedOffer(
        title=data.title,
        note=data.note or None,
        price=data.price or None,
        deadline=_end_of_day(data.deadline, zone) if data.deadline else None,
        capacity=data.capacity,
        for_tickets=data.for_tickets,
    )


def _end_of_day(typed: str, zone: str | None) -> str:
    """Returns the last minute of a day where a person lives."""
    try:
        day = date.fromisoformat(typed)
        ends = datetime.combine(day, time(23, 59), ZoneInfo(known_zone(zone) or "UTC"))
    except ValueError:
        raise InvalidField("deadline", "Enter a day.") from None
    return ends.isoformat()

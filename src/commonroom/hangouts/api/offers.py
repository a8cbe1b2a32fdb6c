"""Offers: what a person buys or books for others, and the spots of it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.request import Member, OfferRef
from commonroom.hangouts.rules import offers as rules
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import offers
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.projections import projection

ALL = f"{addresses.HANGOUT}/offers"
OFFER = f"{ALL}/{{offer_id:str}}"
SPOTS = f"{OFFER}/spots"


api = Operations("Hangouts: offers", errors=(404, 409, 429))


class OfferGiven(TypedOffer, Body):
    """An offer."""


class SpotsGiven(Body):
    """How many spots one claims."""

    number: Annotated[int, Meta(description=f"1 to {rules.MAX_CLAIMED}.")] = 1


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


spot_view = projection(tables.Spot, SpotView)
offer_view = projection(tables.Offer, OfferView)
full_offer = projection(tables.Offer, FullOffer, list[SpotView], spots=lambda _, spots: spots)


def offers_of(things: HangoutThings) -> list[FullOffer]:
    """Returns all offers, the first made first, with their spots."""
    return [
        full_offer(one, [spot_view(it) for it in spots]) for one, spots in offers.offers_of(things)
    ]


@api.post(ALL, Need.NOT_ACTING)
async def make_offer(ctx: Ctx, hangout_id: str, given: OfferGiven) -> OfferView:
    """Offer to buy or book something for others."""
    return offer_view(await offers.make_offer(ctx, hangout_id, given))


@api.put(OFFER, Need.NOT_ACTING)
async def change_offer(ctx: Ctx, offer: OfferRef, given: OfferGiven) -> OfferView:
    """Change one’s offer; never to fewer spots than are taken."""
    return offer_view(await offers.change_offer(ctx, offer, given))


@api.delete(OFFER, Need.NOT_ACTING)
async def delete_offer(ctx: Ctx, offer: OfferRef) -> None:
    """Take an offer back; its maker and managers of the hangout may."""
    await offers.delete_offer(ctx, offer)


@api.post(f"{OFFER}/settle", Need.NOT_ACTING, status=200)
async def settle_offer(ctx: Ctx, offer: OfferRef) -> OfferView:
    """Say that it is bought or booked: its spots are settled, and the hangout is on."""
    return offer_view(await offers.settle_offer(ctx, offer))


@api.post(f"{OFFER}/reopen", Need.NOT_ACTING, status=200)
async def reopen_offer(ctx: Ctx, offer: OfferRef) -> OfferView:
    """Say that it is not bought yet after all; the hangout stays as it is."""
    return offer_view(await offers.reopen_offer(ctx, offer))


@api.put(SPOTS, Need.SIGNED_IN)
async def claim_spots(ctx: Ctx, member: Member, offer: OfferRef, given: SpotsGiven) -> SpotView:
    """Claim spots of an offer, or change how many.

    Where there are not so many, 409 says in `free` how many are left.
    """
    claimed = await offers.claim_spots(ctx, member, offer, given.number)
    return spot_view(claimed)


@api.delete(SPOTS, Need.SIGNED_IN)
async def give_spots_back(ctx: Ctx, member: Member, offer: OfferRef) -> None:
    """Give one’s spots back, as long as nothing is bought."""
    await offers.give_spots_back(ctx, member, offer)

"""Ticket sources: where tickets for a hangout are to be had, and what they cost."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from commonroom.hangouts import addresses
from commonroom.hangouts.api.fields import Link
from commonroom.hangouts.api.hangouts import WholeHangout, show
from commonroom.hangouts.api.tickets import Price
from commonroom.hangouts.request import Links, Member
from commonroom.hangouts.service import tickets
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.etags import tagged
from commonroom.http.operations import Operations
from commonroom.http.responses import JsonResponse

api = Operations("Hangouts: tickets", errors=(404, 409, 429))


class TicketSource(Body):
    """Where tickets are to be had."""

    link: Link | None = None
    price: Annotated[Price | None, Meta(description="In any words: “about 25 €”.")] = None


@api.put(f"{addresses.HANGOUT}/tickets", Need.NOT_ACTING)
async def describe_tickets(
    ctx: Ctx, member: Member, links: Links, hangout_id: str, given: TicketSource
) -> JsonResponse[WholeHangout]:
    """Say where tickets are to be had, and what they cost; any member of its groups may."""
    await tickets.describe_tickets(ctx, hangout_id, link=given.link, price=given.price)
    return tagged(await show(ctx, member, links, hangout_id))

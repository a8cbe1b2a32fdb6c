"""Tickets: where to get some, who needs some, who has some."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from commonroom.hangouts.api import plan_views, views
from commonroom.hangouts.api.bodies import Link
from commonroom.hangouts.api.hangouts import ONE, show
from commonroom.hangouts.request import Links, Member
from commonroom.hangouts.rules import tickets as rules
from commonroom.hangouts.service import tickets
from commonroom.hangouts.tables import TicketStatus
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.etags import tagged
from commonroom.http.operations import Operations
from commonroom.http.responses import JsonResponse

MINE = f"{ONE}/ticket"

Price = Annotated[str, Meta(max_length=1000, description=f"At most {rules.MAX_PRICE} characters.")]
SeatName = Annotated[
    str, Meta(max_length=1000, description=f"At most {rules.MAX_SEAT} characters.")
]


api = Operations("Hangouts: tickets", errors=(404, 409, 429))


class TicketSource(Body):
    """Where tickets are to be had."""

    link: Link | None = None
    price: Annotated[Price | None, Meta(description="In any words: “about 25 €”.")] = None


class TicketGiven(Body):
    """What a person says of their tickets."""

    status: TicketStatus
    number: Annotated[int, Meta(description=f"1 to {rules.MAX_TICKETS}.")] = 1
    section: SeatName | None = None
    seat: SeatName | None = None
    spare: Annotated[int, Meta(description="How many of them one can give away.")] = 0


@api.put(f"{ONE}/tickets", Need.NOT_ACTING)
async def describe_tickets(
    ctx: Ctx, member: Member, links: Links, hangout_id: str, given: TicketSource
) -> JsonResponse[views.WholeHangout]:
    """Say where tickets are to be had, and what they cost; any member of its groups may."""
    await tickets.describe_tickets(ctx, hangout_id, link=given.link, price=given.price)
    return tagged(await show(ctx, member, links, hangout_id))


@api.put(MINE, Need.SIGNED_IN)
async def set_ticket(
    ctx: Ctx, member: Member, hangout_id: str, given: TicketGiven
) -> plan_views.TicketView:
    """Say that one needs tickets, or has some.

    Having one means that it is bought, and the hangout is on.
    """
    typed = tickets.TypedTicket(**msgspec.structs.asdict(given))
    return plan_views.ticket(await tickets.set_ticket(ctx, member, hangout_id, typed))


@api.delete(MINE, Need.SIGNED_IN)
async def remove_ticket(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Say that one neither needs a ticket nor has one."""
    await tickets.remove_ticket(ctx, member, hangout_id)

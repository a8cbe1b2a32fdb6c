"""Tickets: where to get some, who needs some, who has some."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.hangouts import addresses, tables
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import tickets
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.hangouts.tables import TicketStatus
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.projections import projection

MINE = f"{addresses.HANGOUT}/ticket"


api = Operations("Hangouts: tickets", errors=(404, 409, 429))


class TicketGiven(tickets.TypedTicket, Body):
    """What a person says of their tickets."""


class TicketView(Struct, frozen=True):
    """A person’s tickets."""

    user_id: str
    user_name: str | None
    status: TicketStatus
    number: Annotated[int, Meta(description="How many they need, or have.")]
    section: str | None
    seat: str | None
    spare: Annotated[int, Meta(description="How many of them they can give away.")]


ticket_view = projection(tables.Ticket, TicketView)


def tickets_of(things: HangoutThings) -> list[TicketView]:
    """Returns who needs tickets, and who has some."""
    return [ticket_view(one) for one in things.of(tables.Ticket)]


@api.put(MINE, Need.SIGNED_IN)
async def set_ticket(ctx: Ctx, member: Member, hangout_id: str, given: TicketGiven) -> TicketView:
    """Say that one needs tickets, or has some.

    Having one means that it is bought, and the hangout is on.
    """
    return ticket_view(await tickets.set_ticket(ctx, member, hangout_id, given))


@api.delete(MINE, Need.SIGNED_IN)
async def remove_ticket(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Say that one neither needs a ticket nor has one."""
    await tickets.remove_ticket(ctx, member, hangout_id)

"""Tickets in a browser: where to get some, who needs one, who has one."""

from __future__ import annotations

from typing import cast

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import tickets
from commonroom.hangouts.service.tickets import TypedTicket
from commonroom.hangouts.tables import TicketStatus
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Address, Form, Line, Pages

HERE = "/hangouts/{hangout_id}#tickets"
TICKET = f"{addresses.HANGOUT}/ticket"


pages = Pages()


class SourceForm(Form):
    """Where tickets are to be had."""

    ticket_link: Address = ""
    ticket_price: Line = ""


class TicketForm(Form):
    """A person's tickets."""

    status: Line = ""
    number: int = 1
    section: Line = ""
    seat: Line = ""
    spare: int = 0


@pages.form(
    f"{addresses.HANGOUT}/tickets",
    Need.NOT_ACTING,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-tickets-saved",
)
async def describe_tickets(ctx: Ctx, hangout_id: str, data: SourceForm) -> None:
    """Says where tickets are to be had."""
    await tickets.describe_tickets(
        ctx, hangout_id, link=data.ticket_link or None, price=data.ticket_price or None
    )


@pages.form(
    TICKET, Need.SIGNED_IN, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-ticket-saved"
)
async def set_ticket(ctx: Ctx, member: Member, hangout_id: str, data: TicketForm) -> None:
    """Needs a ticket, or has one."""
    if data.status not in ("NEEDS", "HAS"):
        raise InvalidField("status", "Choose an answer.")
    typed = TypedTicket(
        status=cast("TicketStatus", data.status),
        number=data.number,
        section=data.section or None,
        seat=data.seat or None,
        spare=data.spare,
    )
    await tickets.set_ticket(ctx, member, hangout_id, typed)


@pages.form(
    f"{TICKET}/remove",
    Need.SIGNED_IN,
    on=addresses.HANGOUT,
    leads_to=HERE,
    flash="hangout-no-ticket",
)
async def remove_ticket(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Neither needs a ticket nor has one."""
    await tickets.remove_ticket(ctx, member, hangout_id)

"""Tickets in a browser: where to get some, who needs one, who has one."""

from __future__ import annotations

from functools import partial

from msgspec import Struct
from msgspec.structs import asdict

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.offers import HERE, OfferCard, offers_of
from commonroom.hangouts.pages.people import person_name
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import tickets
from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.service.tickets import TypedTicket
from commonroom.hangouts.tables import Ticket
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Address, Form, Line, Pages
from commonroom.http.request import Request
from commonroom.http.words import _, pluralize

TICKET = f"{addresses.HANGOUT}/ticket"

pages = Pages()
action = partial(pages.form, on=addresses.HANGOUT, leads_to=HERE)


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


def tickets_of(request: Request, seen: HangoutDetail) -> TicketsView:
    """Returns who has tickets, who needs some, and all offers."""
    me, hangout = seen.member.user_id, seen.hangout
    known = sorted(seen.things.of(Ticket), key=lambda one: one.updated_at)
    offers = offers_of(request, seen)
    return TicketsView(
        having=[_ticket(one) for one in known if one.status == "HAS"],
        needing=[_ticket(one) for one in known if one.status == "NEEDS"],
        mine=next((one for one in known if one.user_id == me), None),
        offers=offers,
        spare=sum(one.spare for one in known if one.user_id != me),
        is_empty=not (known or offers or hangout.ticket_link or hangout.ticket_price),
    )


def _ticket(one: Ticket) -> TicketCard:
    parts = []
    if one.number > 1:
        parts.append(pluralize("%(n)d ticket", "%(n)d tickets", one.number))
    if one.section:
        parts.append(_("Section %(name)s") % {"name": one.section})
    if one.seat:
        parts.append(_("Seat %(name)s") % {"name": one.seat})
    return TicketCard(person_name(one.user_name), " · ".join(parts), one.spare)


@action(f"{addresses.HANGOUT}/tickets", Need.NOT_ACTING, flash="hangout-tickets-saved")
async def describe_tickets(ctx: Ctx, hangout_id: str, data: SourceForm) -> None:
    """Says where tickets are to be had."""
    await tickets.describe_tickets(ctx, hangout_id, link=data.ticket_link, price=data.ticket_price)


@action(TICKET, Need.SIGNED_IN, flash="hangout-ticket-saved")
async def set_ticket(ctx: Ctx, member: Member, hangout_id: str, data: TicketForm) -> None:
    """Needs a ticket, or has one."""
    if data.status not in ("NEEDS", "HAS"):
        raise InvalidField("status", "Choose an answer.")
    await tickets.set_ticket(ctx, member, hangout_id, TypedTicket(**asdict(data)))


@action(f"{TICKET}/remove", Need.SIGNED_IN, flash="hangout-no-ticket")
async def remove_ticket(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Neither needs a ticket nor has one."""
    await tickets.remove_ticket(ctx, member, hangout_id)

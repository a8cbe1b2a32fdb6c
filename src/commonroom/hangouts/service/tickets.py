"""Tickets: where to get some, who needs some, who has some; one that is bought makes it on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import FieldErrors, NotFound
from commonroom.hangouts.rules import tickets as rules
from commonroom.hangouts.rules.hangouts import link as clean_link
from commonroom.hangouts.service.access import open_hangout, retry
from commonroom.hangouts.service.guards import Guard, no_guard
from commonroom.hangouts.service.participation import Participation, take_part
from commonroom.hangouts.service.pointers import edit_writes
from commonroom.hangouts.tables import Hangout, Offer, Spot, Ticket, TicketStatus
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    Write,
    as_read,
    check,
    delete,
    put,
    update,
    update_with_copies,
)


class TypedTicket(Struct, kw_only=True):
    """What a person says of their tickets."""

    status: TicketStatus
    number: Annotated[int, Meta(description=f"1 to {rules.MAX_TICKETS}.")] = 1
    section: rules.SeatName | None = None
    seat: rules.SeatName | None = None
    spare: Annotated[int, Meta(description="How many of them one can give away.")] = 0


@retry
async def describe_tickets(
    ctx: Context, hangout_id: str, *, link: str | None, price: str | None
) -> Hangout:
    """Says where tickets are to be had, and what they cost: any member of its groups may."""
    errors = FieldErrors()
    fields = {
        "ticket_link": errors.check(clean_link, link, "ticket_link"),
        "ticket_price": errors.check(rules.price, price, "ticket_price"),
    }
    errors.raise_if_any()

    access = (await open_hangout(ctx, hangout_id)).editable()
    before = access.hangout
    after = replace(before, **fields)
    if after == before:
        return before
    changed = {"updated_at": iso(ctx.now), "changed_by": ctx.person.user_id}
    edited, writes = edit_writes(before, replace(after, **changed))
    await ctx.store.write(*writes, *access.still_allowed)
    return edited


@retry
async def set_ticket(ctx: Context, member: User, hangout_id: str, typed: TypedTicket) -> Ticket:
    """Sets whether a person needs tickets or has some: two reads and one write.

    Having one means that it is bought: the hangout is on, in the same write.
    """
    fields = rules.ticket_fields(typed.status, typed.number, typed.section, typed.seat, typed.spare)

    part = (await take_part(ctx, member, hangout_id)).still_on(ctx.now)
    ticket = Ticket(**fields, **part.taken(ctx.now), updated_at=iso(ctx.now))
    if typed.status == "HAS":
        on = [*bought_writes(ctx, part), *part.answered()]
    else:
        on = [check(part.hangout, if_=part.unchanged), *part.coming()]
    await ctx.store.write(put(ticket), *on, *part.held)
    return ticket


async def remove_ticket(ctx: Context, member: User, hangout_id: str) -> None:
    """Neither needs a ticket nor has one."""
    part = await take_part(ctx, member, hangout_id, also=[_ticket_ref(hangout_id, member.user_id)])
    if part.also[0] is None:
        raise NotFound("You have no ticket here.")
    await ctx.store.write(delete(part.also[0]))


def bought_writes(ctx: Context, part: Participation) -> list[Write]:
    """Returns what makes a hangout on because something was bought, pointers included.

    Where that was taken back by hand, it stays as it is.
    """
    hangout = part.hangout
    if hangout.momentum == "CONFIRMED" or hangout.held_back_at is not None:
        return [check(hangout, if_=part.unchanged)]
    on = {"momentum": "CONFIRMED", "changed_by": ctx.person.user_id}
    return [*update_with_copies(hangout, if_=part.unchanged, **on)]


@retry
async def remove_ticket_of(
    store: Store, hangout_id: str, user_id: str, guard: Guard = no_guard
) -> None:
    """Forgets the tickets of a person who is no longer on a hangout."""
    ticket = await store.get(_ticket_ref(hangout_id, user_id))
    held = None if ticket is None else await guard(ticket)
    if ticket is not None and held is not None:
        await store.write(delete(ticket, if_=as_read(ticket, "updated_at")), *held)


@retry
async def spare_tickets_of(
    store: Store, hangout_id: str, user_id: str, guard: Guard = no_guard
) -> None:
    """Updates the tickets of a person who does not come: they need none, and can spare theirs."""
    ticket = await store.get(_ticket_ref(hangout_id, user_id))
    if ticket is None or ticket.spare == ticket.number:
        return
    held = await guard(ticket)
    if held is None:
        return
    same = as_read(ticket, "status", "number", "rsvp_status", "taken_at")
    is_needed = ticket.status == "NEEDS"
    spared = (
        delete(ticket, if_=same) if is_needed else update(ticket, spare=ticket.number, if_=same)
    )
    await store.write(spared, *held)


async def settle_tickets(store: Store, offer: Offer, spots: Sequence[Spot]) -> None:
    """Assigns the tickets of a settled offer to those with spots: one read, one write each.

    What a person said of their tickets since then stands, and nobody gets theirs twice.
    """
    settled_at = offer.done_at or ""
    refs = [_ticket_ref(offer.hangout_id, one.user_id) for one in spots]
    tickets = await store.batch_get(refs)
    for spot, ticket in zip(spots, tickets, strict=True):
        if ticket is None or ticket.status != "NEEDS" or ticket.updated_at >= settled_at:
            continue
        left = ticket.number - spot.number
        has: dict[str, Any] = {"number": left} if left > 0 else {"status": "HAS"}
        same = as_read(ticket, "status", "number", "updated_at")
        with suppress(ConditionFailed):  # they have just said otherwise
            await store.write(update(ticket, **has, updated_at=settled_at, if_=same))


def _ticket_ref(hangout_id: str, user_id: str) -> Ref[Ticket]:
    return Ticket.at(hangout_id=hangout_id, user_id=user_id)

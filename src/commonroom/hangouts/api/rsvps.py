"""Answers of people with an account, and of those who are entered by name."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import guests, rsvps
from commonroom.hangouts.service.guests import TypedGuestRsvp
from commonroom.hangouts.service.rsvps import TypedRsvp
from commonroom.hangouts.tables import GuestRsvp, Hangout, Rsvp, RsvpStatus
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.projections import projection

MINE = f"{addresses.HANGOUT}/rsvp"
BY_NAME = f"{addresses.HANGOUT}/guests"

People: TypeAlias = Annotated[int, Meta(description="People, not answers.")]


api = Operations("Hangouts: answers", errors=(404, 409, 429))


class RsvpBody(TypedRsvp, Body):
    """An answer."""


class GuestRsvpGiven(TypedGuestRsvp, Body):
    """The RSVP of a guest without an account."""


class RsvpView(Struct, frozen=True, kw_only=True):
    """A person’s answer."""

    answer_id: Annotated[str, Meta(description="The person, or the guest.")]
    name: str | None
    is_guest: Annotated[bool, Meta(description="Whether they have no account.")]
    status: RsvpStatus
    is_waiting: bool
    note: str | None
    plus_guests: int
    companion_ids: Annotated[list[str], Meta(description="Managed members who come along.")]
    comes_with: Annotated[str | None, Meta(description="In whose party a managed member is.")]
    updated_at: Moment


class RsvpReceipt(Struct, frozen=True):
    """An answer as it was given, and what all answers come to then."""

    answer: RsvpView
    going_count: People
    interested_count: People
    not_going_count: People
    waiting_count: People


def answer(given: Rsvp | GuestRsvp, waiting: Collection[str]) -> RsvpView:
    """Returns an answer as everybody on the hangout sees it."""
    if isinstance(given, GuestRsvp):
        answer_id, name, companions, party = given.guest_id, given.name, [], None
    else:
        answer_id, name = given.user_id, given.user_name or ""
        companions, party = given.companion_ids, given.with_user_id
    return RsvpView(
        answer_id=answer_id,
        name=name or None,
        is_guest=isinstance(given, GuestRsvp),
        status=given.status,
        is_waiting=(party or answer_id) in waiting,
        note=given.note,
        plus_guests=given.plus_guests,
        companion_ids=companions,
        comes_with=party,
        updated_at=given.updated_at,
    )


def _answer_on(hangout: Hangout, rsvp: Rsvp | GuestRsvp) -> RsvpView:
    return answer(rsvp, [one.answer_id for one in hangout.waiting])


receipt = projection(Hangout, RsvpReceipt, object, answer=_answer_on)


@api.put(MINE, Need.SIGNED_IN)
async def answer_hangout(ctx: Ctx, member: Member, hangout_id: str, given: RsvpBody) -> RsvpReceipt:
    """Answer a hangout for oneself, one’s children and guests, or change that.

    Where all places are taken, one waits for them, in order; 409 says in `free` how many are left
    where more are wanted than can be had.
    """
    done = await rsvps.answer(ctx, member, hangout_id, given)
    return receipt(done.hangout, done.rsvp)


@api.delete(MINE, Need.SIGNED_IN)
async def withdraw_answer(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Take one’s answer back, as if it had never been given."""
    await rsvps.withdraw(ctx, member, hangout_id)


@api.post(BY_NAME, Need.NOT_ACTING)
async def answer_for_somebody(ctx: Ctx, hangout_id: str, given: GuestRsvpGiven) -> RsvpReceipt:
    """Answer for a guest without an account, by name; managers of the hangout may."""
    done = await guests.rsvp_for(ctx, hangout_id, given)
    return receipt(done.hangout, done.rsvp)


@api.put(f"{BY_NAME}/{{guest_id:str}}", Need.NOT_ACTING)
async def change_guest_answer(
    ctx: Ctx, hangout_id: str, guest_id: str, given: GuestRsvpGiven
) -> RsvpReceipt:
    """Change the answer of a guest without an account; managers of the hangout may."""
    done = await guests.change_for(ctx, hangout_id, guest_id, given)
    return receipt(done.hangout, done.rsvp)


@api.delete(f"{BY_NAME}/{{guest_id:str}}", Need.NOT_ACTING)
async def remove_guest_answer(ctx: Ctx, hangout_id: str, guest_id: str) -> None:
    """Remove the answer of a guest without an account; managers of the hangout may.

    The guest link ends with it, unless a member answered for them by name: they could come back.
    """
    await guests.change_for(ctx, hangout_id, guest_id, None)

"""Answers of people with an account, and of those who are entered by name."""

from __future__ import annotations

from msgspec import Struct

from commonroom.hangouts.api import views
from commonroom.hangouts.api.bodies import GuestRsvpGiven, RsvpBody, guest_answer, typed_rsvp
from commonroom.hangouts.api.hangouts import ONE
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import guests, rsvps
from commonroom.hangouts.tables import Hangout
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations

MINE = f"{ONE}/rsvp"
BY_NAME = f"{ONE}/guests"


api = Operations("Hangouts: answers", errors=(404, 409, 429))


class RsvpReceipt(Struct, frozen=True):
    """An answer as it was given, and what all answers come to then."""

    answer: views.RsvpView
    going_count: views.People
    interested_count: views.People
    not_going_count: views.People
    waiting_count: views.People


@api.put(MINE, Need.SIGNED_IN)
async def answer_hangout(ctx: Ctx, member: Member, hangout_id: str, given: RsvpBody) -> RsvpReceipt:
    """Answer a hangout for oneself, one’s children and guests, or change that.

    Where all places are taken, one waits for them, in order; 409 says in `free` how many are left
    where more are wanted than can be had.
    """
    done = await rsvps.answer(ctx, member, hangout_id, typed_rsvp(given))
    return _given(views.answer(done.rsvp, _waiting(done.hangout)), done.hangout)


@api.delete(MINE, Need.SIGNED_IN)
async def withdraw_answer(ctx: Ctx, member: Member, hangout_id: str) -> None:
    """Take one’s answer back, as if it had never been given."""
    await rsvps.withdraw(ctx, member, hangout_id)


@api.post(BY_NAME, Need.NOT_ACTING)
async def answer_for_somebody(ctx: Ctx, hangout_id: str, given: GuestRsvpGiven) -> RsvpReceipt:
    """Answer for a guest without an account, by name; managers of the hangout may."""
    done = await guests.rsvp_for(ctx, hangout_id, guest_answer(given))
    return _given(views.answer(done.rsvp, _waiting(done.hangout)), done.hangout)


@api.put(f"{BY_NAME}/{{guest_id:str}}", Need.NOT_ACTING)
async def change_guest_answer(
    ctx: Ctx, hangout_id: str, guest_id: str, given: GuestRsvpGiven
) -> RsvpReceipt:
    """Change the answer of a guest without an account; managers of the hangout may."""
    done = await guests.change_for(ctx, hangout_id, guest_id, guest_answer(given))
    return _given(views.answer(done.rsvp, _waiting(done.hangout)), done.hangout)


@api.delete(f"{BY_NAME}/{{guest_id:str}}", Need.NOT_ACTING)
async def remove_guest_answer(ctx: Ctx, hangout_id: str, guest_id: str) -> None:
    """Remove the answer of a guest without an account; managers of the hangout may.

    The guest link ends with it, unless a member answered for them by name: they could come back.
    """
    await guests.change_for(ctx, hangout_id, guest_id, None)


def _waiting(hangout: Hangout) -> list[str]:
    return [one.answer_id for one in hangout.waiting]


def _given(answer: views.RsvpView, hangout: Hangout) -> RsvpReceipt:
    return RsvpReceipt(
        answer,
        hangout.going_count,
        hangout.interested_count,
        hangout.not_going_count,
        hangout.waiting_count,
    )

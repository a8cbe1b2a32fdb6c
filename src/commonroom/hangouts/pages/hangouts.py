"""A hangout in a browser: when, where, who comes, and an answer in one tap."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from msgspec.structs import replace

from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.tables import User, managed_members
from commonroom.errors import CommonroomError
from commonroom.hangouts import addresses
from commonroom.hangouts.attachment_views import (
    attached_things,
    seen_ids,
    watched_version,
    with_things,
)
from commonroom.hangouts.pages.bring_list import bring_list_of, things_to_bring
from commonroom.hangouts.pages.cards import capacity_in_words, render_page
from commonroom.hangouts.pages.carpool import carpool_of
from commonroom.hangouts.pages.drafts import day_choices, zone_of
from commonroom.hangouts.pages.people import WhoForm, attendees_of, read_status
from commonroom.hangouts.pages.poll_views import polls_of
from commonroom.hangouts.pages.series import party_in_words, repeats_in_words
from commonroom.hangouts.pages.talk import talk_of
from commonroom.hangouts.pages.tickets import tickets_of
from commonroom.hangouts.pages.when import when_of
from commonroom.hangouts.request import Member, visible_links_of
from commonroom.hangouts.rules.carpool import MAX_SEATS
from commonroom.hangouts.rules.momentum import momentum
from commonroom.hangouts.rules.places import place_for
from commonroom.hangouts.rules.rsvps import may_bring, party_of
from commonroom.hangouts.rules.times import is_over, takes_answers
from commonroom.hangouts.service import edits, guests, hangouts, rsvps
from commonroom.hangouts.service.attachments import attachments_on
from commonroom.hangouts.service.detail import HangoutDetail, hangout_version, see_hangout
from commonroom.hangouts.service.rsvps import TypedRsvp
from commonroom.hangouts.tables import Attachment
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Address, Form, FormState, Line, OneOrMany, Pages, as_list
from commonroom.http.live_updates import LiveUpdates
from commonroom.http.markdown import render as render_markdown
from commonroom.http.redirects import redirect, safe_path
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.http.sharing import shared
from commonroom.http.typed_times import UncertainTimes
from commonroom.http.words import _
from commonroom.joins.acquaintances import household_of
from commonroom.joins.attachments import kinds_of
from commonroom.joins.home import HomeAction
from commonroom.joins.home_actions import HomeForm, answer_on_home
from commonroom.moments import elapsed, seconds

JUST_MADE_SECONDS = 600
"""So long, its maker finds the form open that asks everybody for a day."""
POLL_DAYS = 10
"""How many of the next days can be tapped for a poll."""


pages = Pages()


class RsvpForm(HomeForm):
    """An answer: one tap, or with whom else."""

    status: Line = ""
    note: Line = ""
    plus_guests: int = 0
    companion_ids: OneOrMany = ""
    whole: bool = False
    """Whether the form says who else comes; one tap leaves that as it is."""
    next: Address = ""


class EmailForm(Form):
    """A person to invite."""

    email: Line = ""


class GuestLinkForm(Form):
    """Whether guests see who comes."""

    shows_people: bool = False


class RsvpForGuestForm(Form):
    """A guest to answer for, by name."""

    name: Line = ""


@pages.page(addresses.HANGOUT, Need.SIGNED_IN)
async def hangout_page(
    request: Request,
    member: Member,
    hangout_id: str,
    form: FormState = EMPTY,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """A hangout as it is now: three requests, and one where the caller has children.

    What it carries of other rooms takes one or two for each kind; what to bring along, two or
    three where others come.
    """
    seen = await see_hangout(request.context, member, hangout_id)
    watched = await hangout_version(request.store, hangout_id)
    attached = await attached_things(request, seen.access, seen.things.of(Attachment))
    return render_page(
        request,
        "hangout.html",
        **await _context(request, seen),
        attached=attached,
        to_bring=await things_to_bring(request, seen),
        watched=with_things(watched, attached),
        form=form,
        questions=error.questions if isinstance(error, UncertainTimes) else {},
    )


action = partial(pages.form, on=hangout_page)


async def _context(request: Request, seen: HangoutDetail) -> dict[str, Any]:
    one, standing = seen.hangout, seen.access.standing
    is_acting = request.caller.acting_as is not None
    links = visible_links_of(request) if standing.may_manage else None
    token = None if links is None else links.token(one)
    described = await render_markdown(one.description) if one.description else None
    mine, party = seen.own_rsvp, party_of(seen.own_rsvp)
    me = None if mine is None else mine.with_user_id or mine.user_id
    turns = [waiting.answer_id for waiting in one.waiting]
    address = addresses.hangout(one.hangout_id)
    may_manage = standing.may_manage and not is_acting
    return {
        "hangout": replace(one, place=place_for(one, seen.member.user_id, mine)),
        "address": address,
        "when": when_of(one, request.now, request.person.time_zone),
        "momentum": momentum(one, request.now),
        "description": described,
        "made_by": seen.made_by,
        "polls": polls_of(request, seen),
        "days": day_choices(request.now, zone_of(request.person.time_zone), POLL_DAYS),
        "bring_list": bring_list_of(request, seen, address),
        "may_add": standing.may_add and not is_acting,
        **_attaching(request, may_add=standing.may_add and not is_acting),
        "is_just_made": standing.is_maker
        and elapsed(seconds(one.created_at), request.now) < JUST_MADE_SECONDS,
        "repeats": repeats_in_words(seen.series),
        "party": party_in_words(one, seen.series),
        "repetition": None if seen.series is None else seen.series.repetition,
        "groups": seen.access.groups if standing.is_member else (),
        "attendees": attendees_of(one, seen.things.answers),
        "mine": mine,
        "said_yes": seen.said_yes and (mine is None or mine.status != "GOING"),
        "turn": turns.index(me) + 1 if me in turns else 0,
        "children": await _children(request),
        "is_open": takes_answers(one, request.now),
        "is_over": is_over(one, request.now),
        "may_edit": standing.may_edit and not is_acting,
        "may_manage": may_manage,
        "places": capacity_in_words(one.place_limit, one.going_count, one.waiting_count),
        "invited": [user for user in seen.invited if user.user_id != one.created_by],
        "guest_link": None if token is None else shared(request, addresses.guest(token), one.title),
        "carpool": carpool_of(seen),
        "tickets": tickets_of(request, seen),
        "talk": talk_of(seen, may_manage=may_manage),
        "my_party": 1 if party is None else min(party.people, MAX_SEATS),
        "may_talk": standing.may_add,
        "has_declined": mine is not None and mine.status == "NOT_GOING",
    }


def _attaching(request: Request, *, may_add: bool) -> dict[str, Any]:
    """Returns what the caller can attach, or begin for the hangout."""
    kinds = kinds_of(request).values() if may_add else ()
    begin = [one for one in kinds if one.beginning is not None and one.beginning.offers(request)]
    return {"can_attach": bool(kinds), "can_begin": begin}


async def _children(request: Request) -> list[User]:
    """The members whom the person may bring: those they manage, and those of their household.

    One request where they manage some, and two where they are in a household.
    """
    me, found = request.person, list[User]()
    if request.caller.acting_as is not None:
        return []
    if me.managed_count:
        pattern = managed_members(parent_user_id=me.user_id)
        found += (await request.store.page(pattern, limit=MAX_MANAGED)).items
    if me.household_id is not None:
        found += await household_of(request, request.store, me)
    return list({one.user_id: one for one in found if may_bring(me, one)}.values())


@get(f"{addresses.HANGOUT}/live", Need.SIGNED_IN)
async def hangout_changes(request: Request, hangout_id: str) -> LiveUpdates:
    """Returns a hangout's version, now and whenever something happens on it, or on what it carries.

    Those who see the same things of it listen together; those who see others from now on are told
    that this is over, and comes back.
    """
    store, kinds = request.store, kinds_of(request)
    seen = await _seen(request, hangout_id)

    async def sees_the_same(request: Request) -> bool:
        return await _seen(request, hangout_id) == seen

    async def version() -> str:
        own = await hangout_version(store, hangout_id)
        return await watched_version(store, time.time(), own, kinds, seen)

    things = "".join(f"#{kind}:{','.join(ids)}" for kind, ids in sorted(seen.items()))
    return LiveUpdates(f"hangout#{hangout_id}{things}", version, sees_the_same)


async def _seen(request: Request, hangout_id: str) -> dict[str, list[str]]:
    """Returns which attached things the caller sees; refused where the hangout is not theirs."""
    access, attached = await attachments_on(request.context, hangout_id)
    return seen_ids(await attached_things(request, access, attached))


@action(f"{addresses.HANGOUT}/answer", Need.SIGNED_IN)
async def answer(
    request: Request, member: Member, hangout_id: str, data: RsvpForm
) -> Response[Any]:
    """Answers; one tap leaves who else comes as it was."""
    ctx = request.context
    typed = TypedRsvp(
        status=read_status(data.status),
        note=data.note,
        plus_guests=data.plus_guests,
        companion_ids=[one for one in as_list(data.companion_ids) if one],
    )
    if not data.whole:
        typed = await rsvps.with_company(ctx, member, hangout_id, typed)
    answered = await rsvps.answer(ctx, member, hangout_id, typed)
    if data.home:
        # An answer in place of another is not undone by taking it back.
        is_first = answered.rsvp.created_at == answered.rsvp.updated_at
        withdrawal = f"{addresses.hangout(hangout_id)}/withdraw"
        undo = HomeAction(label=_("Undo"), action=withdrawal) if is_first else None
        return answer_on_home(request, data.home, "hangout-answered", undo=undo)
    back = safe_path(data.next) if data.next else addresses.hangout(hangout_id)
    return redirect(back, "hangout-answered")


@action(f"{addresses.HANGOUT}/withdraw", Need.SIGNED_IN, flash="hangout-withdrawn")
async def withdraw(
    request: Request, member: Member, hangout_id: str, data: HomeForm
) -> Response[Any] | None:
    """Takes an answer back."""
    await rsvps.withdraw(request.context, member, hangout_id)
    return answer_on_home(request, data.home, "hangout-withdrawn") if data.home else None


@action(f"{addresses.HANGOUT}/confirm", Need.NOT_ACTING, flash="hangout-on")
async def confirm(ctx: Ctx, hangout_id: str) -> None:
    """It's on!"""
    await hangouts.confirm(ctx, hangout_id)


@action(f"{addresses.HANGOUT}/unconfirm", Need.NOT_ACTING, flash="hangout-not-on")
async def unconfirm(ctx: Ctx, hangout_id: str) -> None:
    """Takes that back."""
    await hangouts.unconfirm(ctx, hangout_id)


@action(f"{addresses.HANGOUT}/cancel", Need.NOT_ACTING, flash="hangout-cancelled")
async def cancel(ctx: Ctx, hangout_id: str) -> None:
    """Cancels it."""
    await hangouts.cancel(ctx, hangout_id)


@action(f"{addresses.HANGOUT}/bring-back", Need.NOT_ACTING, flash="hangout-back")
async def bring_back(ctx: Ctx, hangout_id: str) -> None:
    """Brings it back."""
    await hangouts.bring_back(ctx, hangout_id)


@pages.form(
    f"{addresses.HANGOUT}/delete", Need.NOT_ACTING, leads_to="/hangouts", flash="hangout-deleted"
)
async def delete(ctx: Ctx, hangout_id: str) -> None:
    """Deletes it."""
    await hangouts.delete_hangout(ctx, hangout_id)


@action(f"{addresses.HANGOUT}/invite", Need.NOT_ACTING, flash="hangout-invited")
async def invite(request: Request, ctx: Ctx, hangout_id: str, data: EmailForm) -> None:
    """Invites a person directly."""
    await edits.invite(ctx, hangout_id, data.email, asked_from=request.client_address)


@action(f"{addresses.HANGOUT}/uninvite", Need.NOT_ACTING, flash="hangout-uninvited")
async def uninvite(ctx: Ctx, hangout_id: str, data: WhoForm) -> None:
    """Takes an invitation back."""
    await edits.uninvite(ctx, hangout_id, data.who)


@action(f"{addresses.HANGOUT}/guest-link", Need.NOT_ACTING, flash="hangout-guests-open")
async def open_link(ctx: Ctx, hangout_id: str, data: GuestLinkForm) -> None:
    """Opens it to visitors with the link."""
    await guests.set_guest_link(ctx, hangout_id, is_open=True, shows_people=data.shows_people)


@action(f"{addresses.HANGOUT}/guest-link/close", Need.NOT_ACTING, flash="hangout-guests-closed")
async def close_link(ctx: Ctx, hangout_id: str) -> None:
    """Closes the link."""
    await guests.set_guest_link(ctx, hangout_id, is_open=False)


@action(f"{addresses.HANGOUT}/guests", Need.NOT_ACTING, flash="hangout-guest-added")
async def add_guest(ctx: Ctx, hangout_id: str, data: RsvpForGuestForm) -> None:
    """Answers for a guest by name."""
    given = guests.TypedGuestRsvp(name=data.name, status="GOING")
    await guests.rsvp_for(ctx, hangout_id, given)


@action(f"{addresses.HANGOUT}/guests/remove", Need.NOT_ACTING)
async def remove_guest(ctx: Ctx, hangout_id: str, data: WhoForm) -> Response[Any]:
    """Removes the answer of a guest without an account, and the link that they came in by."""
    removed = await guests.change_for(ctx, hangout_id, data.who, None)
    flash = "hangout-guest-and-link-removed" if removed.link_ended else "hangout-guest-removed"
    return redirect(addresses.hangout(hangout_id), flash)


pages.include(hangout_changes)

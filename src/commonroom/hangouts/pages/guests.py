"""The guest link in a browser: a hangout without an account, an answer, and how to change it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict, replace

from commonroom.errors import CommonroomError, NotFound
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import capacity_in_words, render_page
from commonroom.hangouts.pages.people import PartyView, attendees_of, read_status
from commonroom.hangouts.pages.poll_views import polls_for_guests
from commonroom.hangouts.pages.when import when_of
from commonroom.hangouts.request import GuestVisitor
from commonroom.hangouts.rules.momentum import momentum
from commonroom.hangouts.rules.places import shown_place
from commonroom.hangouts.rules.rsvps import goes
from commonroom.hangouts.rules.times import is_over, takes_answers
from commonroom.hangouts.service import guests
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.hangouts.service.guests import (
    MAX_TOKEN,
    GuestLinkVisitor,
    GuestRsvpOutcome,
    NoSuchRsvp,
    TypedGuestRsvp,
)
from commonroom.hangouts.tables import Hangout
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.headers import cookie_in
from commonroom.http.markdown import render as render_markdown
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Cookie, Response
from commonroom.http.sharing import shared

OWN = f"{addresses.GUEST}/{{change_code:str}}"
COOKIE_DAYS = 400
"""As long as browsers keep a cookie at all: by it, a browser knows a guest's answer again."""
COOKIE_PATH = "/h"


pages = Pages()


class GuestRsvpForm(Form):
    """An answer with a name."""

    name: Line = ""
    status: Line = ""
    note: Line = ""
    plus_guests: int = 0


@pages.page(addresses.GUEST, Need.ANYONE)
async def guest_page(
    request: Request,
    visitor: GuestVisitor,
    token: str,
    form: FormState | None = None,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """Shows a hangout to a visitor with its link: one request, or three if this browser answered.

    A person who has it without the link is led to its own page, where they answer as themselves.
    """
    if (code := _kept_code(request, visitor)) is not None:
        try:
            return await _show_own(request, visitor, token, code, form=form, error=error)
        except NoSuchRsvp:
            pass  # it was taken back elsewhere
    if (hangout_id := await guests.own_hangout(visitor)) is not None:
        return redirect(addresses.hangout(hangout_id))
    return await _show(request, visitor, token, form=form or EMPTY, error=error)


@pages.form(addresses.GUEST, Need.ANYONE, on=guest_page)
async def answer(
    request: Request, visitor: GuestVisitor, token: str, data: GuestRsvpForm
) -> Response[Any]:
    """Answers, and leads to the private link that changes it.

    A browser that has answered before changes that answer: nobody counts twice.
    """
    typed = _typed(data)
    code = await _changed(visitor, _kept_code(request, visitor), typed)
    if code is None:
        if (hangout_id := await guests.own_hangout(visitor)) is not None:
            return redirect(addresses.hangout(hangout_id))
        code = (await guests.answer_as_guest(visitor, typed)).change_code or ""
    led = redirect(addresses.guest_answer(token, code), "hangout-answered")
    _keep_code(request, led, visitor, code)
    return led


async def _changed(
    visitor: GuestLinkVisitor, code: str | None, typed: TypedGuestRsvp
) -> str | None:
    """Returns the code whose answer was changed; None where there is none any more."""
    if code is None:
        return None
    try:
        await guests.change_as_guest(visitor, code, typed)
    except NoSuchRsvp:
        return None
    return code


@pages.page(OWN, Need.ANYONE)
async def own_page(
    request: Request,
    visitor: GuestVisitor,
    token: str,
    change_code: str,
    *,
    form: FormState | None = None,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """A hangout with one's own answer: three requests. This browser remembers whose it is."""
    shown = await _show_own(request, visitor, token, change_code, form=form, error=error)
    _keep_code(request, shown, visitor, change_code)
    return shown


async def _show_own(
    request: Request,
    visitor: GuestLinkVisitor,
    token: str,
    change_code: str,
    *,
    form: FormState | None,
    error: CommonroomError | None,
) -> Response[Any]:
    """The page with the answer that a code changes. Nothing on the way may keep it."""
    own = await guests.own_rsvp(visitor, change_code)
    stored = {
        name: getattr(own.rsvp, name) or "" for name in ("name", "status", "note", "plus_guests")
    }
    shown = await _show(
        request,
        visitor,
        token,
        own=own,
        code=change_code,
        form=form or FormState(stored),
        error=error,
    )
    shown.headers["Cache-Control"] = "no-store"
    return shown


@pages.form(
    OWN, Need.ANYONE, on=own_page, leads_to="/h/{token}/{change_code}", flash="hangout-answered"
)
async def change(visitor: GuestVisitor, change_code: str, data: GuestRsvpForm) -> None:
    """Changes the answer."""
    await guests.change_as_guest(visitor, change_code, _typed(data))


@pages.form(f"{OWN}/withdraw", Need.ANYONE)
async def withdraw(
    request: Request, visitor: GuestVisitor, token: str, change_code: str
) -> Response[Any]:
    """Takes the answer back; one that is gone already is no mistake."""
    try:
        await guests.change_as_guest(visitor, change_code, None)
    except NotFound:
        await guests.see_as_guest(visitor)  # the link itself must work
    led = redirect(addresses.guest(token), "hangout-withdrawn")
    _keep_code(request, led, visitor, "")
    return led


@pages.form(f"{OWN}/forget", Need.ANYONE)
async def forget(request: Request, visitor: GuestVisitor, token: str) -> Response[Any]:
    """Lets another person answer in this browser; the answer stays, and its private link."""
    led = redirect(addresses.guest(token))
    _keep_code(request, led, visitor, "")
    return led


def _typed(data: GuestRsvpForm) -> TypedGuestRsvp:
    read_status(data.status)
    return TypedGuestRsvp(**asdict(data))


async def _show(
    request: Request,
    visitor: GuestLinkVisitor,
    token: str,
    *,
    form: FormState,
    error: CommonroomError | None,
    own: GuestRsvpOutcome | None = None,
    code: str = "",
) -> Response[Any]:
    things = await guests.see_as_guest(visitor)
    one = things.hangout
    link = one.guest_link
    shows_people = link is not None and link.shows_people
    account = request.caller.account
    goes_there = own is not None and goes(one, own.rsvp)
    answer = addresses.guest_answer(token, code) if code else None
    private = None if answer is None else shared(request, answer, one.title, is_shown_once=True)
    return render_page(
        request,
        "guest.html",
        hangout=replace(one, place=shown_place(one.place, with_notes=goes_there)),
        invited_by=await guests.maker_name(visitor.store, things),
        when=when_of(one, visitor.now, None if account is None else account.time_zone),
        momentum=momentum(one, visitor.now),
        description=await render_markdown(one.description) if one.description else None,
        going=_going(one, things) if shows_people else [],
        places=capacity_in_words(one.place_limit, one.going_count, one.waiting_count),
        polls=polls_for_guests(things, visitor.now),
        is_open=takes_answers(one, visitor.now),
        is_over=is_over(one, visitor.now),
        own=own,
        calendar=addresses.guest(token) + addresses.CALENDAR_FILE,
        action=addresses.guest_answer(token, code) if code else addresses.guest(token),
        private=private,
        form=form,
        error=error,
    )


def _going(one: Hangout, things: HangoutThings) -> list[PartyView]:
    """Returns who goes, as guests see it: by name, without what people wrote or whom they bring."""
    return [
        replace(party, note=None, company="") for party in attendees_of(one, things.answers).going
    ]


def _kept_code(request: Request, visitor: GuestLinkVisitor) -> str | None:
    """Returns the code of the answer that was given in this browser."""
    name = _cookie_of(visitor)
    code = None if name is None else cookie_in(request.scope, name)
    return code if code and len(code) <= MAX_TOKEN else None


def _keep_code(
    request: Request, response: Response[Any], visitor: GuestLinkVisitor, code: str
) -> None:
    """Keeps the code of an answer in this browser; an empty one is forgotten."""
    if (name := _cookie_of(visitor)) is None:
        return
    response.set_cookie(
        Cookie(
            name,
            value=code,
            path=COOKIE_PATH,
            max_age=COOKIE_DAYS * 24 * 3600 if code else 0,
            httponly=True,
            samesite="lax",
            secure=request.scope["scheme"] == "https",
        )
    )


def _cookie_of(visitor: GuestLinkVisitor) -> str | None:
    """One for each hangout: its link may be another by the time they come back."""
    found = visitor.links.read(visitor.token)
    return None if found is None else f"rsvp-{found[0]}"

"""Signing up, where the installation lets people in."""

from __future__ import annotations

import time
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from commonroom.accounts.errors import EmailTaken, LinkExpired, SignUpClosed
from commonroom.accounts.rules import SignUp
from commonroom.accounts.secrets import digest
from commonroom.accounts.service import signup
from commonroom.accounts.service.throttle import (
    SIGN_UP_FROM_ADDRESS,
    count_try,
    finding_out_by_sign_up,
)
from commonroom.accounts.tables import invitation as invitation_with
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled, Sent, refused
from commonroom.web.people.forms import SignUpForm
from commonroom.web.people.pages.arriving import signed_in
from commonroom.web.redirects import redirect, safe_path
from commonroom.web.render import render, render_refused, render_secret
from commonroom.web.request import Next, Request
from commonroom.web.signup_invites import find_signup_invite

TEMPLATE = "people/sign_up.html"
FINISH = "people/sign_up_finish.html"
Invitation = Annotated[str, QueryParameter(max_length=200)]


@get("/sign-up", opt=needs(Need.ANYONE))
async def sign_up_form(
    request: Request,
    invitation: Invitation = "",
    next: Next = "",  # noqa: A002 - the word in the address
) -> Response[Any]:
    """The form to sign up, or why there is none."""
    if request.caller.account is not None:
        return redirect(safe_path(next))
    if not await signup.is_set_up(request.store):
        return redirect("/setup")
    refusal = await _why_not(request, request.settings.sign_up, invitation)
    filled = Filled({"invitation": invitation, "next": next})
    answer = render(request, TEMPLATE, form=filled, refusal=refusal)
    answer.status_code = 200 if refusal is None else refusal.status
    return answer


@post("/sign-up", opt=needs(Need.ANYONE), status_code=200)
async def sign_up(request: Request, data: Sent[SignUpForm]) -> Response[Any]:
    """Makes an account, and signs its person in."""
    store, now = request.store, time.time()
    new = data.account
    mail, mode, address = request.mailer, request.settings.sign_up, request.client_address
    try:
        await count_try(store, now, SIGN_UP_FROM_ADDRESS, address)
        shown = await find_signup_invite(request, now, data.invitation)
        if mail.sends:
            secret = await signup.request_sign_up(
                store, now, mode, new, link=data.invitation, next=data.next, **shown
            )
            mail.finish_signing_up(new.email, secret)
            return redirect("/sign-up/sent")
        async with finding_out_by_sign_up(store, now, address, data.invitation):
            user = await signup.sign_up(store, now, mode, new, **shown)
    except (LinkExpired, SignUpClosed) as error:
        return render_refused(request, TEMPLATE, error, form=refused(data, error), refusal=error)
    except Refusal as error:
        return render_refused(request, TEMPLATE, error, form=refused(data, error), refusal=None)
    return await signed_in(request, user, safe_path(data.next), "welcome")


@get("/sign-up/sent", opt=needs(Need.ANYONE), sync_to_thread=False)
def letter_sent(request: Request) -> Response[Any]:
    """What to do now; the same for every address."""
    return render(request, "people/sign_up_sent.html")


@get("/sign-up/finish/{secret:str}", opt=needs(Need.ANYONE))
async def finish_form(request: Request, secret: FromPath[str]) -> Response[Any]:
    """Asks whether it is them: opening a link is no answer, programs do that, too."""
    wanted = await signup.requested_with(request.store, secret)
    return render_secret(request, FINISH, form=EMPTY, wanted=wanted.new)


@post("/sign-up/finish/{secret:str}", opt=needs(Need.ANYONE), status_code=200)
async def finish(request: Request, secret: FromPath[str]) -> Response[Any]:
    """Makes the account that the letter was about, and signs its person in."""
    store, now = request.store, time.time()
    wanted = await signup.requested_with(store, secret)
    try:
        shown = await find_signup_invite(request, now, wanted.invitation)
        mode = request.settings.sign_up
        user = await signup.complete_sign_up(store, now, mode, secret, **shown)
    except EmailTaken as error:
        form = Filled(wrong_altogether=error.detail)
        return render_refused(request, FINISH, error, form=form, wanted=wanted.new)
    return await signed_in(request, user, safe_path(wanted.next), "welcome")


async def _why_not(request: Request, mode: SignUp, invitation: str) -> Refusal | None:
    """Why somebody cannot sign up; better said before they fill in a form."""
    if mode == "closed":
        return SignUpClosed("Sign-up is closed here. Ask an administrator.")
    if not invitation:
        return (
            SignUpClosed("Ask someone who is already here for an invitation.")
            if mode == "invite"
            else None
        )
    try:
        shown = await find_signup_invite(request, time.time(), invitation)
    except LinkExpired as gone:
        return gone
    if shown["vouchers"]:
        return None
    found = await request.store.get(invitation_with(digest=digest(invitation)))
    if found is None or found.uses_left < 1:
        return LinkExpired("This invitation was already used or has expired. Ask for a new one.")
    return None

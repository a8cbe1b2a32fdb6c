"""Signing up, where the installation lets people in."""

from __future__ import annotations

import time
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import FromPath, QueryParameter

from commonroom.accounts.errors import AccountError, AddressTaken, LinkGone, SignUpClosed
from commonroom.accounts.rules import SignUp
from commonroom.accounts.secrets import digest
from commonroom.accounts.service import signing_up
from commonroom.accounts.service.throttle import (
    SIGN_UP_FROM_ADDRESS,
    count_try,
    finding_out_by_sign_up,
)
from commonroom.accounts.tables import invitation as invitation_with
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import (
    AnyRequest,
    Next,
    caller_in,
    post_of,
    sign_up_mode,
    store_of,
)
from commonroom.web.people.forms import EMPTY, Filled, Sent, SignUpForm, refused
from commonroom.web.people.going_on import safe
from commonroom.web.people.pages.arriving import signed_in
from commonroom.web.people.showing import again, shown_once
from commonroom.web.people.visitors import visitor
from commonroom.web.rendering import page, to
from commonroom.web.signup_invites import find_signup_invite

TEMPLATE = "people/sign_up.html"
FINISH = "people/sign_up_finish.html"
Invitation = Annotated[str, QueryParameter(max_length=200)]


@get("/sign-up", opt=needs(Need.ANYONE))
async def sign_up_form(
    request: AnyRequest,
    invitation: Invitation = "",
    next: Next = "",  # noqa: A002 - the word in the address
) -> Response[Any]:
    """The form to sign up, or why there is none."""
    if caller_in(request).account is not None:
        return to(safe(next))
    if not await signing_up.is_set_up(store_of(request)):
        return to("/setup")
    refusal = await _why_not(request, sign_up_mode(request), invitation)
    filled = Filled({"invitation": invitation, "next": next})
    answer = page(request, TEMPLATE, form=filled, refusal=refusal)
    answer.status_code = 200 if refusal is None else refusal.status
    return answer


@post("/sign-up", opt=needs(Need.ANYONE), status_code=200)
async def sign_up(request: AnyRequest, data: Sent[SignUpForm]) -> Response[Any]:
    """Makes an account, and signs its person in."""
    store, now = store_of(request), time.time()
    new = data.account
    mail, mode, address = post_of(request), sign_up_mode(request), visitor(request)["address"]
    try:
        await count_try(store, now, SIGN_UP_FROM_ADDRESS, address)
        shown = await find_signup_invite(request, now, data.invitation)
        if mail.sends:
            secret = await signing_up.request_sign_up(
                store, now, mode, new, link=data.invitation, next=data.next, **shown
            )
            mail.finish_signing_up(new.email, secret)
            return to("/sign-up/sent")
        async with finding_out_by_sign_up(store, now, address, data.invitation):
            user = await signing_up.sign_up(store, now, mode, new, **shown)
    except (LinkGone, SignUpClosed) as error:
        return again(request, TEMPLATE, error, form=refused(data, error), refusal=error)
    except AccountError as error:
        return again(request, TEMPLATE, error, form=refused(data, error), refusal=None)
    return await signed_in(request, user, safe(data.next), "welcome")


@get("/sign-up/sent", opt=needs(Need.ANYONE), sync_to_thread=False)
def letter_sent(request: AnyRequest) -> Response[Any]:
    """What to do now; the same for every address."""
    return page(request, "people/sign_up_sent.html")


@get("/sign-up/finish/{secret:str}", opt=needs(Need.ANYONE))
async def finish_form(request: AnyRequest, secret: FromPath[str]) -> Response[Any]:
    """Asks whether it is them: opening a link is no answer, programs do that, too."""
    wanted = await signing_up.requested_with(store_of(request), secret)
    return shown_once(request, FINISH, form=EMPTY, wanted=wanted.new)


@post("/sign-up/finish/{secret:str}", opt=needs(Need.ANYONE), status_code=200)
async def finish(request: AnyRequest, secret: FromPath[str]) -> Response[Any]:
    """Makes the account that the letter was about, and signs its person in."""
    store, now = store_of(request), time.time()
    wanted = await signing_up.requested_with(store, secret)
    try:
        shown = await find_signup_invite(request, now, wanted.invitation)
        mode = sign_up_mode(request)
        user = await signing_up.complete_sign_up(store, now, mode, secret, **shown)
    except AddressTaken as error:
        form = Filled(message=error.detail)
        return again(request, FINISH, error, form=form, wanted=wanted.new)
    return await signed_in(request, user, safe(wanted.next), "welcome")


async def _why_not(request: AnyRequest, mode: SignUp, invitation: str) -> AccountError | None:
    """Why somebody cannot sign up; better said before they fill in a form."""
    if mode == "closed":
        return SignUpClosed("Nobody can sign up here. Ask whoever runs this Commonroom.")
    if not invitation:
        return (
            SignUpClosed("Ask somebody who is here already for an invitation.")
            if mode == "invite"
            else None
        )
    try:
        shown = await find_signup_invite(request, time.time(), invitation)
    except LinkGone as gone:
        return gone
    if shown["vouchers"]:
        return None
    found = await store_of(request).get(invitation_with(digest=digest(invitation)))
    if found is None or found.uses_left < 1:
        return LinkGone("This invitation was used up or has run out. Ask for a new one.")
    return None

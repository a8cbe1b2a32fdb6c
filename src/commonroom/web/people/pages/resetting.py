"""A forgotten password, and the one-time link with which one chooses another."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.failed_sign_ins import failures_logged
from commonroom.accounts.service import passwords
from commonroom.accounts.service.throttle import RESET_FROM_ADDRESS, count_try
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.people import sensitive_acts
from commonroom.web.people.asking import AnyRequest, post_of, store_of
from commonroom.web.people.forms import EMPTY, ForgottenForm, NewPasswordForm, Sent, refused
from commonroom.web.people.showing import again, shown_once
from commonroom.web.people.visitors import visitor
from commonroom.web.rendering import page, redirect

FORGOT = "people/forgot.html"


@get("/forgot", opt=needs(Need.ANYONE), sync_to_thread=False)
def forgotten(request: AnyRequest) -> Response[Any]:
    """What to do about a forgotten password."""
    return page(request, FORGOT, form=EMPTY, sends_mail=post_of(request).sends)


@post("/forgot", opt=needs(Need.ANYONE), status_code=200)
async def ask_for_letter(request: AnyRequest, data: Sent[ForgottenForm]) -> Response[Any]:
    """Lets a letter be sent to whoever has this address, if anybody has."""
    post, address = post_of(request), visitor(request)["address"]
    try:
        await post.forgotten(time.time(), email=data.email, address=address)
    except Refusal as error:
        form = refused(data, error)
        return again(request, FORGOT, error, form=form, sends_mail=post.sends)
    return redirect("/forgot/sent")


@get("/forgot/sent", opt=needs(Need.ANYONE), sync_to_thread=False)
def letter_sent(request: AnyRequest) -> Response[Any]:
    """What to do now; the same for every address."""
    return page(request, "people/forgot_sent.html")


@get("/reset/{secret:str}", opt=needs(Need.ANYONE))
async def new_password_form(request: AnyRequest, secret: FromPath[str]) -> Response[Any]:
    """The form for whoever has a one-time link."""
    with failures_logged("link", visitor(request)["address"], (LinkExpired,)):
        whose = await passwords.whose_reset_link(store_of(request), secret)
    return shown_once(request, "people/reset.html", form=EMPTY, whose=whose)


@post("/reset/{secret:str}", opt=needs(Need.ANYONE), status_code=200)
async def choose_new_password(
    request: AnyRequest, secret: FromPath[str], data: Sent[NewPasswordForm]
) -> Response[Any]:
    """Sets the new password; signing in with it is the proof that it was kept."""
    store, now, address = store_of(request), time.time(), visitor(request)["address"]
    try:
        with failures_logged("link", address, (LinkExpired,)):
            whose = await passwords.whose_reset_link(store, secret)
            await count_try(store, now, RESET_FROM_ADDRESS, address)
            await sensitive_acts.choose_new_password(request, secret, data.password)
    except LinkExpired:
        raise
    except Refusal as error:
        return again(request, "people/reset.html", error, form=refused(data, error), whose=whose)
    return redirect("/sign-in", "password-chosen")

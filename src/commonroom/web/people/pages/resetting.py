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
from commonroom.web.forms import EMPTY, Sent, refused
from commonroom.web.people import sensitive_acts
from commonroom.web.people.forms import ForgottenForm, NewPasswordForm
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused, render_secret
from commonroom.web.request import Request

FORGOT = "people/forgot.html"


@get("/forgot", opt=needs(Need.ANYONE), sync_to_thread=False)
def forgotten(request: Request) -> Response[Any]:
    """What to do about a forgotten password."""
    return render(request, FORGOT, form=EMPTY, sends_mail=request.mailer.sends)


@post("/forgot", opt=needs(Need.ANYONE), status_code=200)
async def ask_for_letter(request: Request, data: Sent[ForgottenForm]) -> Response[Any]:
    """Lets a letter be sent to whoever has this address, if anybody has."""
    post, address = request.mailer, request.client_address
    try:
        await post.forgotten(time.time(), email=data.email, address=address)
    except Refusal as error:
        form = refused(data, error)
        return render_refused(request, FORGOT, error, form=form, sends_mail=post.sends)
    return redirect("/forgot/sent")


@get("/forgot/sent", opt=needs(Need.ANYONE), sync_to_thread=False)
def letter_sent(request: Request) -> Response[Any]:
    """What to do now; the same for every address."""
    return render(request, "people/forgot_sent.html")


@get("/reset/{secret:str}", opt=needs(Need.ANYONE))
async def new_password_form(request: Request, secret: FromPath[str]) -> Response[Any]:
    """The form for whoever has a one-time link."""
    with failures_logged("link", request.client_address, (LinkExpired,)):
        whose = await passwords.whose_reset_link(request.store, secret)
    return render_secret(request, "people/reset.html", form=EMPTY, whose=whose)


@post("/reset/{secret:str}", opt=needs(Need.ANYONE), status_code=200)
async def choose_new_password(
    request: Request, secret: FromPath[str], data: Sent[NewPasswordForm]
) -> Response[Any]:
    """Sets the new password; signing in with it is the proof that it was kept."""
    store, now, address = request.store, time.time(), request.client_address
    try:
        with failures_logged("link", address, (LinkExpired,)):
            whose = await passwords.whose_reset_link(store, secret)
            await count_try(store, now, RESET_FROM_ADDRESS, address)
            await sensitive_acts.choose_new_password(request, secret, data.password)
    except LinkExpired:
        raise
    except Refusal as error:
        return render_refused(
            request, "people/reset.html", error, form=refused(data, error), whose=whose
        )
    return redirect("/sign-in", "password-chosen")

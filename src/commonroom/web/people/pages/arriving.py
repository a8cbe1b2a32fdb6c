"""Coming in: the first administrator, signing in and out."""

from __future__ import annotations

import time
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import QueryParameter

from commonroom.accounts.errors import AlreadySetUp
from commonroom.accounts.service import sessions, signup
from commonroom.accounts.tables import Session, User
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.client_address import client_of
from commonroom.web.forms import EMPTY, Filled, Sent, refused
from commonroom.web.people.cookies import forget_session, keep_session
from commonroom.web.people.devices import device_of, keep_device
from commonroom.web.people.first_account import asks_for_code, check_code
from commonroom.web.people.forms import SetUpForm, SignInForm
from commonroom.web.redirects import redirect, safe_path
from commonroom.web.render import render, render_refused, render_secret
from commonroom.web.request import Next, Request

SET_UP = "people/set_up.html"
SetUpCode = Annotated[str, QueryParameter(max_length=100)]


@get("/setup", opt=needs(Need.ANYONE))
async def set_up_form(request: Request, code: SetUpCode = "") -> Response[Any]:
    """The form for the first administrator, while there is none."""
    if await signup.is_set_up(request.store):
        return redirect("/")
    return render_secret(request, SET_UP, form=Filled({"code": code}), **_set_up_context(request))


@post("/setup", opt=needs(Need.ANYONE), status_code=200)
async def set_up(request: Request, data: Sent[SetUpForm]) -> Response[Any]:
    """Makes the first administrator, and signs them in."""
    post, now = request.mailer, time.time()
    try:
        await check_code(request, now, data.code)
        user = await signup.set_up(request.store, now, data.account)
    except AlreadySetUp:
        return redirect("/sign-in")
    except Refusal as error:
        form = refused(data, error)
        return render_refused(request, SET_UP, error, form=form, **_set_up_context(request))
    post.welcome(now, user)
    return await signed_in(request, user, "/", "welcome")


def _set_up_context(request: Request) -> dict[str, Any]:
    return {"sends_mail": request.mailer.sends, "asks_for_code": asks_for_code(request)}


@get("/sign-in", opt=needs(Need.ANYONE))
async def sign_in_form(request: Request, next: Next = "") -> Response[Any]:  # noqa: A002 - the word in the address
    """The form to sign in."""
    if request.caller.account is not None:
        return redirect(safe_path(next))
    if not await signup.is_set_up(request.store):
        return redirect("/setup")
    mode = request.settings.sign_up
    return render(request, "people/sign_in.html", form=EMPTY, next=next, mode=mode)


@post("/sign-in", opt=needs(Need.ANYONE), status_code=200)
async def sign_in(request: Request, data: Sent[SignInForm]) -> Response[Any]:
    """Signs a browser in; the session it had before ends."""
    store = request.store
    try:
        user, secret = await sessions.sign_in(
            store,
            time.time(),
            email=data.email,
            password=data.password,
            device=device_of(request),
            **client_of(request),
        )
    except Refusal as error:
        context = {"next": data.next, "mode": request.settings.sign_up}
        form = refused(data, error)
        return render_refused(request, "people/sign_in.html", error, form=form, **context)
    return await _with_session(request, user, secret, redirect(safe_path(data.next)))


@post("/sign-out", opt=needs(Need.ANYONE), status_code=200)
async def sign_out(request: Request) -> Response[Any]:
    """Ends this browser's session."""
    await _end_session(request)
    answer = redirect("/", "signed-out")
    forget_session(request, answer)
    return answer


async def signed_in(
    request: Request, user: User, address: str, say: str, instead_of: Session | None = None
) -> Response[Any]:
    """Signs a browser in for somebody who has just shown that they may, and sends it on."""
    secret = await sessions.open_session(
        request.store, time.time(), user, **client_of(request), instead_of=instead_of
    )
    return await _with_session(request, user, secret, redirect(address, say))


async def _with_session(
    request: Request, user: User, secret: str, answer: Response[Any]
) -> Response[Any]:
    await _end_session(request)
    keep_session(request, answer, secret)
    keep_device(request, answer, user)
    return answer


async def _end_session(request: Request) -> None:
    session = request.caller.session
    if session is not None:
        await sessions.sign_out(request.store, session)

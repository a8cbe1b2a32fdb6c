"""Coming in: the first administrator, signing in and out."""

from __future__ import annotations

import time
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import QueryParameter

from commonroom.accounts.errors import AlreadySetUp
from commonroom.accounts.service import signing_in, signing_up
from commonroom.accounts.tables import Session, User
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import (
    AnyRequest,
    Next,
    caller_in,
    post_of,
    sign_up_mode,
    store_of,
)
from commonroom.web.people.cookies import forget_session, keep_session
from commonroom.web.people.devices import device_of, keep_device
from commonroom.web.people.first_account import asks_for_code, check_code
from commonroom.web.people.forms import EMPTY, Filled, Sent, SetUpForm, SignInForm, refused
from commonroom.web.people.going_on import safe
from commonroom.web.people.showing import again, shown_once
from commonroom.web.people.visitors import visitor
from commonroom.web.rendering import page, redirect

SET_UP = "people/set_up.html"
SetUpCode = Annotated[str, QueryParameter(max_length=100)]


@get("/setup", opt=needs(Need.ANYONE))
async def set_up_form(request: AnyRequest, code: SetUpCode = "") -> Response[Any]:
    """The form for the first administrator, while there is none."""
    if await signing_up.is_set_up(store_of(request)):
        return redirect("/")
    return shown_once(request, SET_UP, form=Filled({"code": code}), **_set_up_context(request))


@post("/setup", opt=needs(Need.ANYONE), status_code=200)
async def set_up(request: AnyRequest, data: Sent[SetUpForm]) -> Response[Any]:
    """Makes the first administrator, and signs them in."""
    post, now = post_of(request), time.time()
    try:
        await check_code(request, now, data.code)
        user = await signing_up.set_up(store_of(request), now, data.account)
    except AlreadySetUp:
        return redirect("/sign-in")
    except Refusal as error:
        form = refused(data, error)
        return again(request, SET_UP, error, form=form, **_set_up_context(request))
    post.welcome(now, user)
    return await signed_in(request, user, "/", "welcome")


def _set_up_context(request: AnyRequest) -> dict[str, Any]:
    return {"sends_mail": post_of(request).sends, "asks_for_code": asks_for_code(request)}


@get("/sign-in", opt=needs(Need.ANYONE))
async def sign_in_form(request: AnyRequest, next: Next = "") -> Response[Any]:  # noqa: A002 - the word in the address
    """The form to sign in."""
    if caller_in(request).account is not None:
        return redirect(safe(next))
    if not await signing_up.is_set_up(store_of(request)):
        return redirect("/setup")
    mode = sign_up_mode(request)
    return page(request, "people/sign_in.html", form=EMPTY, next=next, mode=mode)


@post("/sign-in", opt=needs(Need.ANYONE), status_code=200)
async def sign_in(request: AnyRequest, data: Sent[SignInForm]) -> Response[Any]:
    """Signs a browser in; the session it had before ends."""
    store = store_of(request)
    try:
        user, secret = await signing_in.sign_in(
            store,
            time.time(),
            email=data.email,
            password=data.password,
            device=device_of(request),
            **visitor(request),
        )
    except Refusal as error:
        context = {"next": data.next, "mode": sign_up_mode(request)}
        form = refused(data, error)
        return again(request, "people/sign_in.html", error, form=form, **context)
    return await _with_session(request, user, secret, redirect(safe(data.next)))


@post("/sign-out", opt=needs(Need.ANYONE), status_code=200)
async def sign_out(request: AnyRequest) -> Response[Any]:
    """Ends this browser's session."""
    await _end_session(request)
    answer = redirect("/", "signed-out")
    forget_session(request, answer)
    return answer


async def signed_in(
    request: AnyRequest, user: User, address: str, say: str, instead_of: Session | None = None
) -> Response[Any]:
    """Signs a browser in for somebody who has just shown that they may, and sends it on."""
    secret = await signing_in.open_session(
        store_of(request), time.time(), user, **visitor(request), instead_of=instead_of
    )
    return await _with_session(request, user, secret, redirect(address, say))


async def _with_session(
    request: AnyRequest, user: User, secret: str, answer: Response[Any]
) -> Response[Any]:
    await _end_session(request)
    keep_session(request, answer, secret)
    keep_device(request, answer, user)
    return answer


async def _end_session(request: AnyRequest) -> None:
    session = caller_in(request).session
    if session is not None:
        await signing_in.sign_out(store_of(request), session)

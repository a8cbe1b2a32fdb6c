"""Coming in: the first administrator, signing up, signing in and out, a forgotten password."""

from __future__ import annotations

import time
from typing import cast

from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.failed_sign_ins import failures_logged
from commonroom.accounts.service import sessions, signup
from commonroom.accounts.service.throttle import (
    RESET_FROM_ADDRESS,
    SIGN_UP_FROM_ADDRESS,
    count_try,
    finding_out_by_sign_up,
)
from commonroom.accounts.tables import Session, User
from commonroom.web.access import Need
from commonroom.web.client_address import client_of
from commonroom.web.etags import tagged
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, part, post
from commonroom.web.people import sensitive_acts
from commonroom.web.people.api import views
from commonroom.web.people.api.bodies import Forgotten, NewPassword, SetUp, SignIn, SignUp
from commonroom.web.people.cookies import forget_session, keep_session
from commonroom.web.people.devices import device_of, keep_device
from commonroom.web.people.first_account import check_code
from commonroom.web.request import Request
from commonroom.web.signup_invites import find_signup_invite


@post("/setup", Need.ANYONE, errors=(409, 429), cookie=True)
async def set_up(request: Request, new: SetUp) -> JsonResponse[views.Me]:
    """Make the first administrator.

    Works once, on an installation that nobody has set up. Signs the browser in.
    """
    now = time.time()
    await check_code(request, now, new.code or "")
    user = await signup.set_up(request.store, now, new.account)
    request.mailer.welcome(now, user)
    return await signed_in(request, user, status=201)


@post("/accounts", Need.ANYONE, errors=(202, 409, 410, 429), cookie=True)
async def sign_up(request: Request, new: SignUp) -> JsonResponse[views.Me | None]:
    """Sign up.

    Where the installation asks for one, with an invitation or an invite of a room. Where it sends
    mail, the answer is 202 for every address, and a letter brings the link that makes the account;
    elsewhere it is made at once, and the browser signed in.
    """
    store, now, link = request.store, time.time(), new.invitation or ""
    mail, mode, address = request.mailer, request.settings.sign_up, request.client_address
    await count_try(store, now, SIGN_UP_FROM_ADDRESS, address)
    shown = await find_signup_invite(request, now, link)
    if mail.sends:
        secret = await signup.request_sign_up(store, now, mode, new.account, link=link, **shown)
        mail.finish_signing_up(new.email, secret)
        return JsonResponse(None, status=202)
    async with finding_out_by_sign_up(store, now, address, link):
        user = await signup.sign_up(store, now, mode, new.account, **shown)
    return cast("JsonResponse[views.Me | None]", await signed_in(request, user, status=201))


@post("/sign-ups/{secret:str}", Need.ANYONE, errors=(409, 410), cookie=True)
async def finish_sign_up(request: Request, secret: str) -> JsonResponse[views.Me]:
    """Finish signing up with the secret of a letter's link.

    Makes the account, with its address confirmed, and signs the browser in.
    """
    store, now = request.store, time.time()
    wanted = await signup.requested_with(store, secret)
    shown = await find_signup_invite(request, now, wanted.invitation)
    user = await signup.complete_sign_up(store, now, request.settings.sign_up, secret, **shown)
    return await signed_in(request, user, status=201)


@post("/session", Need.ANYONE, errors=(429,), cookie=True)
async def sign_in(request: Request, known: SignIn) -> JsonResponse[views.Me]:
    """Sign a browser in.

    Programs show an API token instead.
    """
    user, secret = await sessions.sign_in(
        request.store,
        time.time(),
        email=known.email,
        password=known.password,
        device=device_of(request),
        **client_of(request),
    )
    return await _with_session(request, user, secret, status=201)


@delete("/session", Need.ANYONE, cookie=True)
async def sign_out(request: Request) -> JsonResponse[None]:
    """Sign this browser out.

    A browser that is not signed in is not, either, afterwards.
    """
    await _end_session(request)
    answer = JsonResponse(None)
    forget_session(request, answer)
    return answer


@post("/resets", Need.ANYONE, errors=(429,))
async def ask_for_reset(request: Request, forgotten: Forgotten) -> JsonResponse[None]:
    """Ask for a letter with a link to choose a new password.

    Works where the installation sends mail. The answer is the same whether or not anybody has the
    address.
    """
    address = request.client_address
    await request.mailer.forgotten(time.time(), email=forgotten.email, address=address)
    return JsonResponse(None)


@post("/resets/{secret:str}", Need.ANYONE, errors=(410, 429))
async def choose_new_password(
    request: Request, secret: str, new: NewPassword
) -> JsonResponse[None]:
    """Choose a new password with a one-time link.

    Ends all sessions and tokens of the account; sign in afterwards.
    """
    store, now, address = request.store, time.time(), request.client_address
    with failures_logged("link", address, (LinkExpired,)):
        await count_try(store, now, RESET_FROM_ADDRESS, address)
        await sensitive_acts.choose_new_password(request, secret, new.password)
    return JsonResponse(None)


async def signed_in(
    request: Request, user: User, *, status: int = 200, instead_of: Session | None = None
) -> JsonResponse[views.Me]:
    """An answer that signs a browser in, for somebody who has just shown that they may."""
    secret = await sessions.open_session(
        request.store, time.time(), user, **client_of(request), instead_of=instead_of
    )
    return await _with_session(request, user, secret, status=status)


async def _with_session(
    request: Request, user: User, secret: str, *, status: int
) -> JsonResponse[views.Me]:
    await _end_session(request)
    answer = tagged(views.me(request, user), status=status)
    keep_session(request, answer, secret)
    keep_device(request, answer, user)
    return answer


async def _end_session(request: Request) -> None:
    if request.caller.session is not None:
        await sessions.sign_out(request.store, request.caller.session)


OPERATIONS = part(
    "Sign-in and sign-up",
    set_up,
    sign_up,
    finish_sign_up,
    sign_in,
    sign_out,
    ask_for_reset,
    choose_new_password,
)

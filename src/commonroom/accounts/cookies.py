"""Cookies of a browser: who is signed in, for whom they act, known accounts, light or dark."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.service import sessions
from commonroom.accounts.service.sessions import KNOWN_DEVICES, KnownDevice
from commonroom.accounts.tables import Session, User
from commonroom.http.authentication import ACTING_COOKIE, COOKIE, SECURE_COOKIE
from commonroom.http.client_address import client_of
from commonroom.http.headers import cookie_in
from commonroom.http.render import THEME, THEMES
from commonroom.http.request import Request
from commonroom.http.responses import Cookie, Response
from commonroom.sealed_tokens import SealedTokens
from commonroom.settings import secrets_of

DEVICE_COOKIE = "device"
SECURE_DEVICE_COOKIE = "__Host-device"
MAX_DEVICE = 4000
MAX_AGE = 400 * 24 * 3600
"""As long as browsers keep a cookie at all: the store says when a session ends."""
_DEVICE = b"device"


async def start_session(request: Request, response: Response[Any], user: User, secret: str) -> None:
    """Signs the browser in; the session that it had before ends.

    The member that it acted for belonged to the person before.
    """
    if request.caller.session is not None:
        await sessions.sign_out(request.store, request.caller.session)
    response.set_cookie(_cookie(request, _session_name(request), secret, MAX_AGE))
    response.set_cookie(_cookie(request, ACTING_COOKIE, "", 0))
    _keep_device(request, response, user)


async def sign_browser_in(
    request: Request, response: Response[Any], user: User, *, instead_of: Session | None = None
) -> None:
    """Signs the browser in for a person who has proved who they are."""
    secret = await sessions.open_session(
        request.store, request.now, user, **client_of(request), instead_of=instead_of
    )
    await start_session(request, response, user, secret)


def forget_session(request: Request, response: Response[Any]) -> None:
    """Signs the browser out."""
    response.set_cookie(_cookie(request, _session_name(request), "", 0))
    response.set_cookie(_cookie(request, ACTING_COOKIE, "", 0))


def keep_acting(request: Request, response: Response[Any], member: User | None) -> None:
    """Remembers for whom the browser acts; None for its own person."""
    if member is None:
        response.set_cookie(_cookie(request, ACTING_COOKIE, "", 0))
    else:
        # Until the browser is closed: tomorrow another person may sit down first.
        response.set_cookie(_cookie(request, ACTING_COOKIE, member.user_id, None))


def keep_theme(request: Request, response: Response[Any], theme: str) -> None:
    """Remembers light or dark; anything else is whatever the device says."""
    chosen = theme if theme in THEMES else ""
    response.set_cookie(_cookie(request, THEME, chosen, MAX_AGE if chosen else 0))


def device_of(request: Request) -> KnownDevice | None:
    """Returns the known device that a browser shows; None where nobody signed in with it before.

    Its tries to sign in count apart from strangers'.
    """
    token = cookie_in(request.scope, _device_name(request))
    return _device_tokens(request).open(token, _DEVICE, KnownDevice) if token else None


def _keep_device(request: Request, response: Response[Any], user: User) -> None:
    """Lets the browser show from now on that this account was signed in with it.

    Signing out does not end it: they are as welcome back as before.
    """
    known = (device_of(request) or KnownDevice()).with_account(user)
    sealed = _device_tokens(request).seal(known, _DEVICE)
    response.set_cookie(_cookie(request, _device_name(request), sealed, MAX_AGE))


def _session_name(request: Request) -> str:
    return SECURE_COOKIE if _is_https(request) else COOKIE


def _device_name(request: Request) -> str:
    return SECURE_DEVICE_COOKIE if _is_https(request) else DEVICE_COOKIE


def _is_https(request: Request) -> bool:
    return request.scope.get("scheme") == "https"


def _device_tokens(request: Request) -> SealedTokens:
    state = request.app.state
    try:
        tokens: SealedTokens = state.device_tokens
    except AttributeError:
        key = secrets_of(request.settings).derived(KNOWN_DEVICES)
        tokens = state.device_tokens = SealedTokens(key, longest=MAX_DEVICE)
    return tokens


def _cookie(request: Request, name: str, value: str, seconds: int | None) -> Cookie:
    return Cookie(
        name,
        value=value,
        path="/",
        max_age=seconds,
        httponly=True,
        samesite="lax",
        secure=_is_https(request),
    )

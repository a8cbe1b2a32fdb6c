"""Known devices: the cookie with which a browser's tries to sign in count apart from strangers'."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response
from litestar.datastructures import Cookie

from commonroom.accounts.service.sessions import KNOWN_DEVICES, KnownDevice
from commonroom.accounts.tables import User
from commonroom.sealed_tokens import SealedTokens
from commonroom.settings import secrets_of
from commonroom.web.headers import cookie_in

AnyRequest = Request[Any, Any, Any]

COOKIE = "device"
SECURE_COOKIE = "__Host-device"
SECONDS = 400 * 24 * 3600
"""As long as browsers keep a cookie at all."""
LONGEST = 4000
_DEVICE = b"device"


def device_of(request: AnyRequest) -> KnownDevice | None:
    """What a browser shows of earlier visits; None where it was never here."""
    token = cookie_in(request.scope, _name(request))
    return _tokens(request).open(token, _DEVICE, KnownDevice) if token else None


def keep_device(request: AnyRequest, answer: Response[Any], user: User) -> None:
    """Lets the browser show from now on that this account was signed in with it.

    Signing out does not end it: whoever does that is as welcome back as before.
    """
    known = (device_of(request) or KnownDevice()).with_account(user)
    answer.set_cookie(
        Cookie(
            _name(request),
            value=_tokens(request).seal(known, _DEVICE),
            path="/",
            max_age=SECONDS,
            httponly=True,
            samesite="lax",
            secure=_is_https(request),
        )
    )


def _name(request: AnyRequest) -> str:
    return SECURE_COOKIE if _is_https(request) else COOKIE


def _is_https(request: AnyRequest) -> bool:
    return request.scope.get("scheme") == "https"


def _tokens(request: AnyRequest) -> SealedTokens:
    state = request.app.state
    try:
        tokens: SealedTokens = state.device_tokens
    except AttributeError:
        key = secrets_of(state.settings).derived(KNOWN_DEVICES)
        tokens = state.device_tokens = SealedTokens(key, longest=LONGEST)
    return tokens

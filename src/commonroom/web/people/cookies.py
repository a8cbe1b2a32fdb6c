"""The cookies of a browser: who is signed in, whom they act for, light or dark."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response
from litestar.datastructures import Cookie

from commonroom.accounts.tables import User
from commonroom.web.authentication import ACTING_COOKIE, COOKIE, SECURE_COOKIE
from commonroom.web.render import THEME, THEMES

AnyRequest = Request[Any, Any, Any]

LONGEST = 400 * 24 * 3600
"""As long as browsers keep a cookie at all: the store says when a session ends."""


def keep_session(request: AnyRequest, answer: Response[Any], secret: str) -> None:
    """Signs the browser in; whoever it acted for belongs to whoever was here before."""
    answer.set_cookie(_cookie(request, _session_name(request), secret, LONGEST))
    answer.set_cookie(_cookie(request, ACTING_COOKIE, "", 0))


def forget_session(request: AnyRequest, answer: Response[Any]) -> None:
    """Signs the browser out."""
    answer.set_cookie(_cookie(request, _session_name(request), "", 0))
    answer.set_cookie(_cookie(request, ACTING_COOKIE, "", 0))


def keep_acting(request: AnyRequest, answer: Response[Any], member: User | None) -> None:
    """Remembers for whom the browser acts; None for its own person."""
    if member is None:
        answer.set_cookie(_cookie(request, ACTING_COOKIE, "", 0))
    else:
        # Until the browser is closed: tomorrow it is somebody else who sits down first.
        answer.set_cookie(_cookie(request, ACTING_COOKIE, member.user_id, None))


def keep_theme(request: AnyRequest, answer: Response[Any], theme: str) -> None:
    """Remembers light or dark; anything else is whatever the device says."""
    chosen = theme if theme in THEMES else ""
    answer.set_cookie(_cookie(request, THEME, chosen, LONGEST if chosen else 0))


def _session_name(request: AnyRequest) -> str:
    return SECURE_COOKIE if _is_https(request) else COOKIE


def _is_https(request: AnyRequest) -> bool:
    return request.scope.get("scheme") == "https"


def _cookie(request: AnyRequest, name: str, value: str, seconds: int | None) -> Cookie:
    return Cookie(
        name,
        value=value,
        path="/",
        max_age=seconds,
        httponly=True,
        samesite="lax",
        secure=_is_https(request),
    )

"""The cookie by which a browser knows a guest's answer to a hangout again, whatever its link."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.datastructures import Cookie

from commonroom.hangouts.service.guests import MAX_TOKEN, GuestLinkVisitor
from commonroom.http.headers import cookie_in
from commonroom.http.request import Request

DAYS = 400
"""As long as browsers keep a cookie at all."""
PATH = "/h"


def kept_code(request: Request, visitor: GuestLinkVisitor) -> str | None:
    """Returns the code of the answer that was given in this browser."""
    name = _name(visitor)
    code = None if name is None else cookie_in(request.scope, name)
    return code if code and len(code) <= MAX_TOKEN else None


def keep_code(
    request: Request, response: Response[Any], visitor: GuestLinkVisitor, code: str
) -> None:
    """Keeps the code of an answer in this browser; an empty one is forgotten."""
    if (name := _name(visitor)) is None:
        return
    response.set_cookie(
        Cookie(
            name,
            value=code,
            path=PATH,
            max_age=DAYS * 24 * 3600 if code else 0,
            httponly=True,
            samesite="lax",
            secure=request.scope["scheme"] == "https",
        )
    )


def _name(visitor: GuestLinkVisitor) -> str | None:
    """One for each hangout: its link may be another by the time they come back."""
    found = visitor.links.read(visitor.token)
    return None if found is None else f"rsvp-{found[0]}"

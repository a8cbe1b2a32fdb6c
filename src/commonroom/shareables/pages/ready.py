"""“Your page is ready”: its link to pass on, and the creator's way back in, shown once."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

from litestar import Response, get
from litestar.datastructures import Cookie
from litestar.params import FromPath

from commonroom.shareables.addresses import address_of, recovery_address
from commonroom.shareables.entering import passes_of
from commonroom.shareables.pages.asking import ONE, entered
from commonroom.shareables.pages.cookies import keep_pass
from commonroom.shareables.pages.lasting import outlived_by
from commonroom.shareables.rules.access import pass_for
from commonroom.shareables.rules.short_ids import shown
from commonroom.shareables.service.create import Made
from commonroom.shareables.service.gate import Opened, Page
from commonroom.web.access import Need, needs
from commonroom.web.headers import cookie_in
from commonroom.web.redirects import redirect
from commonroom.web.render import render_secret
from commonroom.web.request import Request
from commonroom.web.sharing import shared

Why: TypeAlias = Literal["made", "cloned", "renewed"]

READY = "ready"
"""The cookie that lets the way back in be shown: for a moment, and to this browser alone."""
SECONDS = 600


def to_ready(request: Request, made: Made, why: Why) -> Response[Any]:
    """Sends a browser to a page that has just been made, with the creator's pass."""
    return to_new_pass(request, made.page.short_id, made.token, why)


def to_new_pass(request: Request, short_id: str, token: str, why: Why) -> Response[Any]:
    """Sends a browser to where a new way back in is shown.

    By way of another address, so that loading it anew does not make the page twice.
    """
    address = f"{address_of(short_id)}/{READY}"
    answer = redirect(address)
    keep_pass(request, answer, token)
    answer.set_cookie(
        Cookie(
            READY,
            value=why,
            path=address,
            max_age=SECONDS,
            httponly=True,
            samesite="lax",
            secure=request.scope["scheme"] == "https",
        )
    )
    return answer


@get(f"{ONE}/{READY}", opt=needs(Need.ANYONE))
async def ready(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """The link, the short id, and the way back in, for whoever has just made the page."""
    gate = await entered(request, short_id, want="admin")
    why = cookie_in(request.scope, READY)
    if why not in get_args(Why) or gate.standing != "creator":
        return redirect(address_of(short_id))
    return render_secret(request, "shareables/ready.html", why=why, **_context(request, gate))


def _context(request: Request, gate: Opened[Page]) -> dict[str, Any]:
    one = gate.page
    token = passes_of(request).sealed(pass_for(one, "creator"))
    return {
        "one": one,
        "short_id": shown(one.short_id),
        "address": address_of(one.short_id),
        "link": shared(request, address_of(one.short_id), one.name),
        "recovery": shared(request, recovery_address(one.short_id, token), one.name),
        "outlived_by": outlived_by(one),
    }


HANDLERS = [ready]

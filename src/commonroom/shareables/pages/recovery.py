"""The private edit link of a page: shown once to its creator, who comes back in with it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

from litestar import Response

from commonroom.errors import Forbidden
from commonroom.shareables.addresses import ONE, address_of, recovery_address
from commonroom.shareables.pages.cookies import keep, keep_pass
from commonroom.shareables.request import PageAdmin, passes_of
from commonroom.shareables.rules.access import pass_for
from commonroom.shareables.rules.lifecycle import outlived_by
from commonroom.shareables.rules.short_ids import format_short_id, read_short_id
from commonroom.shareables.service.gate import Visitor, no_such_page, open_page
from commonroom.web.access import Need
from commonroom.web.forms import EMPTY, Filled, form, handlers, page
from commonroom.web.headers import cookie_in
from commonroom.web.redirects import redirect
from commonroom.web.render import render_refused, render_secret
from commonroom.web.request import Request
from commonroom.web.sharing import shared

Why: TypeAlias = Literal["made", "cloned", "renewed"]

READY = "ready"
"""The cookie that lets the link be shown: for a moment, and to this browser alone."""
SECONDS = 600
RECOVERY = f"{ONE}/recover/{{token:str}}"
TEMPLATE = "shareables/recover.html"


def show_recovery_link(request: Request, short_id: str, token: str, why: Why) -> Response[Any]:
    """Sends a browser to where the link is shown, with the creator's pass.

    By way of another address, so that loading it anew does not create the page twice.
    """
    answer = redirect(f"{address_of(short_id)}/{READY}")
    keep_pass(request, answer, token)
    keep(request, answer, short_id, READY, why, seconds=SECONDS, below=f"/{READY}")
    return answer


@page(f"{ONE}/{READY}", Need.ANYONE)
async def ready(request: Request, gate: PageAdmin) -> Response[Any]:
    """“Your page is ready”: the link to pass on, the short id, and the private edit link."""
    one, why = gate.page, cookie_in(request.scope, READY)
    address = address_of(one.short_id)
    if why not in get_args(Why) or gate.standing != "creator":
        return redirect(address)
    token = gate.passes.seal(pass_for(one, "creator"))
    context = {
        "why": why,
        "one": one,
        "short_id": format_short_id(one.short_id),
        "address": address,
        "link": shared(request, address, one.name),
        "recovery": shared(request, recovery_address(one.short_id, token), one.name),
        "outlived_by": outlived_by(one),
    }
    return render_secret(request, "shareables/ready.html", **context)


@page(RECOVERY, Need.ANYONE)
async def offer_recovery(request: Request, short_id: str, token: str) -> Response[Any]:
    """A button, and nothing else: whatever previews a link must not use it."""
    read = read_short_id(short_id)
    if read is None:
        raise no_such_page()
    context = {"short_id": format_short_id(short_id), "address": recovery_address(read, token)}
    return render_secret(request, TEMPLATE, **context, form=EMPTY)


@form(RECOVERY, Need.ANYONE)
async def recover(request: Request, short_id: str, token: str) -> Response[Any]:
    """Keeps the pass of the link in this browser, where it is still good."""
    visitor = Visitor(request.store, passes_of(request), request.now, tokens=(token,))
    try:
        gate = await open_page(visitor, short_id, want="admin")
    except Forbidden:
        error = Forbidden(
            "This link no longer works. It may be incomplete, or a newer one was created."
        )
        context = {"short_id": format_short_id(short_id), "address": None}
        ended = Filled(wrong_altogether=error.detail)
        return render_refused(request, TEMPLATE, error, **context, form=ended)
    answer = redirect(address_of(gate.page.short_id), "shareable-back")
    keep_pass(request, answer, token)
    return answer


HANDLERS = handlers(ready, offer_recovery, recover)

"""A new page like another: at once, or in a form where what it was about is over."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from msgspec.structs import replace

from commonroom.errors import CommonroomError, Refusal
from commonroom.shareables.addresses import address_of
from commonroom.shareables.entering import account_of, passes_of
from commonroom.shareables.pages.administration import ADMIN, as_admin
from commonroom.shareables.pages.asking import ONE
from commonroom.shareables.pages.drafts import DRAFTS, Draft, draft_of, kind_of
from commonroom.shareables.pages.drafts.draft import days_chosen, refused
from commonroom.shareables.pages.drafts.rows import sheet_in
from commonroom.shareables.pages.filling import MAKING, form_context, zone_to_edit_in
from commonroom.shareables.pages.ready import to_ready
from commonroom.shareables.rules.lifecycle import outdated
from commonroom.shareables.service.create import clone
from commonroom.shareables.service.gate import Opened, Page
from commonroom.web.access import Need, needs
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

AGAIN = f"{ONE}/again"
DATES = ("start_time", "end_time", "rsvp_deadline", "closes_at")


@post(f"{ADMIN}/clone", opt=needs(Need.ANYONE), status_code=200)
async def clone_page(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Makes a new page like this one; what is over is asked for its new date first."""
    gate = await _as_maker(request, short_id)
    now = time.time()
    if outdated(now, gate.page):
        return redirect(f"{address_of(short_id)}/again")
    made = await clone(request.store, passes_of(request), now, gate, account_id=account_of(request))
    return to_ready(request, made, "cloned")


@get(AGAIN, opt=needs(Need.ANYONE))
async def clone_form(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """The page in a form for a new one: all but its dates, where they are over."""
    gate = await _as_maker(request, short_id)
    draft = draft_of(gate.page, zone_to_edit_in(request))
    values = {**draft.values, "expires_after": str(gate.page.expires_after)}
    if outdated(time.time(), gate.page):
        values |= {name: "" for name in DATES if name in values}
    return render(request, MAKING, **_context(gate, replace(draft, values=values)))


@post(AGAIN, opt=needs(Need.ANYONE), status_code=200)
async def clone_from_form(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Makes the new page, or does with its rows what a button in the form says."""
    gate = await _as_maker(request, short_id)
    draft: Draft = DRAFTS[kind_of(gate.page)].read(await sheet_in(request))
    if draft.is_rearranged:
        return render(request, MAKING, **_context(gate, draft))
    try:
        made = await clone(
            request.store,
            passes_of(request),
            time.time(),
            gate,
            draft.typed(),
            expires_after=days_chosen(draft.text("expires_after")),
            confirm_past=True,  # it was asked about where the form was read
            account_id=account_of(request),
        )
    except Refusal as error:
        return _refused(request, gate, refused(draft, error), error)
    return to_ready(request, made, "cloned")


async def _as_maker(request: Request, short_id: str) -> Opened[Page]:
    """The page, opened to an admin who may make another."""
    gate = await as_admin(request, short_id)
    gate.caller.limits.check_making()
    return gate


def _refused(
    request: Request, gate: Opened[Page], draft: Draft, error: CommonroomError
) -> Response[Any]:
    return render_refused(request, MAKING, error, **_context(gate, draft))


def _context(gate: Opened[Page], draft: Draft) -> dict[str, Any]:
    context = form_context(kind_of(gate.page), draft)
    address = address_of(gate.page.short_id)
    return {**context, "original": gate.page, "address": address, "action": f"{address}/again"}


HANDLERS = [clone_page, clone_form, clone_from_form]

"""Making a page: one screen for each kind, with or without an account."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.errors import CommonroomError, Refusal
from commonroom.shareables.entering import account_of, limits_of, passes_of
from commonroom.shareables.pages.drafts import DRAFTS, Draft, kind_named
from commonroom.shareables.pages.drafts.draft import days_chosen, passcodes_chosen, refused
from commonroom.shareables.pages.drafts.rows import sheet_in
from commonroom.shareables.pages.filling import MAKING, form_context, zone_of
from commonroom.shareables.pages.ready import to_ready
from commonroom.shareables.service.create import Made, make
from commonroom.shareables.service.listing import Kind
from commonroom.web.access import Need, needs
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

NEW = "/s/new/{kind:str}"


@get(NEW, opt=needs(Need.ANYONE), sync_to_thread=False)
def new_form(request: Request, kind: FromPath[str]) -> Response[Any]:
    """An empty form for a page of this kind."""
    named = kind_named(kind)
    limits_of(request).check_making()
    return _shown(request, named, DRAFTS[named].blank(zone_of(request)))


@post(NEW, opt=needs(Need.ANYONE), status_code=200)
async def make_page(request: Request, kind: FromPath[str]) -> Response[Any]:
    """Makes the page, or does with its rows what a button in the form says."""
    named = kind_named(kind)
    draft: Draft = DRAFTS[named].read(await sheet_in(request))
    if draft.is_rearranged:
        return _shown(request, named, draft)
    try:
        made = await _made(request, draft)
    except Refusal as error:
        return _shown(request, named, refused(draft, error), error)
    return to_ready(request, made, "made")


async def _made(request: Request, draft: Draft) -> Made:
    return await make(
        request.store,
        passes_of(request),
        time.time(),
        draft.typed(),
        expires_after=days_chosen(draft.text("expires_after")),
        passcodes=passcodes_chosen(draft.values),
        account_id=account_of(request),
        address=request.client_address,
        limits=limits_of(request),
        confirm_past=True,  # it was asked about where the form was read
    )


def _shown(
    request: Request, kind: Kind, draft: Draft, error: CommonroomError | None = None
) -> Response[Any]:
    context = form_context(kind, draft)
    if error is None:
        return render(request, MAKING, **context)
    return render_refused(request, MAKING, error, **context)


HANDLERS = [new_form, make_page]

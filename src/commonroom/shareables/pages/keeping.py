"""Keeping a page in one's list, and taking it out again."""

from __future__ import annotations

from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from commonroom.shareables.addresses import address_of
from commonroom.shareables.pages.asking import ONE, entered
from commonroom.shareables.service import listing
from commonroom.web.access import Need, needs
from commonroom.web.redirects import redirect
from commonroom.web.request import Request


@post(f"{ONE}/keep", opt=needs(Need.THEMSELVES), status_code=200)
async def keep_page(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Puts a page into the list of whoever asks."""
    gate = await entered(request, short_id)
    await listing.join(request.store, gate, request.person.user_id)
    return redirect(address_of(gate.page.short_id), "shareable-kept")


@post(f"{ONE}/drop", opt=needs(Need.THEMSELVES), status_code=200)
async def drop_page(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Takes a page out of the list of whoever asks, who need not be let in for that."""
    await listing.drop(request.store, short_id, request.person.user_id)
    return redirect("/s", "shareable-dropped")


HANDLERS = [keep_page, drop_page]

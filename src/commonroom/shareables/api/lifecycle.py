"""The life of a page: extending and deleting it."""

from __future__ import annotations

import time

from commonroom.shareables.api import views
from commonroom.shareables.api.asking import ONE, HeldPass, entered
from commonroom.shareables.api.bodies import Extension
from commonroom.shareables.api.view import seen
from commonroom.shareables.service.gate import Page
from commonroom.shareables.service.lifecycle import delete_page, extend
from commonroom.web.access import Need
from commonroom.web.etags import IfMatch, changed, check_match
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, part, post
from commonroom.web.request import Request


@post(f"{ONE}/extend", Need.ANYONE, errors=(410, 429), status=200)
async def extend_shareable(
    request: Request, short_id: str, held: HeldPass, extension: Extension
) -> JsonResponse[views.Extended]:
    """Let a page live longer; an admin may, before its time is over."""
    gate = await entered(request, short_id, held, want="admin")
    return JsonResponse(
        views.Extended(await extend(request.store, time.time(), gate, extension.days))
    )


@delete(ONE, Need.ANYONE, errors=(410, 412, 429))
async def delete_shareable(
    request: Request, short_id: str, held: HeldPass, if_match: IfMatch
) -> JsonResponse[None]:
    """Delete a page at once, with everything on it; an admin may."""
    gate = await entered(request, short_id, held, want="admin")
    if if_match is not None:
        check_match(if_match, await seen(request, gate))
    version = gate.page.version

    def check_seen(page: Page) -> None:
        if if_match is not None and page.version != version:
            raise changed()

    await delete_page(request.store, time.time(), gate, check_seen=check_seen)
    return JsonResponse(None)


OPERATIONS = part("Shareables: expiry", extend_shareable, delete_shareable)

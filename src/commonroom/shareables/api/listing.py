"""The list of somebody with an account: pages they made, and pages they joined."""

from __future__ import annotations

import time

from commonroom.shareables.api import views
from commonroom.shareables.api.asking import ONE, HeldPass, entered
from commonroom.shareables.service import listing
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post
from commonroom.web.paging import Listed, Paging
from commonroom.web.request import Request


@get("/shareables", Need.THEMSELVES)
async def list_shareables(
    request: Request, paging: Paging
) -> JsonResponse[Listed[views.ListedPage]]:
    """List the pages that one made or joined, the newest first."""
    found = await listing.pages_of(
        request.store,
        time.time(),
        request.person.user_id,
        limit=paging.limit,
        cursor=paging.cursor,
    )
    return JsonResponse(Listed([views.listed_page(one) for one in found.pages], found.cursor))


@post(f"{ONE}/claim", Need.THEMSELVES, errors=(410, 429))
async def claim_shareable(request: Request, short_id: str, held: HeldPass) -> JsonResponse[None]:
    """Make a page one's own, with its creator's pass."""
    gate = await entered(request, short_id, held, want="admin")
    await listing.claim_as_mine(request.store, time.time(), gate, request.person.user_id)
    return JsonResponse(None)


@post(f"{ONE}/join", Need.THEMSELVES, errors=(410, 429))
async def join_shareable(request: Request, short_id: str, held: HeldPass) -> JsonResponse[None]:
    """Put a page into one's list."""
    gate = await entered(request, short_id, held)
    await listing.join(request.store, gate, request.person.user_id)
    return JsonResponse(None)


@delete(f"{ONE}/join", Need.THEMSELVES, errors=(429,))
async def leave_shareable(request: Request, short_id: str) -> JsonResponse[None]:
    """Take a page out of one's list; one that one made stays there."""
    await listing.drop(request.store, short_id, request.person.user_id)
    return JsonResponse(None)


OPERATIONS = part(
    "Shareables: my list", list_shareables, claim_shareable, join_shareable, leave_shareable
)

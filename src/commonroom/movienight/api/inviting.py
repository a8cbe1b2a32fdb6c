"""Invites into a household."""

from __future__ import annotations

import time

from commonroom.movienight.api import views
from commonroom.movienight.api.asking import seat_of
from commonroom.movienight.service import inviting
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post
from commonroom.web.paging import Listed
from commonroom.web.request import Request

ALL = "/households/{group_id:str}/invites"


@post(ALL, Need.THEMSELVES, errors=(404, 409))
async def create_invite(request: Request, group_id: str) -> JsonResponse[views.InviteWithToken]:
    """Make a link into the household, for several people and seven days.

    Its token is shown this once.
    """
    seat = await seat_of(request, group_id)
    made = await inviting.invite(request.store, time.time(), seat)
    return JsonResponse(views.new_invite(made), status=201)


@get(ALL, Need.WRITER, errors=(404,))
async def list_invites(request: Request, group_id: str) -> JsonResponse[Listed[views.Invite]]:
    """List the invites that are valid, the newest first.

    Without their tokens.
    """
    seat = await seat_of(request, group_id)
    found = await inviting.invites_of(request.store, time.time(), seat)
    return JsonResponse(Listed([views.invite(one) for one in found], None))


@delete(f"{ALL}/{{invite_id:str}}", Need.THEMSELVES, errors=(404,))
async def revoke_invite(request: Request, group_id: str, invite_id: str) -> JsonResponse[None]:
    """End an invite."""
    seat = await seat_of(request, group_id)
    await inviting.revoke(request.store, time.time(), seat, invite_id)
    return JsonResponse(None)


@get("/invites/{token:str}", Need.ANYONE, errors=(404, 410))
async def preview_invite(request: Request, token: str) -> JsonResponse[views.Preview]:
    """See what an invite is for: the household's name and its size."""
    seen = await inviting.preview(request.store, time.time(), token)
    return JsonResponse(views.preview(seen))


@post("/invites/{token:str}/join", Need.THEMSELVES, errors=(404, 409, 410))
async def join_household(request: Request, token: str) -> JsonResponse[views.Household]:
    """Join a household with an invite."""
    group = await inviting.join(request.store, time.time(), request.person, token)
    return JsonResponse(views.household(group), status=201)


OPERATIONS = part(
    "Movie night: invites",
    create_invite,
    list_invites,
    revoke_invite,
    preview_invite,
    join_household,
)

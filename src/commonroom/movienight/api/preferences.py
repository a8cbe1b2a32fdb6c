"""What members like and may see."""

from __future__ import annotations

import time

from commonroom.movienight.api import views
from commonroom.movienight.api.asking import seat_of
from commonroom.movienight.api.bodies import PreferencesSet
from commonroom.movienight.service import preferences
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import get, part, put
from commonroom.web.paging import Listed
from commonroom.web.request import Request


@get("/households/{group_id:str}/preferences", Need.SIGNED_IN, errors=(404,))
async def list_preferences(
    request: Request, group_id: str
) -> JsonResponse[Listed[views.MemberPreferences]]:
    """List what the members of one's household like; who has not said so is left out."""
    seat = await seat_of(request, group_id)
    found = await preferences.preferences_of(request.store, seat)
    return JsonResponse(Listed([views.preferences(one) for one in found.values()], None))


@put(
    "/households/{group_id:str}/members/{member_id:str}/preferences",
    Need.SIGNED_IN,
    errors=(404, 409),
)
async def set_preferences(
    request: Request, group_id: str, member_id: str, chosen: PreferencesSet
) -> JsonResponse[views.MemberPreferences]:
    """Set what a member likes and may see.

    Everybody sets their own, parents those of the members they manage, the creator those of any
    managed member.
    """
    seat = await seat_of(request, group_id)
    kept = await preferences.set_preferences(
        request.store,
        time.time(),
        seat,
        member_id,
        likes=chosen.genre_likes,
        dislikes=chosen.genre_dislikes,
        ceiling=chosen.max_content_rating,
    )
    return JsonResponse(views.preferences(kept))


OPERATIONS = part("Movie night: preferences", list_preferences, set_preferences)

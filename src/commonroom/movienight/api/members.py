"""The members of a household."""

from __future__ import annotations

import time

import msgspec

from commonroom.movienight.api import views
from commonroom.movienight.api.asking import seat_of
from commonroom.movienight.service import members
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, patch, post, put
from commonroom.web.paging import Listed
from commonroom.web.people.api.bodies import MemberChange, NewMember
from commonroom.web.request import Request

ALL = "/households/{group_id:str}/members"
ONE = f"{ALL}/{{member_id:str}}"


@get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_household_members(
    request: Request, group_id: str
) -> JsonResponse[Listed[views.HouseholdMember]]:
    """List the members of one's household, the longest-standing first."""
    seat = await seat_of(request, group_id)
    found = await members.members_of(request.store, seat.group_id)
    return JsonResponse(Listed([views.household_member(one) for one in found], None))


@post(ALL, Need.THEMSELVES, errors=(404, 409))
async def add_household_member(
    request: Request, group_id: str, new: NewMember
) -> JsonResponse[views.AddedMember]:
    """Add somebody without a login, whose parent one then is."""
    seat = await seat_of(request, group_id)
    member = await members.add_managed(
        request.store,
        time.time(),
        seat,
        display_name=new.display_name,
        avatar_key=new.avatar_key,
        ceiling=new.content_rating_ceiling,
    )
    return JsonResponse(views.added_member(member), status=201)


@put(ONE, Need.THEMSELVES, errors=(404, 409))
async def bring_household_member(
    request: Request, group_id: str, member_id: str
) -> JsonResponse[None]:
    """Bring along a managed member of one's own."""
    seat = await seat_of(request, group_id)
    await members.bring_along(request.store, time.time(), seat, member_id)
    return JsonResponse(None)


@patch(ONE, Need.THEMSELVES, errors=(404, 409))
async def change_household_member(
    request: Request, group_id: str, member_id: str, change: MemberChange
) -> JsonResponse[views.AddedMember]:
    """Change a managed member of the household.

    Its parent and the household's creator may. What is left out stays as it is.
    """
    seat = await seat_of(request, group_id)
    given = {
        name: value
        for name, value in msgspec.structs.asdict(change).items()
        if value is not msgspec.UNSET
    }
    if "content_rating_ceiling" in given:
        given["ceiling"] = given.pop("content_rating_ceiling")
    member = await members.change_managed(request.store, time.time(), seat, member_id, **given)
    return JsonResponse(views.added_member(member))


@delete(ONE, Need.THEMSELVES, errors=(404, 409))
async def remove_household_member(
    request: Request, group_id: str, member_id: str
) -> JsonResponse[None]:
    """Take a member out of the household.

    A managed one stays with its parent. Only the creator can take out somebody with a login.
    """
    seat = await seat_of(request, group_id)
    await members.remove_member(request.store, time.time(), seat, member_id)
    return JsonResponse(None)


OPERATIONS = part(
    "Movie night: members",
    list_household_members,
    add_household_member,
    bring_household_member,
    change_household_member,
    remove_household_member,
)

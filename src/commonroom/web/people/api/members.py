"""The members that one manages."""

from __future__ import annotations

import time

import msgspec

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles
from commonroom.accounts.tables import managed_members
from commonroom.store import ConditionFailed
from commonroom.web.access import Need
from commonroom.web.etags import IfMatch, IfNoneMatch, as_read, changed, check_match, tagged
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, patch, post
from commonroom.web.paging import Listed, Paging, listed_as
from commonroom.web.people.api import views
from commonroom.web.people.api.bodies import MemberChange, NewMember
from commonroom.web.request import Request

ONE = "/me/members/{member_id:str}"
CHANGEABLE = ("display_name", "avatar_key", "content_rating_ceiling", "updated_at")


@get("/me/members", Need.THEMSELVES)
async def list_members(request: Request, paging: Paging) -> JsonResponse[Listed[views.Member]]:
    """List the members that one manages."""
    asked = managed_members(parent_user_id=request.person.user_id)
    return JsonResponse(await listed_as(request.store, asked, paging, views.Member))


@post("/me/members", Need.THEMSELVES, errors=(404,))
async def add_member(request: Request, new: NewMember) -> JsonResponse[views.Member]:
    """Add a managed member."""
    member = await profiles.add_managed(
        request.context,
        display_name=new.display_name,
        avatar_key=new.avatar_key,
        ceiling=new.content_rating_ceiling,
    )
    return tagged(views.member(member), status=201)


@get(ONE, Need.THEMSELVES, errors=(304,))
async def get_member(
    request: Request, member_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.Member]:
    """Get a managed member."""
    member = await profiles.managed_by(request.store, request.person, member_id)
    return tagged(views.member(member), unless=if_none_match)


@patch(ONE, Need.THEMSELVES, errors=(412,))
async def change_member(
    request: Request, member_id: str, if_match: IfMatch, change: MemberChange
) -> JsonResponse[views.Member]:
    """Change a managed member.

    What is left out stays as it is.
    """
    store, person = request.store, request.person
    member = await profiles.managed_by(store, person, member_id)
    check_match(if_match, views.member(member))
    given = {
        name: value
        for name, value in msgspec.structs.asdict(change).items()
        if value is not msgspec.UNSET
    }
    if "content_rating_ceiling" in given:
        given["ceiling"] = given.pop("content_rating_ceiling")
    unchanged = None if if_match is None else as_read(member, *CHANGEABLE)
    try:
        member = await profiles.change_managed(
            Context(store, person, time.time()), member_id, **given, if_=unchanged
        )
    except ConditionFailed:
        raise changed() from None
    return tagged(views.member(member))


@delete(ONE, Need.THEMSELVES)
async def remove_member(request: Request, member_id: str) -> JsonResponse[None]:
    """Remove a managed member."""
    await profiles.remove_managed(request.store, request.person, member_id)
    return JsonResponse(None)


OPERATIONS = part(
    "Managed members", list_members, add_member, get_member, change_member, remove_member
)

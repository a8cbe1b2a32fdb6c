"""Profiles: one's own, and those of the members one manages."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Struct

from commonroom.accounts.api import views
from commonroom.accounts.api.bodies import MemberChange, NewMember, ProfileChange, checked_prefs
from commonroom.accounts.service import profiles
from commonroom.accounts.service.profiles import Clearable
from commonroom.accounts.tables import managed_members
from commonroom.errors import NotFound, PreconditionFailed
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import IfMatch, IfNoneMatch, changed, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging, paged_as
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.joins.rooms import preference_names
from commonroom.store import ConditionFailed, as_read

ONE = "/me/members/{member_id:str}"
CLEARABLE: tuple[Clearable, ...] = ("language", "time_zone")
# What must still be as it was read where a change has an If-Match.
PROFILE = (
    "email", "email_confirmed_at", "new_email", "display_name", "avatar_key", "language",
    "time_zone", "notification_prefs", "updated_at",
)  # fmt: skip
MEMBER = ("display_name", "avatar_key", "content_rating_ceiling", "updated_at")


api = Operations("My account", errors=(304,))
managed_members_api = api.tagged("Managed members")


@api.get("/me", Need.SIGNED_IN)
async def get_me(request: Request, if_none_match: IfNoneMatch) -> JsonResponse[views.Me]:
    """Get one's own account."""
    caller = request.caller
    return tagged(views.me(request, caller.person, caller.acting_as), unless=if_none_match)


@api.patch("/me", Need.NOT_ACTING, errors=(NotFound, PreconditionFailed))
async def change_me(
    request: Request, if_match: IfMatch, change: ProfileChange
) -> JsonResponse[views.Me]:
    """Change how one is shown.

    What is left out stays as it is; null clears the language or the time zone.
    """
    person = request.person
    fields = {name: value for name, value in _fields(change).items() if value is not None}
    if change.notification_prefs is not UNSET:
        chosen = checked_prefs(change.notification_prefs, preference_names(request))
        fields["notification_prefs"] = (person.notification_prefs or {}) | chosen
    # What cannot be read is refused as such, whatever else has changed.
    check_match(if_match, views.me(request, person))
    try:
        user = await profiles.change_profile(
            request.context,
            **fields,
            clear=[name for name in CLEARABLE if getattr(change, name) is None],
            if_=None if if_match is None else as_read(person, *PROFILE),
        )
    except ConditionFailed:
        raise changed() from None
    return tagged(views.me(request, user))


@managed_members_api.get("/me/members", Need.NOT_ACTING, errors=())
async def list_members(ctx: Ctx, paging: Paging) -> PagedList[views.ManagedMemberView]:
    """List the members that one manages."""
    pattern = managed_members(parent_user_id=ctx.person.user_id)
    return await paged_as(ctx.store, pattern, paging, views.ManagedMemberView)


@managed_members_api.post("/me/members", Need.NOT_ACTING, errors=(NotFound,))
async def add_member(ctx: Ctx, new: NewMember) -> JsonResponse[views.ManagedMemberView]:
    """Add a managed member."""
    member = await profiles.add_managed(
        ctx,
        display_name=new.display_name,
        avatar_key=new.avatar_key,
        ceiling=new.content_rating_ceiling,
    )
    return tagged(views.member(member), status=201)


@managed_members_api.get(ONE, Need.NOT_ACTING)
async def get_member(
    ctx: Ctx, member_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.ManagedMemberView]:
    """Get a managed member."""
    member = await profiles.managed_by(ctx.store, ctx.person, member_id)
    return tagged(views.member(member), unless=if_none_match)


@managed_members_api.patch(ONE, Need.NOT_ACTING, errors=(PreconditionFailed,))
async def change_member(
    ctx: Ctx, member_id: str, if_match: IfMatch, change: MemberChange
) -> JsonResponse[views.ManagedMemberView]:
    """Change a managed member.

    What is left out stays as it is.
    """
    member = await profiles.managed_by(ctx.store, ctx.person, member_id)
    check_match(if_match, views.member(member))
    fields = _fields(change)
    if "content_rating_ceiling" in fields:
        fields["ceiling"] = fields.pop("content_rating_ceiling")
    unchanged = None if if_match is None else as_read(member, *MEMBER)
    try:
        member = await profiles.change_managed(ctx, member_id, **fields, if_=unchanged)
    except ConditionFailed:
        raise changed() from None
    return tagged(views.member(member))


@managed_members_api.delete(ONE, Need.NOT_ACTING, errors=())
async def remove_member(ctx: Ctx, member_id: str) -> None:
    """Remove a managed member."""
    await profiles.remove_managed(ctx.store, ctx.person, member_id)


def _fields(change: Struct) -> dict[str, Any]:
    """Returns the fields of a body that were not left out."""
    fields = msgspec.structs.asdict(change)
    return {name: value for name, value in fields.items() if value is not UNSET}

"""The members of a household."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from commonroom.accounts.api.bodies import MemberChange, NewMember
from commonroom.accounts.api.views import Moment
from commonroom.accounts.tables import Ceiling, User
from commonroom.http.access import Need
from commonroom.http.bodies import sent_fields
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import projection
from commonroom.movienight.request import ContextInPath
from commonroom.movienight.rules.households import RosterMember
from commonroom.movienight.service import members

ALL = "/households/{group_id:str}/members"
ONE = f"{ALL}/{{member_id:str}}"


api = Operations("Movie night: members", errors=(404, 409))


class HouseholdMember(Struct, frozen=True):
    """A member of a household."""

    user_id: str
    display_name: Annotated[str | None, Meta(description="Null where the account is deleted.")]
    avatar_key: str | None
    role: Literal["creator", "member"]
    member_type: Literal["independent", "managed"]
    parent_user_id: str | None
    content_rating_ceiling: Ceiling | None
    joined_at: Moment


class AddedMember(Struct, frozen=True):
    """A managed member of a household."""

    user_id: str
    display_name: str
    avatar_key: str | None
    parent_user_id: str | None
    content_rating_ceiling: Ceiling | None
    created_at: Moment


added_member = projection(User, AddedMember)


@api.get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_household_members(ctx: ContextInPath) -> PagedList[HouseholdMember]:
    """List the members of one's household, the longest-standing first."""
    found = await members.list_members(ctx.store, ctx.group_id)
    return PagedList([household_member(one) for one in found], None)


@api.post(ALL, Need.NOT_ACTING)
async def add_household_member(ctx: ContextInPath, new: NewMember) -> AddedMember:
    """Add a member without a login, whose parent one then is."""
    member = await members.add_managed(
        ctx,
        display_name=new.display_name,
        avatar_key=new.avatar_key,
        ceiling=new.content_rating_ceiling,
    )
    return added_member(member)


@api.put(ONE, Need.NOT_ACTING)
async def bring_household_member(ctx: ContextInPath, member_id: str) -> None:
    """Bring along a managed member of one's own."""
    await members.bring_along(ctx, member_id)


@api.patch(ONE, Need.NOT_ACTING)
async def change_household_member(
    ctx: ContextInPath, member_id: str, change: MemberChange
) -> AddedMember:
    """Change a managed member of the household.

    Its parent and the household's creator may. What is left out stays as it is.
    """
    given = sent_fields(change)
    if "content_rating_ceiling" in given:
        given["ceiling"] = given.pop("content_rating_ceiling")
    return added_member(await members.change_managed(ctx, member_id, **given))


@api.delete(ONE, Need.NOT_ACTING)
async def remove_household_member(ctx: ContextInPath, member_id: str) -> None:
    """Take a member out of the household.

    A managed one stays with its parent. Only the creator can take out a member with a login; the
    household’s open invites, by which they could come back, end with it.
    """
    await members.remove_member(ctx, member_id)


def household_member(one: RosterMember) -> HouseholdMember:
    """Returns a member as the others see them."""
    user, membership = one.user, one.membership
    return HouseholdMember(
        user_id=membership.user_id,
        display_name=None if user is None else user.display_name,
        avatar_key=None if user is None else user.avatar_key,
        role=membership.role,
        member_type=membership.member_type,
        parent_user_id=None if user is None else user.parent_user_id,
        content_rating_ceiling=None if user is None else user.content_rating_ceiling,
        joined_at=membership.joined_at,
    )

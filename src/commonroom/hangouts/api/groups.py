"""Groups: made, listed, changed, deleted, and who is in them as what."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.rules.fields import Picture, Version, characters
from commonroom.hangouts.rules.groups import COLOURS, MAX_NAME
from commonroom.hangouts.service import access, groups, members
from commonroom.hangouts.tables import Role
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body, sent_fields
from commonroom.http.etags import IfNoneMatch, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import projection
from commonroom.http.responses import JsonResponse
from commonroom.moments import known

GroupName: TypeAlias = Annotated[str, characters(MAX_NAME, least=1)]
Colour: TypeAlias = Annotated[
    str, Meta(max_length=100, description=f"One of `{'`, `'.join(COLOURS)}`.")
]


api = Operations("Hangouts: groups", errors=(404, 409, 429))


class NewGroup(Body):
    """A group to be."""

    group_name: GroupName
    is_public: bool = False
    colour: Colour | None = None
    picture: Picture | None = None


class GroupChange(Body):
    """Changes of a group; what is left out stays as it is, null clears a look."""

    version: Version
    group_name: GroupName | UnsetType = UNSET
    is_public: Annotated[bool | UnsetType, Meta(description="Only by admins.")] = UNSET
    colour: Colour | UnsetType | None = UNSET
    picture: Picture | UnsetType | None = UNSET


class RoleGiven(Body):
    """What a person is in a group."""

    role: Role


class FriendGroupView(Struct, frozen=True):
    """A group of friends."""

    group_id: str
    group_name: str
    is_public: bool
    colour: str | None
    picture: str | None
    member_count: int
    created_at: Moment | None
    version: int


class GroupMembershipView(Struct, frozen=True):
    """A group that the caller is in."""

    group_id: str
    group_name: str
    role: Role
    joined_at: Moment | None


class GroupMember(Struct, frozen=True):
    """A member of a group."""

    user_id: str
    user_name: str | None
    role: Role
    joined_at: Moment | None


def _joined_at(one: tables.GroupMembership) -> str | None:
    return known(one.joined_at)


group_view = projection(
    tables.FriendGroup, FriendGroupView, created_at=lambda one: known(one.created_at)
)
membership_view = projection(tables.GroupMembership, GroupMembershipView, joined_at=_joined_at)
member_view = projection(tables.GroupMembership, GroupMember, joined_at=_joined_at)


@api.post(addresses.GROUPS, Need.NOT_ACTING, errors=(409, 429))
async def create_group(ctx: Ctx, new: NewGroup) -> FriendGroupView:
    """Create a group; its maker is its admin and first member."""
    made = await groups.create_group(
        ctx,
        name=new.group_name,
        is_public=new.is_public,
        colour=new.colour,
        picture=new.picture,
    )
    return group_view(made)


@api.get(addresses.GROUPS, Need.SIGNED_IN, errors=())
async def list_groups(ctx: Ctx) -> PagedList[GroupMembershipView]:
    """List one’s groups by name."""
    return PagedList([membership_view(one) for one in await groups.my_groups(ctx)], None)


@api.get(addresses.GROUP, Need.SIGNED_IN, errors=(304, 404))
async def get_group(
    ctx: Ctx, group_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[FriendGroupView]:
    """Get a group that one is in."""
    found = await access.open_group(ctx, group_id)
    return tagged(group_view(found.group), unless=if_none_match)


@api.patch(addresses.GROUP, Need.NOT_ACTING)
async def change_group(
    ctx: Ctx, group_id: str, change: GroupChange
) -> JsonResponse[FriendGroupView]:
    """Change a group’s name and look; any member may, and only admins whether it is public.

    What is left out stays as it is. Where it was changed since, 409 says in `version`
    which one there is now.
    """
    given = sent_fields(change, "version")
    changed = await groups.change_group(ctx, group_id, given, version=change.version)
    return tagged(group_view(changed))


@api.delete(addresses.GROUP, Need.NOT_ACTING)
async def delete_group(ctx: Ctx, group_id: str) -> None:
    """Delete a group with everything in it; its admins may.

    Hangouts that belong to other groups as well, or to which others were invited directly, stay
    with those.
    """
    await groups.delete_group(ctx, group_id)


@api.get(addresses.MEMBERS, Need.SIGNED_IN, errors=(404,))
async def list_group_members(ctx: Ctx, group_id: str) -> PagedList[GroupMember]:
    """List all members of a group, those who were there first coming first."""
    _, found = await members.see_members(ctx, group_id)
    return PagedList([member_view(one) for one in found], None)


@api.patch(f"{addresses.MEMBERS}/{{user_id:str}}", Need.NOT_ACTING)
async def change_group_member(
    ctx: Ctx, group_id: str, user_id: str, given: RoleGiven
) -> GroupMember:
    """Make a member an admin of a group, or a member like others; its admins may.

    The last admin stays one.
    """
    return member_view(await members.set_role(ctx, group_id, user_id, given.role))


@api.delete(f"{addresses.MEMBERS}/{{user_id:str}}", Need.NOT_ACTING)
async def remove_group_member(ctx: Ctx, group_id: str, user_id: str) -> None:
    """Leave a group, or remove a member, as its admins may; their answers go along.

    Removing a member ends the group’s codes, because they may know them. When the last admin
    leaves, the longest-standing member becomes one; the last to leave deletes the group.
    """
    await members.remove_member(ctx, group_id, user_id)

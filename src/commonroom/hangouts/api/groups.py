"""Groups: made, joined with a code, listed."""

from __future__ import annotations

from msgspec import Struct

from commonroom.hangouts import tables
from commonroom.hangouts.api.bodies import CodeGiven, NewCode, NewGroup
from commonroom.hangouts.service import access, groups
from commonroom.hangouts.tables import Role
from commonroom.web.access import Need
from commonroom.web.arguments import Ctx
from commonroom.web.etags import IfNoneMatch, tagged
from commonroom.web.operations import get, part, post
from commonroom.web.paging import Listed
from commonroom.web.people.api.views import Moment
from commonroom.web.projections import projection
from commonroom.web.responses import JsonResponse

ALL = "/groups"
ONE = f"{ALL}/{{group_id:str}}"


class Group(Struct, frozen=True):
    """A group of friends."""

    group_id: str
    group_name: str
    is_public: bool
    colour: str | None
    picture: str | None
    member_count: int
    created_at: Moment
    version: int


class Membership(Struct, frozen=True):
    """A group that somebody is in."""

    group_id: str
    group_name: str
    role: Role
    joined_at: Moment


class Code(Struct, frozen=True):
    """A code that lets people into a group."""

    code: str
    group_id: str
    expires_at: Moment | None
    single_use: bool


group_view = projection(tables.Group, Group)
membership_view = projection(tables.Membership, Membership)
code_view = projection(tables.InviteCode, Code)


@post(ALL, Need.THEMSELVES, errors=(409, 429))
async def create_group(ctx: Ctx, new: NewGroup) -> Group:
    """Create a group; its maker is its admin and first member."""
    made = await groups.create_group(
        ctx, name=new.group_name, is_public=new.is_public, colour=new.colour
    )
    return group_view(made)


@get(ALL, Need.SIGNED_IN)
async def list_groups(ctx: Ctx) -> Listed[Membership]:
    """List one’s groups by name."""
    return Listed([membership_view(one) for one in await groups.my_groups(ctx)], None)


@get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_group(ctx: Ctx, group_id: str, if_none_match: IfNoneMatch) -> JsonResponse[Group]:
    """Get a group that one is in."""
    found = await access.open_group(ctx, group_id)
    return tagged(group_view(found.group), unless=if_none_match)


@post(f"{ONE}/codes", Need.THEMSELVES, errors=(404, 429))
async def create_group_code(ctx: Ctx, group_id: str, new: NewCode) -> Code:
    """Create a code that lets people into a group."""
    return code_view(await groups.create_code(ctx, group_id, single_use=new.single_use))


@post(f"{ALL}/join", Need.THEMSELVES, errors=(404, 409, 410, 429), status=200)
async def join_group(ctx: Ctx, given: CodeGiven) -> Group:
    """Join a group with a code; whoever is in it already stays so."""
    return group_view(await groups.join(ctx, given.code))


OPERATIONS = part(
    "Hangouts: groups",
    create_group,
    list_groups,
    get_group,
    create_group_code,
    join_group,
)

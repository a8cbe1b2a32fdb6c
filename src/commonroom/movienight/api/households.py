"""Households."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from commonroom.accounts.api.views import Moment
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.etags import IfMatch, IfNoneMatch, changed, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.projections import projection
from commonroom.http.responses import JsonResponse
from commonroom.movienight.request import ContextInPath
from commonroom.movienight.rules.households import MAX_NAME, MAX_SERVICES
from commonroom.movienight.service import households, members
from commonroom.movienight.tables import Household
from commonroom.store import ConditionFailed, as_read

ONE = "/households/{group_id:str}"

HouseholdName: TypeAlias = Annotated[
    str, Meta(max_length=200, description=f"1 to {MAX_NAME} characters on one line.")
]


Services: TypeAlias = Annotated[
    list[Annotated[str, Meta(max_length=50)]],
    Meta(max_length=100, description=f"At most {MAX_SERVICES} slugs, such as `disney_plus`."),
]
VotesAreOpen: TypeAlias = Annotated[
    bool, Meta(description="Whether everyone sees who votes for what, from the next round on.")
]


api = Operations("Movie night: households")


class NewHousehold(Body):
    """A household to be."""

    name: HouseholdName
    streaming_services: Services = field(default_factory=list)


class HouseholdChange(Body):
    """Changes of a household; what is left out stays as it is."""

    name: HouseholdName | UnsetType = UNSET
    streaming_services: Services | UnsetType = UNSET
    votes_are_open: VotesAreOpen | UnsetType = UNSET


class Typed(Struct, forbid_unknown_fields=True):
    """What was typed to confirm."""

    name: Annotated[str, Meta(max_length=200, description="The household’s name, to confirm.")] = ""


class HouseholdView(Struct, frozen=True):
    """A household."""

    group_id: str
    name: str
    created_by: Annotated[str, Meta(description="The creator’s `user_id`.")]
    streaming_services: list[str]
    member_count: int
    wish_count: int
    votes_are_open: VotesAreOpen
    open_round_id: Annotated[
        str | None, Meta(description="The round that is a draft or being voted on.")
    ]
    created_at: Moment
    updated_at: Moment | None


household = projection(Household, HouseholdView)


@api.post("/households", Need.NOT_ACTING, errors=(409,))
async def create_household(ctx: Ctx, new: NewHousehold) -> JsonResponse[HouseholdView]:
    """Create a household.

    The caller becomes its creator and first member; nobody is in two households.
    """
    group = await households.create_household(ctx, name=new.name, services=new.streaming_services)
    return tagged(household(group), status=201)


@api.get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_household(
    ctx: ContextInPath, if_none_match: IfNoneMatch
) -> JsonResponse[HouseholdView]:
    """Get one's household."""
    return tagged(household(ctx.group), unless=if_none_match)


@api.patch(ONE, Need.NOT_ACTING, errors=(404, 412))
async def change_household(
    ctx: ContextInPath, if_match: IfMatch, change: HouseholdChange
) -> JsonResponse[HouseholdView]:
    """Change a household.

    What is left out stays as it is.
    """
    check_match(if_match, household(ctx.group))
    try:
        group = await households.change_household(
            ctx,
            name=None if change.name is UNSET else change.name,
            services=None if change.streaming_services is UNSET else change.streaming_services,
            votes_are_open=None if change.votes_are_open is UNSET else change.votes_are_open,
            if_=None if if_match is None else as_read(ctx.group, "version"),
        )
    except ConditionFailed:
        raise changed() from None
    return tagged(household(group))


@api.delete(ONE, Need.NOT_ACTING, errors=(404, 409, 422))
async def delete_household(ctx: ContextInPath, typed: Typed) -> None:
    """Delete a household.

    Its creator may, and gives its name to be sure. Everything that belongs to it goes.
    """
    await households.delete_household(ctx, typed.name)


@api.post(f"{ONE}/leave", Need.NOT_ACTING, errors=(404, 409))
async def leave_household(ctx: ContextInPath) -> None:
    """Leave one's household.

    One's managed members leave along. Where the creator leaves, the longest-standing member with a
    login takes over; with the last of them, the household ends.
    """
    await members.leave(ctx)

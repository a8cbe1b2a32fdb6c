"""Invites into a household."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import projection
from commonroom.http.request import Request
from commonroom.movienight.api.households import HouseholdView, household
from commonroom.movienight.request import ContextInPath
from commonroom.movienight.rules.households import InviteStatus
from commonroom.movienight.service import invites
from commonroom.movienight.tables import Invite

ALL = "/households/{group_id:str}/invites"


api = Operations("Movie night: invites", errors=(404,))


class InviteView(Struct, frozen=True):
    """A link into a household."""

    invite_id: Annotated[str, Meta(description="Identifies it; not a secret.")]
    created_by: Annotated[str, Meta(description="The `user_id` of the person who created it.")]
    status: Annotated[
        InviteStatus,
        Meta(
            description="`pending` while people can join with it; `accepted` once somebody took "
            "the household’s last place with it."
        ),
    ]
    uses: Annotated[int, Meta(description="How many people joined with it.")]
    created_at: Moment
    expires_at: Moment
    ended_at: Moment | None


class InviteWithToken(InviteView, frozen=True):
    """A new invite."""

    invite_token: Annotated[str, Meta(description="It is shown only once.")]
    path: Annotated[str, Meta(description="Path of the page to join.")]


invite = projection(Invite, InviteView)
new_invite = projection(
    Invite,
    InviteWithToken,
    str,
    invite_token=lambda _, token: token,
    path=lambda _, token: f"/join/{token}",
)


@api.post(ALL, Need.NOT_ACTING, errors=(404, 409))
async def create_invite(ctx: ContextInPath) -> InviteWithToken:
    """Make a link into the household, for several people and seven days.

    Its token is shown this once.
    """
    made = await invites.create_invite(ctx)
    return new_invite(made.invite, made.token)


@api.get(ALL, Need.WRITER)
async def list_invites(ctx: ContextInPath) -> PagedList[InviteView]:
    """List the invites, the newest first: those that work, and those that ended within a day.

    Without their tokens.
    """
    return PagedList([invite(one) for one in await invites.list_invites(ctx)], None)


@api.delete(f"{ALL}/{{invite_id:str}}", Need.NOT_ACTING)
async def revoke_invite(ctx: ContextInPath, invite_id: str) -> None:
    """Revoke an invite; one that has ended stays as it is."""
    await invites.revoke_invite(ctx, invite_id)


@api.get("/invites/{token:str}", Need.ANYONE, errors=(404, 410))
async def preview_invite(request: Request, token: str) -> invites.HouseholdPreview:
    """See what an invite is for: the household's name and its size."""
    return await invites.preview(request.store, request.now, token)


@api.post("/invites/{token:str}/join", Need.NOT_ACTING, errors=(404, 409, 410))
async def join_household(ctx: Ctx, token: str) -> HouseholdView:
    """Join a household with an invite."""
    return household(await invites.join(ctx, token))

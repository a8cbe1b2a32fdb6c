"""Profiles: one's own, those that are public, and what administrators decide about curators."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from commonroom.accounts.api.views import Moment
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body, sent_fields
from commonroom.http.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import projection
from commonroom.http.responses import JsonResponse
from commonroom.watchlists import tables
from commonroom.watchlists.api.fields import PictureAddress, Username
from commonroom.watchlists.request import AnyVisitor
from commonroom.watchlists.rules.curators import MAX_MOTIVATION, MAX_REASON
from commonroom.watchlists.rules.profiles import MAX_BIO, MAX_USERNAME, MIN_USERNAME
from commonroom.watchlists.service import curators, profiles
from commonroom.watchlists.tables import CuratorStatus

MINE = "/watchlists/profile"
ALL = "/admin/curators"
ONE = f"{ALL}/{{user_id:str}}"


api = Operations("Watchlists: profiles")
admin_api = Operations("Watchlists: curators", errors=(404, 409), routes=api.routes)


class ProfileChanges(Body, kw_only=True):
    """Changes of one's own profile; what is left out stays as it is."""

    username: (
        Annotated[
            str,
            Meta(
                max_length=500,
                description=(
                    f"{MIN_USERNAME} to {MAX_USERNAME} letters from A "
                    "to Z, digits, and dots, dashes or underscores between; unique whatever its "
                    "case."
                ),
            ),
        ]
        | UnsetType
    ) = UNSET
    bio: (
        Annotated[str, Meta(max_length=5000, description=f"At most {MAX_BIO} characters.")]
        | UnsetType
        | None
    ) = UNSET
    avatar_key: (
        Annotated[str, Meta(max_length=100, description="One of the pictures, such as `fox`.")]
        | UnsetType
        | None
    ) = UNSET
    avatar_url: PictureAddress | UnsetType | None = UNSET


class Application(Body):
    """Why a person wants to be a curator."""

    motivation: Annotated[
        str,
        Meta(max_length=10_000, description=f"1 to {MAX_MOTIVATION} characters."),
    ]


class Reason(Body):
    """Why something is decided, for the person to read."""

    reason: Annotated[str, Meta(max_length=5000, description=f"1 to {MAX_REASON} characters.")]


class CuratorPaging(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose way, and which part of them."""

    status: Annotated[
        CuratorStatus, Meta(description="`pending` are those who wait for a decision.")
    ] = "pending"


class Curator(Struct, frozen=True):
    """A public profile."""

    username: Username
    bio: str | None
    avatar_key: str | None
    avatar_url: str | None
    is_curator: bool
    follower_count: int
    public_list_count: int
    created_at: Moment


class CuratorStep(Struct, frozen=True):
    """A step on the way to being a curator, or away from it."""

    to: CuratorStatus
    at: Moment
    reason: str | None


class ProfileView(Struct, frozen=True):
    """One’s own profile."""

    username: Username
    bio: str | None
    avatar_key: str | None
    avatar_url: str | None
    curator_status: Annotated[
        CuratorStatus | None, Meta(description="Null before one has applied.")
    ]
    motivation: str | None
    curator_moves: list[CuratorStep]
    follower_count: int
    list_count: int
    public_list_count: int
    created_at: Moment
    updated_at: Moment
    version: int


class Applicant(Struct, frozen=True):
    """The steps of a curator’s application, as an administrator sees them."""

    user_id: str
    username: Username
    bio: str | None
    curator_status: CuratorStatus | None
    curator_since: Moment | None
    motivation: str | None
    curator_moves: list[CuratorStep]
    public_list_count: int
    follower_count: int


def _steps(one: tables.Profile) -> list[CuratorStep]:
    return [step(move) for move in one.curator_moves]


step = projection(tables.CuratorMove, CuratorStep)
curator = projection(tables.Profile, Curator)
profile = projection(tables.Profile, ProfileView, curator_moves=_steps)
applicant = projection(tables.Profile, Applicant, curator_moves=_steps)


@api.get(MINE, Need.SIGNED_IN, errors=(304, 404))
async def get_watchlist_profile(ctx: Ctx, if_none_match: IfNoneMatch) -> JsonResponse[ProfileView]:
    """Get one’s own profile; there is none before one has needed it."""
    found = await profiles.existing_profile(ctx)
    return tagged(profile(found), unless=if_none_match)


@api.patch(MINE, Need.NOT_ACTING, errors=(409, 412))
async def change_watchlist_profile(
    ctx: Ctx, if_match: IfMatch, changes: ProfileChanges
) -> JsonResponse[ProfileView]:
    """Change one’s own profile, which is made where there was none.

    What is left out stays as it is; lists have a new name after a moment.
    """
    version = None
    if if_match is not None:
        seen = await profiles.ensure_profile(ctx)
        check_match(if_match, profile(seen))
        version = seen.version
    changed = await profiles.change_profile(ctx, **sent_fields(changes), version=version)
    return tagged(profile(changed))


@api.post("/watchlists/application", Need.NOT_ACTING, errors=(409,))
async def apply_as_curator(ctx: Ctx, application: Application) -> ProfileView:
    """Apply to become a curator; an administrator decides."""
    return profile(await curators.apply(ctx, application.motivation))


@api.get("/watchlists/curators/{username:str}", Need.ANYONE, errors=(404,))
async def get_curator(visitor: AnyVisitor, username: str) -> Curator:
    """Get the public profile of a person who publishes lists."""
    return curator(await profiles.public_profile(visitor, username))


@admin_api.get(ALL, Need.ADMINISTRATOR, errors=())
async def list_curators(ctx: Ctx, asked: CuratorPaging) -> PagedList[Applicant]:
    """List who has applied, or who is a curator, was declined, or is suspended."""
    found = await curators.curators_with(ctx, asked.status, limit=asked.limit, cursor=asked.cursor)
    return PagedList([applicant(one) for one in found.items], found.cursor)


@admin_api.post(f"{ONE}/approve", Need.ADMINISTRATOR, status=200)
async def approve_curator(ctx: Ctx, user_id: str) -> Applicant:
    """Approve an application."""
    return applicant(await curators.decide(ctx, user_id, "approve"))


@admin_api.post(f"{ONE}/decline", Need.ADMINISTRATOR, status=200)
async def decline_curator(ctx: Ctx, user_id: str, why: Reason) -> Applicant:
    """Decline an application; the person reads why and may apply again."""
    return applicant(await curators.decide(ctx, user_id, "decline", why.reason))


@admin_api.post(f"{ONE}/suspend", Need.ADMINISTRATOR, status=200)
async def suspend_curator(ctx: Ctx, user_id: str, why: Reason) -> Applicant:
    """Suspend a curator: their lists leave discovery, and they publish no new ones."""
    return applicant(await curators.decide(ctx, user_id, "suspend", why.reason))


@admin_api.post(f"{ONE}/reinstate", Need.ADMINISTRATOR, status=200)
async def reinstate_curator(ctx: Ctx, user_id: str) -> Applicant:
    """End a suspension; their lists come back."""
    return applicant(await curators.decide(ctx, user_id, "reinstate"))

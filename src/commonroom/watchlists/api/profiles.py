"""Profiles: one's own, and those that are public."""

from __future__ import annotations

from msgspec import UNSET

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.responses import JsonResponse
from commonroom.watchlists.api import views
from commonroom.watchlists.api.bodies import Application, ProfileChanges
from commonroom.watchlists.request import AnyVisitor
from commonroom.watchlists.service import curators, profiles

MINE = "/watchlists/profile"


api = Operations("Watchlists: profiles")


@api.get(MINE, Need.SIGNED_IN, errors=(304, 404))
async def get_watchlist_profile(
    ctx: Ctx, if_none_match: IfNoneMatch
) -> JsonResponse[views.ProfileView]:
    """Get one’s own profile; there is none before one has needed it."""
    found = await profiles.existing_profile(ctx)
    return tagged(views.profile(found), unless=if_none_match)


@api.patch(MINE, Need.NOT_ACTING, errors=(409, 412))
async def change_watchlist_profile(
    ctx: Ctx, if_match: IfMatch, changes: ProfileChanges
) -> JsonResponse[views.ProfileView]:
    """Change one’s own profile, which is made where there was none.

    What is left out stays as it is; lists have a new name after a moment.
    """
    version = None
    if if_match is not None:
        seen = await profiles.ensure_profile(ctx)
        check_match(if_match, views.profile(seen))
        version = seen.version
    changed = await profiles.change_profile(
        ctx,
        username=None if changes.username is UNSET else changes.username,
        bio=changes.bio,
        avatar_key=changes.avatar_key,
        avatar_url=changes.avatar_url,
        version=version,
    )
    return tagged(views.profile(changed))


@api.post("/watchlists/application", Need.NOT_ACTING, errors=(409,))
async def apply_as_curator(ctx: Ctx, application: Application) -> views.ProfileView:
    """Apply to become a curator; an administrator decides."""
    return views.profile(await curators.apply(ctx, application.motivation))


@api.get("/watchlists/curators/{username:str}", Need.ANYONE, errors=(404,))
async def get_curator(visitor: AnyVisitor, username: str) -> views.Curator:
    """Get the public profile of a person who publishes lists."""
    return views.curator(await profiles.public_profile(visitor, username))

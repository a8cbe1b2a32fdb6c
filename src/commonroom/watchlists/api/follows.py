"""Curators whom one follows."""

from __future__ import annotations

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.watchlists.api import views
from commonroom.watchlists.service import follows
from commonroom.watchlists.service.profiles import find_profile

ALL = "/watchlists/following"
ONE = f"{ALL}/{{username:str}}"


api = Operations("Watchlists: following", errors=(404, 409))


@api.get(ALL, Need.SIGNED_IN, errors=())
async def list_followed_curators(ctx: Ctx, paging: Paging) -> PagedList[views.Curator]:
    """List the curators whom one follows."""
    found = await follows.my_curators(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([views.curator(one) for one in found.curators], found.cursor)


@api.put(ONE, Need.NOT_ACTING)
async def follow_curator(ctx: Ctx, username: str) -> None:
    """Follow a curator: one is told of their new public lists."""
    await follows.follow(ctx, (await find_profile(ctx.store, username)).user_id)


@api.delete(ONE, Need.NOT_ACTING)
async def unfollow_curator(ctx: Ctx, username: str) -> None:
    """Stop following a curator."""
    await follows.unfollow(ctx, (await find_profile(ctx.store, username)).user_id)

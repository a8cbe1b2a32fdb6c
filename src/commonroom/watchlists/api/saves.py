"""Lists and curators that one follows."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import Through, projection
from commonroom.watchlists.api import lists
from commonroom.watchlists.api.curators import Curator, curator
from commonroom.watchlists.api.list_views import WatchlistView, watchlist
from commonroom.watchlists.service import follows, saves
from commonroom.watchlists.service.profiles import find_profile

ALL = f"{lists.ALL}/saved"
ONE = f"{ALL}/{{watchlist_id:str}}"
CURATORS = f"{lists.ALL}/following"
CURATOR = f"{CURATORS}/{{username:str}}"


api = Operations("Watchlists: saved lists")
curators_api = Operations("Watchlists: following", errors=(404, 409), routes=api.routes)


class SavedWatchlistView(Struct, frozen=True):
    """A list that one follows."""

    watchlist_id: str
    title: Annotated[str, Meta(description="As it was last seen, where it is unavailable.")]
    saved_at: Moment
    watchlist: Annotated[
        WatchlistView | None, Meta(description="Null where it was deleted or made private.")
    ]
    new_count: int


saved_list = projection(
    saves.FollowedList,
    SavedWatchlistView,
    watchlist_id="saved.watchlist_id",
    saved_at="saved.saved_at",
    watchlist=Through(watchlist),
)


@api.get(ALL, Need.SIGNED_IN)
async def list_saved_watchlists(ctx: Ctx, paging: Paging) -> PagedList[SavedWatchlistView]:
    """List the lists that one follows, with what is new in each."""
    found = await saves.my_followed_lists(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([saved_list(one) for one in found.items], found.cursor)


@api.put(ONE, Need.NOT_ACTING, errors=(404, 409))
async def save_watchlist(ctx: Ctx, watchlist_id: str) -> None:
    """Follow a public list."""
    await saves.follow_list(ctx, watchlist_id)


@api.delete(ONE, Need.NOT_ACTING, errors=(409,))
async def unsave_watchlist(ctx: Ctx, watchlist_id: str) -> None:
    """Stop following a list, or dismiss one that is no longer available."""
    await saves.unfollow_list(ctx, watchlist_id)


@api.put(f"{ONE}/visit", Need.NOT_ACTING, errors=(404,))
async def visit_watchlist(ctx: Ctx, watchlist_id: str) -> None:
    """Say that one has seen a list that one follows: nothing in it is new from now on."""
    await saves.visit_now(ctx, watchlist_id)


@curators_api.get(CURATORS, Need.SIGNED_IN, errors=())
async def list_followed_curators(ctx: Ctx, paging: Paging) -> PagedList[Curator]:
    """List the curators whom one follows."""
    found = await follows.my_curators(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([curator(one) for one in found.items], found.cursor)


@curators_api.put(CURATOR, Need.NOT_ACTING)
async def follow_curator(ctx: Ctx, username: str) -> None:
    """Follow a curator: one is told of their new public lists."""
    await follows.follow(ctx, (await find_profile(ctx.store, username)).user_id)


@curators_api.delete(CURATOR, Need.NOT_ACTING)
async def unfollow_curator(ctx: Ctx, username: str) -> None:
    """Stop following a curator."""
    await follows.unfollow(ctx, (await find_profile(ctx.store, username)).user_id)

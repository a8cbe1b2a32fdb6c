"""Lists that one follows."""

from __future__ import annotations

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.watchlists.api import lists, views
from commonroom.watchlists.service import saves

ALL = f"{lists.ALL}/saved"
ONE = f"{ALL}/{{watchlist_id:str}}"


api = Operations("Watchlists: saved lists")


@api.get(ALL, Need.SIGNED_IN)
async def list_saved_watchlists(ctx: Ctx, paging: Paging) -> PagedList[views.SavedWatchlistView]:
    """List the lists that one follows, with what is new in each."""
    found = await saves.my_followed_lists(ctx, limit=paging.limit, cursor=paging.cursor)
    return PagedList([views.followed_list(one) for one in found.lists], found.cursor)


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

"""Followed lists and curators: what is new in them, following one, letting it go."""

from __future__ import annotations

from typing import Any

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Pages
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.titles.fetched_pictures import pictures_in
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.cards import ListCard
from commonroom.watchlists.pages.page import render_page
from commonroom.watchlists.service import follows, saves

PAGE = 48
CURATORS = 24


pages = Pages()


@pages.page(addresses.FOLLOWING, Need.SIGNED_IN)
async def following(request: Request, cursor: Cursor = None) -> Response[Any]:
    """Lists and curators that a person follows: four requests."""
    kept, people = await request.store.gather(
        saves.my_followed_lists(request.context, limit=PAGE, cursor=cursor),
        follows.my_curators(request.context, limit=CURATORS),
    )
    fetched = pictures_in(request)
    shown = sorted(kept.items, key=lambda one: -one.new_count)
    return render_page(
        request,
        "watchlists/following.html",
        lists=[(one, one.watchlist and ListCard(one.watchlist, fetched)) for one in shown],
        cursor=kept.cursor,
        curators=people.items,
        is_first=cursor is None,
    )


@pages.form(f"{addresses.LIST}/save", Need.NOT_ACTING, on=addresses.LIST, flash="list-followed")
async def follow_list(ctx: Ctx, watchlist_id: str) -> None:
    """Follows a list."""
    await saves.follow_list(ctx, watchlist_id)


@pages.form(f"{addresses.LIST}/unsave", Need.NOT_ACTING, on=addresses.LIST, flash="list-unfollowed")
async def unfollow_list(ctx: Ctx, watchlist_id: str) -> None:
    """Lets a list go."""
    await saves.unfollow_list(ctx, watchlist_id)


@pages.form(
    f"{addresses.LIST}/dismiss",
    Need.NOT_ACTING,
    leads_to=addresses.FOLLOWING,
    flash="list-dismissed",
)
async def dismiss_list(ctx: Ctx, watchlist_id: str) -> None:
    """Lets a list go that is no longer available."""
    await saves.unfollow_list(ctx, watchlist_id)

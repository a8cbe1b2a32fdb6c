"""From a list of one's own to the household's wish list, where another room keeps one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.joins.film_sources import WishList
from commonroom.joins.rooms import first_offer
from commonroom.titles.titles import TitleId
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.page import acts_alone
from commonroom.watchlists.service.access import get_contents, own_list
from commonroom.watchlists.service.list_views import ListView
from commonroom.watchlists.tables import WatchlistItem

pages = Pages()


@pages.form(f"{addresses.LIST}/wish", Need.NOT_ACTING, on=addresses.LIST)
async def wish_for_all(request: Request, ctx: Ctx, watchlist_id: str) -> Response[Any]:
    """Puts its films on the wish list, as far as there is room, and leads there."""
    await own_list(ctx, watchlist_id)
    wish_list = first_offer(request, WishList)
    if wish_list is None:
        raise NotFound("There is no wish list here.")
    contents = await get_contents(ctx.store, watchlist_id)
    added = await wish_list.add(request, _film_numbers(contents.items))
    return redirect(added.address, added.flash)


def may_wish(request: Request, view: ListView) -> bool:
    """Returns whether the films of a list can go on a wish list: those of one's own; no request."""
    wish_list = first_offer(request, WishList) if view.is_owner and acts_alone(request) else None
    if wish_list is None or not _film_numbers(view.items):
        return False
    return wish_list.is_offered(request)


def _film_numbers(items: Sequence[WatchlistItem]) -> list[int]:
    """TMDB's numbers of the films among these."""
    ids = (TitleId.of(one) for one in items)
    return [one.tmdb_id for one in ids if one.content_type == "MOVIE" and one.tmdb_id]

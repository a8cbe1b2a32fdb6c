"""From a list of one's own to the household's wish list, which another room keeps."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.joins.film_sources import WishList
from commonroom.joins.rooms import first_offer
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.wishable import film_numbers
from commonroom.watchlists.service.access import get_contents, own_list

pages = Pages()


@pages.form(f"{addresses.LIST}/wish", Need.NOT_ACTING, on=addresses.LIST)
async def wish_for_all(request: Request, ctx: Ctx, watchlist_id: str) -> Response[Any]:
    """Puts its films on the wish list, as far as there is room, and leads there."""
    await own_list(ctx, watchlist_id)
    wish_list = first_offer(request, WishList)
    if wish_list is None:
        raise NotFound("There is no wish list here.")
    contents = await get_contents(ctx.store, watchlist_id)
    added = await wish_list.add(request, film_numbers(contents.items))
    return redirect(added.address, added.flash)

"""Which films of a list can be wished for, where another room keeps a wish list."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.http.request import Request
from commonroom.joins.film_sources import WishList
from commonroom.joins.rooms import first_offer
from commonroom.titles.titles import TitleId
from commonroom.watchlists.pages.page import acts_alone
from commonroom.watchlists.service.list_views import ListView
from commonroom.watchlists.tables import WatchlistItem


def film_numbers(items: Sequence[WatchlistItem]) -> list[int]:
    """TMDB's numbers of the films among these."""
    ids = (TitleId.of(one) for one in items)
    return [one.tmdb_id for one in ids if one.content_type == "MOVIE" and one.tmdb_id]


def may_wish(request: Request, view: ListView) -> bool:
    """Returns whether the films of a list can go on a wish list: those of one's own; no request."""
    wish_list = first_offer(request, WishList) if view.is_owner and acts_alone(request) else None
    if wish_list is None or not film_numbers(view.items):
        return False
    return wish_list.is_offered(request)

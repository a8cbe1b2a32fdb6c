"""What movie night takes from other rooms: films for the household's wish list."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.errors import Conflict
from commonroom.http.request import Request
from commonroom.joins.film_sources import WishesAdded, WishList
from commonroom.movienight.request import film_source, own_context
from commonroom.movienight.service.wishes import add_wishes

HERE = "/movie-night/wishes"


def is_offered(request: Request) -> bool:
    """Returns whether the caller lives in a household."""
    caller = request.caller
    return caller.account is not None and caller.account.household_id is not None


async def add(request: Request, tmdb_movie_ids: Sequence[int]) -> WishesAdded:
    """Puts films on the wish list of the caller, as far as there is room."""
    ctx = await own_context(request)
    added, left = await add_wishes(ctx, film_source(request), tmdb_movie_ids)
    if added:
        return WishesAdded(HERE, "wishes-added-some" if left else "wishes-added")
    if left:
        raise Conflict("The wish list is full. Remove a film first.")
    raise Conflict("All of these are on the wish list already, or you have watched them.")


WISH_LIST = WishList(is_offered=is_offered, add=add)
